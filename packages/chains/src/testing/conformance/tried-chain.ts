import type { SchemeSignature } from "@conclave/custody";
import type { ChainFamily, ChainNode, EnabledNetwork } from "../../chain.ts";

/** A whole key in one place. */
export interface PlainKey {
  readonly publicKey: Uint8Array;
  readonly sign: (bytes: Uint8Array) => SchemeSignature;
}

/** A way in which a node does not do what it should. */
export interface Trouble {
  readonly name: string;
  /**
   * Asks a client of a node that is in this trouble, and lets the time pass that the client waits.
   * @param entry the entry of its network for the client
   */
  readonly meet: <T>(entry: EnabledNetwork, ask: (node: ChainNode) => Promise<T>) => Promise<T>;
}

/** A node that answers each request with 429 and a Retry-After of seven seconds. @param ask hears how many requests came */
export type RestAsked = <T>(
  entry: EnabledNetwork,
  ask: (node: ChainNode, requests: () => number) => Promise<T>,
) => Promise<T>;

/** A chain on trial: its blocks are made when the suite says so. */
export interface TriedChain {
  readonly family: ChainFamily;
  readonly entry: EnabledNetwork;
  /** A client that remembers nothing. @param entry the entry of its network, which may be another than this chain */
  readonly connect: (entry: EnabledNetwork) => ChainNode;
  readonly keyOf: (secretKeyHex: string) => PlainKey;
  /** @returns the body of a transfer of the native coin */
  readonly transfer: (from: string, to: string, amount: bigint) => object;
  /** the amount of a transfer, in smallest units; an account is funded for ten of them */
  readonly amount: bigint;
  readonly fund: (address: string) => Promise<void>;
  readonly mine: (blocks?: number) => Promise<void>;
  /** Makes blocks until the node tells where what waits has landed. */
  readonly include: () => Promise<void>;
  /** Makes blocks until whatever has landed is final. */
  readonly finalise: () => Promise<void>;
  /** Makes blocks until whatever has landed is final, and whatever can no longer land is dead. */
  readonly outlive: () => Promise<void>;
  /** Undoes the blocks that `include` made last; absent where what is made is final. */
  readonly reorganise?: () => Promise<void>;
  /** whether the node shows what is in no block yet */
  readonly showsPool: boolean;
  readonly troubles: readonly Trouble[];
  /** Answers so many requests and falls into trouble then; absent where a call is one step. */
  readonly faltersAfter?: (requests: number) => Trouble;
  /** Asks for fewer requests, and counts those that come nevertheless; absent where a node is not spoken to over HTTP. */
  readonly asksForRest?: RestAsked;
  readonly close: () => Promise<void>;
}

/** Opens a chain: "ours", or another one of the same family. A payment on both has the same address. */
export type OpenTriedChain = (which: "ours" | "other") => Promise<TriedChain>;
