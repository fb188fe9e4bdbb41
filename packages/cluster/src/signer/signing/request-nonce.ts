import { type AuthorisedSigning, type Problem, problem } from "@conclave/custody";
import { REQUESTS_REMEMBERED_MAX } from "../limits.ts";
import { lookUp, put } from "../records/persistent-map.ts";
import { RECORDS } from "../records/record.ts";
import type { SignerState } from "../state.ts";

type Requests = SignerState["requests"];

/** What is about to be signed, as far as account nonces go. */
export interface NonceClaim {
  readonly requestId: string;
  /** the request whose place it takes */
  readonly replacedId: string | undefined;
  /** the account nonce of its transaction; undefined when it is none */
  readonly nonce: bigint | undefined;
}

/** The request whose place another takes; undefined when it takes none. */
export const replacedBy = (request: AuthorisedSigning): string | undefined =>
  request.kind === "transaction" ? request.replaces?.requestId : undefined;

/**
 * Why a request may not be signed with this nonce (INV-4); undefined when it may. A replacement has the account nonce of
 * what it replaces, so that only one of them can land; a signer that remembers that one knows its nonce, whatever the
 * authorisation says.
 */
export const nonceConflict = (
  { requests }: Pick<SignerState, "requests">,
  { requestId, replacedId, nonce }: NonceClaim,
): Problem | undefined => {
  const known = lookUp(requests, requestId);
  if (known !== undefined && known.nonce !== nonce) return problem("NonceConflict", { requestId });
  const replaced = replacedId === undefined ? undefined : lookUp(requests, replacedId);
  if (replaced !== undefined && replaced.nonce !== nonce) {
    return problem("NonceConflict", { requestId, replaces: replacedId });
  }
  return known === undefined && nonce !== undefined && requests.size >= REQUESTS_REMEMBERED_MAX
    ? problem("TooManySessions", {}, "The signer remembers as many requests as it may.")
    : undefined;
};

/**
 * Binds a request to the account nonce of its transaction, and with it the one that it replaces, which may not be signed
 * under another from now on: the writes that make it so, none for what is bound already or has no nonce.
 *
 * @param forgetAtMs Unix milliseconds; what is replaced is older, and its authorisation is no longer good then either
 */
export const bindRequest = (
  before: Requests,
  { requestId, replacedId, nonce }: NonceClaim,
  forgetAtMs: number,
) => {
  const ids = replacedId === undefined ? [requestId] : [requestId, replacedId];
  const free = nonce === undefined ? [] : ids.filter((id) => lookUp(before, id) === undefined);
  const request = { version: 1, nonce: nonce ?? 0n, forgetAtMs } as const;
  return {
    requests: free.reduce((requests, id) => put(requests, id, request), before),
    puts: free.map((id) => ({
      record: RECORDS.request.name(id),
      value: RECORDS.request.write(request),
    })),
  };
};
