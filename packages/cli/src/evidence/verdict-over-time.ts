import { identitiesOverTime } from "@conclave/cluster";
import { type IdentityRenewal, membersOf, type Roster } from "@conclave/platform/config";
import { type Evidence, type IdentityRoster, type Verdict, verifyFault } from "@conclave/threshold";

/** The verdict on evidence, with the renewals that came after it. */
export interface DatedVerdict {
  readonly verdict: Verdict;
  /** that of the accused's identity: a thief of the old one can have made the evidence */
  readonly accusedRenewed?: IdentityRenewal;
  /** the next renewal after the session, of another of its parties */
  readonly before?: IdentityRenewal;
}

/** No session lasts longer: one of a later deadline was not begun by identities that had been renewed by then. */
const LONGEST_SESSION_MS = 24 * 60 * 60_000;
const TOO_LATE = "its session was to end long after an identity of it had been renewed";

const haveSame = (parties: readonly number[], one: IdentityRoster, other: IdentityRoster): boolean =>
  [...one].every(
    ([party, { identity }]) =>
      !parties.includes(party) || Buffer.compare(identity, other.get(party)?.identity ?? identity) === 0,
  );

/** Judges evidence by the identities that its parties had at one time: today's, or those before one of the roster's renewals. */
export const verdictOverTime = (
  evidence: Evidence,
  roster: Pick<Roster, "signers" | "renewals">,
): DatedVerdict => {
  const { renewals = [] } = roster;
  const { parties, expiresAtMs } = evidence.attempt;
  const [today = new Map(), ...earlier] = identitiesOverTime(membersOf(roster));
  const verdict = verifyFault(evidence, today);
  if (verdict.kind === "proven") return { verdict };
  let tried: IdentityRoster = today;
  for (const [at, identities] of earlier.entries()) {
    if (haveSame(parties, identities, tried)) continue;
    tried = identities;
    const then = verifyFault(evidence, identities);
    if (then.kind !== "proven") continue;
    const since = renewals.slice(renewals.length - 1 - at);
    const before = since.find(({ signer }) => parties.some((party) => party === signer));
    if (before !== undefined && expiresAtMs > Date.parse(before.date) + LONGEST_SESSION_MS) {
      return { verdict: { kind: "unproven", why: TOO_LATE } };
    }
    const accusedRenewed = since.find(({ signer }) => signer === evidence.accused);
    return { verdict: then, ...(accusedRenewed && { accusedRenewed }), ...(before && { before }) };
  }
  return { verdict };
};
