import type { FamilyTable, Network } from "@conclave/custody";
import type { Database, Logger } from "@conclave/platform";
import type { ServedChain } from "../chain-requests/served-chain.ts";
import type { CountedDepositEvents } from "../log/deposit-events.ts";
import type { DescribeTokens } from "./described-tokens.ts";
import { ForgottenBlocks } from "./forgotten-blocks.ts";
import { StandingVerdict } from "./standing-verdict.ts";
import { LookBack } from "./where-reading-begins.ts";

/**
 * Distance behind the final block from which a block that the node lacks counts as forgotten, and one that is too large
 * is not waited for.
 */
export const OUT_OF_REACH_BLOCKS = 256n;

/** The memory of a watch between rounds. A new process rebuilds it. */
export interface WatchMemory {
  readonly verdict: StandingVerdict;
  readonly forgotten: ForgottenBlocks;
  readonly lookBack: LookBack;
  /** the hash of the last block read, if this process has seen that the chain still has it */
  held: string | undefined;
  /** monotonic milliseconds: when this process last moved reading back */
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
  /** whether a wallet of the network can be paid, or an address of it is watched */
  readonly isUsed: () => Promise<boolean>;
  readonly describeTokens: DescribeTokens;
  /** ISO 8601 UTC */
  readonly now: () => string;
  /** milliseconds of a monotonic clock */
  readonly monotonicMs: () => number;
  /** called with the number of final blocks that are still unread */
  readonly unread: (blocks: number) => void;
  readonly logger: Logger;
  readonly counted: CountedDepositEvents;
}
