import type { TransactionClaim } from "@conclave/custody";
import { REQUEST_AGE_MS_MAX } from "../limits.ts";

/** A transaction that is about to be signed. */
export interface ClaimedTransaction extends TransactionClaim {
  readonly network: string;
  /** SHA-256 of the unsigned bytes, lower-case hex: what names the transaction in the authority's statements */
  readonly digest: string;
  /** undefined where they stand in the authorisation, which nobody builds anew */
  readonly unsigned: Uint8Array | undefined;
}

/** The transaction that is about to be signed, as far as later ones depend on it. */
export interface RequestClaim {
  readonly requestId: string;
  /** the requests whose place it takes, the newest first */
  readonly replaces: readonly string[];
  /** undefined when it is no transaction */
  readonly transaction: ClaimedTransaction | undefined;
  /** of all keys that sign for it, also where this session signs only some of it */
  readonly keyIds: readonly string[];
  /** when it was asked for, Unix milliseconds */
  readonly requestedAtMs: number;
  /** when the request may be forgotten, Unix milliseconds: its authorisation is too old then */
  readonly forgetAtMs: number;
}

/**
 * The earliest date of a request and those that it replaces, Unix milliseconds: these may be as old as any that is still signed.
 */
export const earliestMs = ({
  requestedAtMs,
  replaces,
}: Pick<RequestClaim, "requestedAtMs" | "replaces">): number =>
  requestedAtMs - (replaces.length > 0 ? REQUEST_AGE_MS_MAX : 0);
