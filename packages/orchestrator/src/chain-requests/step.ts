import type { ChainWallet, World } from "@conclave/custody";
import type { Database, Logger, VersionedRequest } from "@conclave/platform";
import type { SigningPort } from "../signing-port.ts";
import type { GatheringCount } from "./count-gatherings.ts";
import type { KeptRecords } from "./kept-records.ts";
import type { ServedChain } from "./served-chain.ts";

/** The dependencies of a step of a request. */
export interface RequestWork extends GatheringCount {
  readonly database: Database;
  readonly chain: ServedChain;
  readonly wallet: ChainWallet;
  readonly quorum: SigningPort;
  readonly logger: Logger;
  readonly world: World;
  /** absent where no process marks the records: then they may have been restored at any time */
  readonly records?: Pick<KeptRecords, "since"> | undefined;
}

/** The action that follows a step. */
export type Next =
  /** the request's state determines the next step; `seen` as this step committed it; without it the row is read again */
  | { readonly kind: "go-on"; readonly seen?: VersionedRequest }
  /** not now; the message is delivered again */
  | { readonly kind: "again"; readonly afterMs: number };

export const GO_ON: Next = { kind: "go-on" };
/** @param seen the request as the step committed it; undefined where another process changed it */
export const goOnFrom = (seen: VersionedRequest | undefined): Next =>
  seen === undefined ? GO_ON : { kind: "go-on", seen };
export const again = (afterMs: number): Next => ({ kind: "again", afterMs });

/**
 * One step of a request, from its row as just read, or as the step before committed it. A step is idempotent, and
 * durable before the next begins.
 */
export type RequestStep = (work: RequestWork, seen: VersionedRequest) => Promise<Next>;
