import type { LedgerClock } from "../clock.ts";
import type { ListenOptions } from "./listen.ts";

export interface LedgerOptions {
  readonly clock: LedgerClock;
  /** the chain's name in transactions, such as "conclave-v1" */
  readonly chain: string;
  /** any text: the faucet's key and all other randomness are derived from it */
  readonly seed: string;
  /** the interval between blocks, in milliseconds; 0 makes blocks only on request */
  readonly blockMs: number;
  /** where the node's interface is served */
  readonly listen: ListenOptions;
  /** the admin endpoint's port, on loopback; 0 takes a free one */
  readonly adminPort: number;
  /** where events are recorded, so that a later process continues; undefined keeps nothing */
  readonly folder?: string | undefined;
  /** the token that the node's interface requires; undefined requires none */
  readonly token: string | undefined;
}

export interface RunningLedger {
  /** of the interface that the chain's official SDK uses */
  readonly url: string;
  readonly adminUrl: string;
  stop(): Promise<void>;
}
