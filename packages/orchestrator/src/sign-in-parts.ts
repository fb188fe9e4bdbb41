import type { ReadyPresignature, SignablePart, SigningResult } from "@conclave/cluster";
import { type SchemeSignature, SIGNABLES_PER_SESSION_MAX, type Signable } from "@conclave/custody";
import type { CoordinationOutcome } from "@conclave/platform/coordination";
import type { SignedParts } from "./signed-parts.ts";
import type { SigningRequest } from "./signing-port.ts";

/**
 * Limit on the ECDSA signables of one session that makes its own presignatures: each takes a quorum a second or two,
 * and the session has 20 s.
 */
const INTERACTIVE_MAX = 4;

/** The part of a request that one session signs. */
export interface PartOfRequest extends SigningRequest {
  /** the signables of this part; undefined for all */
  readonly part: SignablePart | undefined;
}

/** The size of the largest set of presignatures with the same signers. */
const mostOfOneSet = (presignatures: readonly ReadyPresignature[]): number => {
  const counts = new Map<string, number>();
  for (const { signers } of presignatures) {
    const set = signers.join();
    counts.set(set, (counts.get(set) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
};

/** Returns how many of these signables one session signs, counted from the first. */
const countOfPart = (signables: readonly Signable[], presignatures: readonly ReadyPresignature[]): number => {
  const most = Math.min(signables.length, SIGNABLES_PER_SESSION_MAX);
  if (signables.every(({ scheme }) => scheme !== "CGGMP24")) return most;
  if (most <= INTERACTIVE_MAX) return most;
  const pooled = mostOfOneSet(presignatures);
  return Math.min(most, pooled > 0 ? pooled : INTERACTIVE_MAX);
};

/**
 * The part of a request for one session. Each signature is verified as it comes, so a lying signer costs one session,
 * and not the earlier ones.
 */
const partOf = (request: SigningRequest, from: number, count: number): PartOfRequest => {
  if (from === 0 && count === request.signables.length) return { ...request, part: undefined };
  const signables = request.signables.slice(from, from + count);
  return {
    ...request,
    signables,
    part: { from, count },
    isSigned: (signatures) =>
      signatures.length === signables.length &&
      signables.every((signable, at) => {
        const signature = signatures[at];
        return signature !== undefined && request.isOneSigned(signable, signature);
      }),
  };
};

/**
 * Signs a request in as many sessions as needed, one after the other. Each signs some of the signables of the one
 * transaction: the first session binds the request to it at the signers, and in the others they sign nothing else for
 * the request (INV-4).
 *
 * A signature of some inputs is useless alone, as it commits to the whole transaction. When a part fails, the earlier
 * parts are kept, and the next call for the same bytes continues after them.
 * @param offered the presignatures that the next session may use
 * @param sign has one part signed
 * @param parts keeps signatures until all are there
 * @returns all signatures in order; or the outcome of the first part that failed
 */
export const signInParts = async (
  request: SigningRequest,
  offered: () => readonly ReadyPresignature[],
  sign: (part: PartOfRequest) => Promise<CoordinationOutcome<SigningResult>>,
  parts: SignedParts,
): Promise<CoordinationOutcome<SigningResult>> => {
  const signatures: SchemeSignature[] = [...parts.of(request)];
  let attempts = 0;
  for (;;) {
    const left = request.signables.slice(signatures.length);
    const outcome = await sign(partOf(request, signatures.length, countOfPart(left, offered())));
    if (outcome.kind !== "done") return outcome;
    const { value } = outcome;
    signatures.push(...value.signatures);
    attempts += value.attempts;
    if (signatures.length >= request.signables.length || value.signatures.length === 0) {
      parts.forget(request);
      return { kind: "done", value: { ...value, signatures, attempts } };
    }
    parts.keep(request, [...signatures]);
  }
};
