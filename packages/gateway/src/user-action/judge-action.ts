import { fail, ok, type Result } from "@conclave/custody";
import type { ActionSignature, Caller, UserAction } from "@conclave/platform";
import { payloadDigest } from "./payload.ts";

/** The request that an action signs. */
export interface ActionRequest {
  readonly method: string;
  /** without the query, which is not signed */
  readonly path: string;
  /** the body's text; empty without a body */
  readonly payload: string;
}

/** A stored action, found by its token. */
export interface Read {
  readonly action: UserAction;
  readonly hasExpired: boolean;
}

/** A difference between a request and the one that was signed. */
interface Difference {
  readonly what: "token" | "method" | "path" | "body" | "expiry";
  readonly signed: string | undefined;
  readonly sent: string | undefined;
}

const LONGEST_SHOWN = 256;

/**
 * Whether an action is of this caller and token: another token of the same user may allow more, so an action signed
 * under one is not valid under another.
 */
export const isOf = (action: UserAction, caller: Caller): boolean =>
  action.orgId === caller.orgId && action.userId === caller.userId && action.tokenId === caller.tokenId;

/**
 * Whether a signed action is for exactly this request.
 * @returns UserActionInvalid; it names the difference when the action is the caller's own, and reveals nothing of other
 * callers' actions
 */
export const judgeAction = (
  read: Read | undefined,
  caller: Caller,
  request: ActionRequest,
  now: Date,
): Result<{ readonly action: UserAction; readonly signature: ActionSignature }> => {
  if (read === undefined) return fail("UserActionInvalid");
  const { action } = read;
  const isTheirs = action.orgId === caller.orgId && action.userId === caller.userId;
  if (!isTheirs || action.signature === undefined) return fail("UserActionInvalid");
  const differs = differencesOf(read, caller, request, now);
  return differs.length === 0
    ? ok({ action, signature: action.signature })
    : fail("UserActionInvalid", { differs });
};

const differencesOf = (
  { action, hasExpired }: Read,
  caller: Caller,
  request: ActionRequest,
  now: Date,
): readonly Difference[] => {
  const sent = bodyDigest(action, request.payload);
  const compared: readonly Difference[] = [
    { what: "method", signed: action.method, sent: request.method },
    { what: "path", signed: action.path, sent: request.path },
    { what: "body", signed: hex(action.payloadDigest), sent: sent === undefined ? "no JSON" : hex(sent) },
    { what: "token", signed: action.tokenId, sent: caller.tokenId },
  ];
  const differing = compared.filter(({ signed, sent }) => signed !== sent);
  const expired: readonly Difference[] = hasExpired
    ? [{ what: "expiry", signed: action.dateExpires, sent: now.toISOString() }]
    : [];
  return [...differing, ...expired].map((each) => ({
    ...each,
    signed: each.signed?.slice(0, LONGEST_SHOWN),
    sent: each.sent?.slice(0, LONGEST_SHOWN),
  }));
};

const NOTHING = payloadDigest("");
const NO_MEMBERS = payloadDigest("{}");
const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one !== undefined && other !== undefined && hex(one) === hex(other);

/**
 * The digest of the received body. A client that signs an empty payload may send {}: the vendor's Python library signs
 * no payload for a body without members, but sends it.
 */
const bodyDigest = (action: UserAction, payload: string): Uint8Array | undefined => {
  const digest = payloadDigest(payload);
  return isSame(action.payloadDigest, NOTHING) && isSame(digest, NO_MEMBERS) ? NOTHING : digest;
};

/** SHA-256 of the canonical JSON in hex, as in the record of signed actions. */
const hex = (digest: Uint8Array): string => Buffer.from(digest).toString("hex");
