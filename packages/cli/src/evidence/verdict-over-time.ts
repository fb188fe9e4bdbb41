import { identitiesOverTime } from "@conclave/cluster";
import { membersOf, type Roster } from "@conclave/platform/config";
import { type Evidence, type Verdict, verifyFault } from "@conclave/threshold";

/** The verdict on evidence, with the renewal before which it was so, where an identity of it was renewed since. */
export interface DatedVerdict {
  readonly verdict: Verdict;
  readonly before?: { readonly signer: number; readonly date: string };
}

/** Judges evidence by the identities that the signers had at its time: today's, or those before one of the roster's renewals. */
export const verdictOverTime = (
  evidence: Evidence,
  roster: Pick<Roster, "signers" | "renewals">,
): DatedVerdict => {
  const [today = new Map(), ...earlier] = identitiesOverTime(membersOf(roster));
  const verdict = verifyFault(evidence, today);
  if (verdict.kind === "proven") return { verdict };
  for (const [at, identities] of earlier.entries()) {
    const then = verifyFault(evidence, identities);
    const before = roster.renewals?.at(-1 - at);
    if (then.kind === "proven" && before !== undefined) return { verdict: then, before };
  }
  return { verdict };
};
