import type { TransactionClaim } from "@conclave/custody";
import { REQUEST_AGE_MS_MAX } from "../limits.ts";

/** A transaction that is about to be signed. */
export interface ClaimedTransaction extends TransactionClaim {
  readonly network: string;
  /** SHA-256 of the unsigned bytes, lower-case hex: the transaction's name in statements of the authority */
  readonly digest: string;
  /** undefined where the authorisation itself has the bytes, as nobody builds them anew */
  readonly unsigned: Uint8Array | undefined;
}

/** A request that is about to be signed: the values on which later transactions of it depend. */
export interface RequestClaim {
  readonly requestId: string;
  /** the requests that it replaces, the newest first */
  readonly replaces: readonly string[];
  /** undefined when it is no transaction */
  readonly transaction: ClaimedTransaction | undefined;
  /** all keys that sign the transaction, even if this session signs only a part */
  readonly keyIds: readonly string[];
  /** Unix milliseconds: date of the request */
  readonly requestedAtMs: number;
  /** Unix milliseconds: from then on the request may be forgotten, as its authorisation is too old */
  readonly forgetAtMs: number;
}

/**
 * The earliest date, Unix milliseconds, that the request or one that it replaces may have: replaced ones may be as old
 * as any request that is still signed.
 */
export const earliestMs = ({
  requestedAtMs,
  replaces,
}: Pick<RequestClaim, "requestedAtMs" | "replaces">): number =>
  requestedAtMs - (replaces.length > 0 ? REQUEST_AGE_MS_MAX : 0);
