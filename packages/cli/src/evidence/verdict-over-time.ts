import { createHash } from "node:crypto";
import { identitiesAt, type Roster, type RosterEvent, timesOf } from "@conclave/platform/config";
import { type Evidence, type IdentityRoster, type Verdict, verifyFault } from "@conclave/threshold";

/** An event that changed the identity of a party, or ended it. */
interface PartyEvent {
  readonly party: number;
  readonly date: string;
  readonly kind: "renewed" | "removed";
  /** SHA-256 of the evidence for which it was removed, lower-case hex: that evidence is older than the event */
  readonly evidence?: string;
}

/** Evidence, and its bytes as they were signed and stored. */
interface StoredEvidence {
  readonly evidence: Evidence;
  /** evidenceCodec of it */
  readonly bytes: Uint8Array;
}

/** The verdict on evidence, with the events of the roster that came after it. */
export interface DatedVerdict {
  readonly verdict: Verdict;
  /** that of the accused's identity: a thief of the old one can have made the evidence */
  readonly accusedSince?: PartyEvent;
  /** the removal of the accused for this very evidence, which nobody can have made since */
  readonly putOut?: PartyEvent;
  /** the next one after the session, of another of its parties */
  readonly before?: PartyEvent;
}

/** No session lasts longer: one of a later deadline was not begun by identities that had ended by then. */
const LONGEST_SESSION_MS = 24 * 60 * 60_000;
const TOO_LATE = "its session was to end long after an identity of it had been renewed or removed";

const haveSame = (parties: readonly number[], one: IdentityRoster, other: IdentityRoster): boolean =>
  [...one].every(
    ([party, { identity }]) =>
      !parties.includes(party) ||
      Buffer.compare(identity, other.get(party)?.identity ?? new Uint8Array(0)) === 0,
  );

const partyEvents = (event: RosterEvent): readonly PartyEvent[] =>
  event.kind === "renewal"
    ? [{ party: event.renewal.signer, date: event.renewal.date, kind: "renewed" }]
    : event.change.removed.map(({ index, reason }) => ({
        party: index,
        date: event.change.date,
        kind: "removed",
        ...(reason.why === "cheated" ? { evidence: reason.evidence } : {}),
      }));

/** The event that ended the accused's identity, by whether it was put out for these bytes. */
const endOf = (accused: PartyEvent | undefined, bytes: Uint8Array): Partial<DatedVerdict> => {
  if (accused === undefined) return {};
  const isForIt = accused.evidence === createHash("sha256").update(bytes).digest("hex");
  return isForIt ? { putOut: accused } : { accusedSince: accused };
};

/** Judges evidence by the identities that its parties had at one time: today's, or those before an event of the roster. */
export const verdictOverTime = (
  { evidence, bytes }: StoredEvidence,
  roster: Pick<Roster, "clusterId" | "threshold" | "signers" | "renewals" | "changes">,
): DatedVerdict => {
  const { parties, expiresAtMs } = evidence.attempt;
  const times = timesOf(roster);
  const [today = new Map(), ...earlier] = times.map(identitiesAt);
  const verdict = verifyFault(evidence, today);
  if (verdict.kind === "proven") return { verdict };
  let tried: IdentityRoster = today;
  for (const [at, identities] of earlier.entries()) {
    if (haveSame(parties, identities, tried)) continue;
    tried = identities;
    const then = verifyFault(evidence, identities);
    if (then.kind !== "proven") continue;
    const since = times
      .slice(1, at + 2)
      .flatMap(({ ended }) => (ended === undefined ? [] : [partyEvents(ended)]))
      .toReversed()
      .flat();
    const before = since.find(({ party }) => parties.some((each) => each === party));
    if (before !== undefined && expiresAtMs > Date.parse(before.date) + LONGEST_SESSION_MS) {
      return { verdict: { kind: "unproven", why: TOO_LATE } };
    }
    const ended = since.find(({ party }) => party === evidence.accused);
    return { verdict: then, ...endOf(ended, bytes), ...(before && { before }) };
  }
  return { verdict };
};
