import type { SchemeSignature } from "@conclave/custody";
import type { ChainFamily, ChainNode, EnabledNetwork } from "../../chain.ts";

/** A whole private key in one process. */
export interface PlainKey {
  readonly publicKey: Uint8Array;
  readonly sign: (bytes: Uint8Array) => SchemeSignature;
}

/** A way in which a node misbehaves. */
export interface Trouble {
  readonly name: string;
  /**
   * Calls the client of a node that has this trouble, and lets the client's waiting time pass.
   * @param entry the entry of its network for the client
   */
  readonly meet: <T>(entry: EnabledNetwork, ask: (node: ChainNode) => Promise<T>) => Promise<T>;
}

/**
 * A node that answers each request with 429 and a Retry-After of seven seconds. @param ask receives the client, and a function
 * that counts the requests
 */
export type RestAsked = <T>(
  entry: EnabledNetwork,
  ask: (node: ChainNode, requests: () => number) => Promise<T>,
) => Promise<T>;

/** A chain under test, which makes blocks only when the suite says so. */
export interface TriedChain {
  readonly family: ChainFamily;
  readonly entry: EnabledNetwork;
  /** A client without memory. @param entry the entry of its network, which may name another chain than this */
  readonly connect: (entry: EnabledNetwork) => ChainNode;
  readonly keyOf: (secretKeyHex: string) => PlainKey;
  /** @returns the body of a transfer of the native coin */
  readonly transfer: (from: string, to: string, amount: bigint) => object;
  /** the amount of a transfer, in smallest units; an account is funded for ten of them */
  readonly amount: bigint;
  readonly fund: (address: string) => Promise<void>;
  readonly mine: (blocks?: number) => Promise<void>;
  /** Makes blocks until the node reports waiting transactions as landed. */
  readonly include: () => Promise<void>;
  /** Makes blocks until all landed transactions are final. */
  readonly finalise: () => Promise<void>;
  /** Makes blocks until all landed transactions are final, and all expired ones are dead. */
  readonly outlive: () => Promise<void>;
  /** Undoes the latest blocks that `include` made; absent if new blocks are final at once. */
  readonly reorganise?: () => Promise<void>;
  /** whether the node shows transactions that are in no block yet */
  readonly showsPool: boolean;
  readonly troubles: readonly Trouble[];
  /** A node that answers this many requests before the trouble begins; absent where a call is a single step. */
  readonly faltersAfter?: (requests: number) => Trouble;
  /** A node that asks for fewer requests, and counts those that still come; absent where nodes are not called over HTTP. */
  readonly asksForRest?: RestAsked;
  readonly close: () => Promise<void>;
}

/** Opens a chain: "ours", or another one of the same family. Wallets have the same addresses on both. */
export type OpenTriedChain = (which: "ours" | "other") => Promise<TriedChain>;
