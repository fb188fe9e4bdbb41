import type { FamilyTable, Network } from "@conclave/custody";
import type { Database, Logger } from "@conclave/platform";
import type { ServedChain } from "../chain-requests/served-chain.ts";
import type { CountedDepositEvents } from "../log/deposit-events.ts";
import type { DescribeTokens } from "./described-tokens.ts";
import { ForgottenBlocks } from "./forgotten-blocks.ts";
import { StandingVerdict } from "./standing-verdict.ts";
import { LookBack } from "./where-reading-begins.ts";

/**
 * A block that the node does not have counts as forgotten where it lies so far behind the final one, and a block that is too large is waited
 * for no longer there.
 */
export const OUT_OF_REACH_BLOCKS = 256n;

/** The memory of a watch from one round to the next. A process that starts anew finds it out again. */
export interface WatchMemory {
  readonly verdict: StandingVerdict;
  readonly forgotten: ForgottenBlocks;
  readonly lookBack: LookBack;
  /** the hash of the last block that was read, where this process has seen that the chain holds it */
  held: string | undefined;
  /** when this process sent reading back last, monotonic milliseconds */
  wentBackMs: number | undefined;
}

export const noWatchMemory = (): WatchMemory => ({
  verdict: new StandingVerdict(),
  forgotten: new ForgottenBlocks(),
  lookBack: new LookBack(),
  held: undefined,
  wentBackMs: undefined,
});

export interface DepositWatch {
  readonly database: Database;
  readonly families: FamilyTable;
  readonly chain: ServedChain;
  readonly network: Network;
  readonly memory: WatchMemory;
  /** whether a wallet of the network could be paid */
  readonly isUsed: () => Promise<boolean>;
  readonly describeTokens: DescribeTokens;
  /** ISO 8601 UTC */
  readonly now: () => string;
  /** of a clock that only goes forward */
  readonly monotonicMs: () => number;
  /** hears how many final blocks are still to be read */
  readonly unread: (blocks: number) => void;
  readonly logger: Logger;
  readonly counted: CountedDepositEvents;
}
