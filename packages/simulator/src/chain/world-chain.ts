import type { ChainNode, EnabledNetwork } from "@conclave/chains";
import type { MemoryChain } from "@conclave/chains/testing";
import type { Network } from "@conclave/custody";
import type { LandedPayment } from "../check/inv-4.ts";
import type { ReadsPayload } from "../check/payload/read-payload.ts";
import type { ServerLink } from "../link/server-link.ts";
import type { ProcessWorld } from "../time/process-world.ts";

/** The time between two blocks. */
export const BLOCK_MS = 1_000;

/** The calls by which faults change a chain. */
export type ChainControls = Pick<MemoryChain, "height" | "drop" | "reorganise" | "hold" | "refuse">;

/** Which calls to a chain are answered by a node that is behind: a provider has several. */
export interface LaggingViews {
  /** of a call that arrives now */
  readonly isBehind: () => boolean;
  readonly behindMs: number;
}

/** A chain of a world, and its node. */
export interface WorldChain {
  /** its entry in the networks file */
  readonly entry: EnabledNetwork & { readonly network: Network };
  /** of its node as a server, in the schedule and the trace */
  readonly server: string;
  /** how long a client waits for an answer of the node, milliseconds, as in production */
  readonly patienceMs: number;
  /** The node as one life of a process reaches it over its link. */
  readonly nodeOver: (link: ServerLink, world: ProcessWorld) => ChainNode;
  readonly controls: ChainControls;
  /** Gives wallets what so many payments of each need. No fault takes that back. */
  readonly fund: (addresses: readonly string[], payments: number) => void;
  /** The recipient and the amount of a payment, by its number: nobody else is paid there. */
  readonly payment: (number: number) => { readonly to: string; readonly amount: bigint };
  /** how many transactions wait for a block */
  readonly waiting: () => number;
  /** the payments to recipients on the chain as it is */
  readonly landed: () => readonly LandedPayment[];
  /** the sum of the payments to a recipient on the chain as it is */
  readonly arrived: (to: string) => Promise<bigint>;
  /** Reads a payload for this chain, by other code than the cluster's. */
  readonly readPayload: ReadsPayload;
}
