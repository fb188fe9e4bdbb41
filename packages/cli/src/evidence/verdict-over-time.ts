import { createHash } from "node:crypto";
import { identitiesAt, type Roster, type RosterEvent, timesOf } from "@conclave/platform/config";
import { type Evidence, type IdentityRoster, type Verdict, verifyFault } from "@conclave/threshold";

/** An event that changed the identity of a party, or ended it. */
interface PartyEvent {
  readonly party: number;
  readonly date: string;
  readonly kind: "renewed" | "removed";
  /** SHA-256, lower-case hex, of the evidence for which the party was removed: that evidence is older than the event */
  readonly evidence?: string;
}

/** Evidence, and its bytes as they were signed and stored. */
interface StoredEvidence {
  readonly evidence: Evidence;
  /** encoded by evidenceCodec */
  readonly bytes: Uint8Array;
}

/** The verdict on evidence, with later events of the roster that weaken or support it. */
export interface DatedVerdict {
  readonly verdict: Verdict;
  /** the end of the accused's identity: a thief of the old key can have made the evidence */
  readonly accusedSince?: PartyEvent;
  /** the removal of the accused because of this very evidence, which is therefore older */
  readonly putOut?: PartyEvent;
  /** the first event after the session that ended the identity of any of its parties */
  readonly before?: PartyEvent;
}

/**
 * The longest session. A session whose deadline is further than this beyond the end of an identity began after that end.
 */
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

/** The event that ended the accused's identity, under `putOut` if this evidence was the reason. */
const endOf = (accused: PartyEvent | undefined, bytes: Uint8Array): Partial<DatedVerdict> => {
  if (accused === undefined) return {};
  const isForIt = accused.evidence === createHash("sha256").update(bytes).digest("hex");
  return isForIt ? { putOut: accused } : { accusedSince: accused };
};

/** Judges evidence by the identities that its parties had at one time: today, or before an event of the roster. */
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
