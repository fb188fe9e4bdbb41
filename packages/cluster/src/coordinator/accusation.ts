import {
  type Attempt,
  cannotBeShown,
  type Evidence,
  type IdentityRoster,
  type PartyIndex,
  type ProvenFault,
  verifyFault,
} from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { SessionKey } from "../control/session-key.ts";

/** A session that a coordinator began: the values from which its run ids follow. */
export interface BegunSession {
  readonly key: SessionKey;
  readonly expiresAtMs: number;
  /** ascending */
  readonly parties: readonly PartyIndex[];
  /** the protocols that its runs may have; absent for any */
  readonly protocols?: readonly Attempt["protocol"][];
  /** the key of all its runs; absent when they may be of several keys, or of none */
  readonly keyId?: string;
}

/** The verdict on an accusation. */
export type Finding =
  /** anybody with the roster can repeat the check */
  | { readonly kind: "proven"; readonly verdict: ProvenFault }
  /** one of a closed list of faults that only one party sees: either of the two may lie, and nobody is blamed */
  | { readonly kind: "between-two"; readonly accused: PartyIndex }
  /** the evidence proves nothing: the reporter failed, or lies */
  | { readonly kind: "groundless" };

const isOf = (begun: BegunSession, { attempt }: Evidence): boolean =>
  bytesToHex(attempt.given) === begun.key &&
  attempt.expiresAtMs === begun.expiresAtMs &&
  (begun.protocols?.includes(attempt.protocol) ?? true) &&
  attempt.keyId === (begun.keyId ?? attempt.keyId) &&
  attempt.parties.length === begun.parties.length &&
  attempt.parties.every((party, at) => party === begun.parties[at]);

/**
 * Verifies an accusation before the coordinator acts on it. No claim of a signer suffices: only evidence of the session
 * that this coordinator began, which anybody can verify, blames a peer (INV-7). A message that an honest signer signed
 * in another session, at another time or with other peers, is no evidence here.
 *
 * @param reporter a party of the session
 */
export const judgeAccusation = (
  roster: IdentityRoster,
  begun: BegunSession,
  reporter: PartyIndex,
  evidence: Evidence,
): Finding => {
  const { accused, check } = evidence;
  if (!begun.parties.includes(accused) || !isOf(begun, evidence)) return { kind: "groundless" };
  if (cannotBeShown(check)) {
    return accused === reporter ? { kind: "groundless" } : { kind: "between-two", accused };
  }
  const verdict = verifyFault(evidence, roster);
  return verdict.kind === "proven" ? { kind: "proven", verdict } : { kind: "groundless" };
};
