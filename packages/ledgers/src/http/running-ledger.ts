import type { LedgerClock } from "../clock.ts";
import type { ListenOptions } from "./listen.ts";

export interface LedgerOptions {
  readonly clock: LedgerClock;
  /** the chain's name in transactions, such as "conclave-v1" */
  readonly chain: string;
  /** any text: the faucet's key and whatever else a chain has by chance follow from it */
  readonly seed: string;
  /** milliseconds from block to block; 0 makes blocks by hand only */
  readonly blockMs: number;
  /** where the interface of the chain's node is served */
  readonly listen: ListenOptions;
  /** the admin endpoint's port, on loopback; 0 takes a free one */
  readonly adminPort: number;
  /** where it keeps what happened, so that a later process goes on from there; undefined forgets at the end */
  readonly folder?: string | undefined;
  /** the token of the node's interface; undefined asks for none */
  readonly token: string | undefined;
}

export interface RunningLedger {
  /** of the interface that the chain's official SDK speaks */
  readonly url: string;
  readonly adminUrl: string;
  stop(): Promise<void>;
}
