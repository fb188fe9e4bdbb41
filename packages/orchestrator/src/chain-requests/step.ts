import type { ChainWallet, World } from "@conclave/custody";
import type { Database, Logger, VersionedRequest } from "@conclave/platform";
import type { SigningQuorum } from "../signing-quorum.ts";
import type { GatheringCount } from "./count-gatherings.ts";
import type { KeptRecords } from "./kept-records.ts";
import type { ServedChain } from "./served-chain.ts";

/** The dependencies of a step of a request. */
export interface RequestWork extends GatheringCount {
  readonly database: Database;
  readonly chain: ServedChain;
  readonly wallet: ChainWallet;
  readonly quorum: SigningQuorum;
  readonly logger: Logger;
  readonly world: World;
  /** absent where no process marks them: then they may have been put back at any time */
  readonly records?: Pick<KeptRecords, "since"> | undefined;
}

/** The action that follows a step. */
export type Next =
  /** look at the row again: the next step is its state's to say */
  | { readonly kind: "go-on" }
  /** not now; the message comes again */
  | { readonly kind: "again"; readonly afterMs: number };

export const GO_ON: Next = { kind: "go-on" };
export const again = (afterMs: number): Next => ({ kind: "again", afterMs });

/** One step of a request's way, from its row as it was just read: idempotent, and durable before the next one begins. */
export type RequestStep = (work: RequestWork, seen: VersionedRequest) => Promise<Next>;
