import { type AuthorisedSigning, type Problem, problem } from "@conclave/custody";
import { REQUESTS_REMEMBERED_MAX } from "./limits.ts";
import { lookUp, put } from "./persistent-map.ts";
import { RECORDS } from "./record.ts";
import type { SignerState } from "./state.ts";

type Requests = SignerState["requests"];

/**
 * Why a request may not be signed with this nonce (INV-4); undefined when it may.
 *
 * @param nonce the account nonce of its transaction; undefined when it is none
 */
export const nonceConflict = (
  { requests }: Pick<SignerState, "requests">,
  requestId: string,
  nonce: bigint | undefined,
): Problem | undefined => {
  const known = lookUp(requests, requestId);
  if (known !== undefined) return known.nonce === nonce ? undefined : problem("NonceConflict", { requestId });
  return nonce !== undefined && requests.size >= REQUESTS_REMEMBERED_MAX
    ? problem("TooManySessions", {}, "The signer remembers as many requests as it may.")
    : undefined;
};

/**
 * Why a request may not take another's place with this nonce; undefined when it may. A replacement has the account nonce
 * of what it replaces, so that only one of them can land (INV-4); a signer that remembers that one knows its nonce,
 * whatever the authorisation says.
 */
export const replacementConflict = (
  { requests }: Pick<SignerState, "requests">,
  request: AuthorisedSigning,
  nonce: bigint | undefined,
): Problem | undefined => {
  if (request.kind !== "transaction" || request.replaces === undefined) return undefined;
  const { requestId } = request.replaces;
  const replaced = lookUp(requests, requestId);
  return replaced === undefined || replaced.nonce === nonce
    ? undefined
    : problem("NonceConflict", { requestId: request.requestId, replaces: requestId });
};

/**
 * Binds a request to the account nonce of its transaction: the writes that make it so, none when it is bound already or
 * has no nonce.
 *
 * @param forgetAtMs Unix milliseconds
 */
export const bindRequest = (
  requests: Requests,
  requestId: string,
  nonce: bigint | undefined,
  forgetAtMs: number,
) => {
  if (nonce === undefined || lookUp(requests, requestId) !== undefined) return { requests, puts: [] };
  const request = { version: 1, nonce, forgetAtMs } as const;
  const record = RECORDS.request.name(requestId);
  return {
    requests: put(requests, requestId, request),
    puts: [{ record, value: RECORDS.request.write(request) }],
  };
};
