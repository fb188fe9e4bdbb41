import { clusterOf } from "@conclave/cluster";
import { type IdentityRoster, partyIndex, verifyEd25519 } from "@conclave/threshold";
import type { IdentityRenewal } from "./identity-renewals.ts";
import type { RosterChange } from "./roster-changes.ts";

/** A signer as the roster's history records it. */
export interface PastSigner {
  readonly index: number;
  readonly id: string;
  /** lower-case hex */
  readonly identityKey: string;
}

/** The parts of a roster from which its history is read. */
export interface DatedRoster {
  readonly clusterId: string;
  readonly threshold: number;
  readonly signers: readonly PastSigner[];
  /** in order of time */
  readonly renewals?: readonly IdentityRenewal[] | undefined;
  readonly changes?: readonly RosterChange[] | undefined;
}

/** The roster event that ended a period: a renewal or a change. */
export type RosterEvent =
  | { readonly kind: "renewal"; readonly at: number; readonly renewal: IdentityRenewal }
  | { readonly kind: "change"; readonly at: number; readonly change: RosterChange };

/** A period of the cluster: its signers and its threshold from one roster event to the next. */
export interface RosterTime {
  readonly threshold: number;
  /** by index, ascending */
  readonly signers: readonly PastSigner[];
  /** undefined for the current period */
  readonly ended: RosterEvent | undefined;
}

/** All events of a roster, in order of time. */
const eventsOf = ({
  renewals = [],
  changes = [],
}: Pick<DatedRoster, "renewals" | "changes">): readonly RosterEvent[] => {
  const events: RosterEvent[] = [];
  const changed = changes.map((change, at) => ({ kind: "change", at, change }) as const);
  for (let made = 0; made <= renewals.length; made += 1) {
    events.push(...changed.filter(({ change }) => change.renewals === made));
    const renewal = renewals[made];
    if (renewal !== undefined) events.push({ kind: "renewal", at: made, renewal });
  }
  return events;
};

const before = ({ threshold, signers }: RosterTime, event: RosterEvent): RosterTime => {
  if (event.kind === "renewal") {
    const { signer: index, identityKey } = event.renewal;
    const were = signers.map((signer) => (signer.index === index ? { ...signer, identityKey } : signer));
    return { threshold, signers: were, ended: event };
  }
  const { added, removed, threshold: was } = event.change;
  const stayed = signers.filter(({ index }) => !added.includes(index));
  const left = removed.map(({ index, id, identityKey }) => ({ index, id, identityKey }));
  const were = [...stayed, ...left].sort((one, other) => one.index - other.index);
  return { threshold: was, signers: were, ended: event };
};

/** All periods of the cluster: the current one first, then the one before the last event, and so on. */
export const timesOf = (roster: DatedRoster): readonly RosterTime[] => {
  const today = roster.signers.map(({ index, id, identityKey }) => ({ index, id, identityKey }));
  const times: RosterTime[] = [{ threshold: roster.threshold, signers: today, ended: undefined }];
  let time = times[0];
  for (const event of eventsOf(roster).toReversed()) {
    if (time === undefined) return times;
    time = before(time, event);
    times.push(time);
  }
  return times;
};

/**
 * The lowest number of current signers that remember a signature, if it was made: fewer than t if some of its signers
 * have left since, or have a new identity, whose store began empty.
 *
 * @param lowestThreshold the lowest t of any key of the roster
 * @param since Unix milliseconds. `anyMs`: nothing that is still signed was asked for earlier; `thisMs`: the request in
 * question was not asked for earlier. Changes count from `anyMs`, because a change is dated by its beginning, and keys
 * that it has not moved yet keep signing by the old threshold
 */
export const leastSigned = (
  roster: DatedRoster,
  since: { readonly anyMs: number; readonly thisMs: number },
  lowestThreshold: number,
): number => {
  const today = new Map(roster.signers.map(({ index, identityKey }) => [index, identityKey]));
  const isGone = ({ index, identityKey }: PastSigner): boolean => today.get(index) !== identityKey;
  const isLate = (event: RosterEvent): boolean =>
    dateOf(event) >= (event.kind === "renewal" ? since.thisMs : since.anyMs);
  const lately = timesOf(roster).filter(({ ended }) => ended === undefined || isLate(ended));
  const left = lately.map(({ threshold, signers }) => threshold - signers.filter(isGone).length);
  return Math.max(1, Math.min(lowestThreshold, ...left));
};

const dateOf = (event: RosterEvent): number =>
  Date.parse(event.kind === "renewal" ? event.renewal.date : event.change.date);

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));

/** The identities of a period, by party index. */
export const identitiesAt = ({ signers }: Pick<RosterTime, "signers">): IdentityRoster =>
  new Map(
    signers.flatMap(({ index, identityKey }) => {
      const party = partyIndex(index);
      return party === undefined ? [] : [[party, { identity: bytes(identityKey) }] as const];
    }),
  );

/** The identities of a cluster before each event of its roster, the latest first. */
export const pastIdentities = (roster: DatedRoster): readonly IdentityRoster[] =>
  timesOf(roster).slice(1).map(identitiesAt);

interface Step {
  readonly cluster: string;
  readonly from: RosterTime;
  readonly to: RosterTime;
}

/**
 * The bytes that the authority signs for an event: JSON text. They name all identities before and after it, so that
 * nobody can remove an event from a roster, swap two, or use one in another cluster.
 */
const eventBytes = (event: RosterEvent, { cluster, from, to }: Step): Uint8Array => {
  const [then, now] = [from, to].map((time) => clusterOf(identitiesAt(time)));
  const chain = { before: then, after: now };
  const fields =
    event.kind === "renewal"
      ? {
          kind: "conclave/v1/identity-renewal",
          cluster,
          renewal: event.at,
          signer: event.renewal.signer,
          ...chain,
          date: event.renewal.date,
        }
      : {
          kind: "conclave/v1/roster-change",
          cluster,
          change: event.at,
          ...chain,
          thresholdBefore: from.threshold,
          threshold: to.threshold,
          added: event.change.added,
          removed: event.change.removed.map(({ index, id, identityKey, reason }) => ({
            index,
            id,
            identityKey,
            why: reason.why,
            ...(reason.why === "cheated" ? { evidence: reason.evidence } : {}),
          })),
          date: event.change.date,
        };
  return new Uint8Array(Buffer.from(JSON.stringify(fields), "utf8"));
};

/** Each event with the bytes that the authority signs for it, in order of time. */
const signedEvents = (
  roster: DatedRoster,
): readonly { readonly event: RosterEvent; readonly signed: Uint8Array }[] => {
  const times = timesOf(roster).toReversed();
  return times.flatMap((from, at) => {
    const [event, to] = [from.ended, times[at + 1]];
    if (event === undefined || to === undefined) return [];
    return [{ event, signed: eventBytes(event, { cluster: roster.clusterId, from, to }) }];
  });
};

/**
 * The bytes that the authority signs for the last event of a roster; its current signature does not matter.
 *
 * @throws if the roster has no history, which is a bug of the caller
 */
export const lastEventBytes = (roster: DatedRoster): Uint8Array => {
  const last = signedEvents(roster).at(-1);
  if (last === undefined) throw new Error("the roster has no history");
  return last.signed;
};

/** Whether no index and no identity was ever used twice, and each event is a possible one. */
const isConsistent = (roster: DatedRoster): boolean => {
  const { renewals = [], changes = [] } = roster;
  const removed = changes.flatMap((change) => change.removed);
  const identities = [...roster.signers, ...renewals, ...removed].map(({ identityKey }) => identityKey);
  const indices = [...roster.signers, ...removed].map(({ index }) => String(index));
  if ([identities, indices].some((column) => new Set(column).size !== column.length)) return false;
  const isOrdered = changes.every(
    (change, at) => change.renewals <= renewals.length && change.renewals >= (changes[at - 1]?.renewals ?? 0),
  );
  if (!isOrdered) return false;
  const times = timesOf(roster);
  return times.every(({ ended, signers, threshold }, at) => {
    const isFit = signers.length >= 2 && threshold <= signers.length;
    const after = times[at - 1];
    if (ended === undefined || after === undefined) return isFit;
    const is = (index: number): boolean => after.signers.some((signer) => signer.index === index);
    return isFit && (ended.kind === "renewal" ? is(ended.renewal.signer) : ended.change.added.every(is));
  });
};

/** Whether the authority signed each renewal and each change, and no index and no identity was ever used twice. */
export const isHistorySigned = (roster: DatedRoster & { readonly authorityKey: string }): boolean => {
  if (!isConsistent(roster)) return false;
  const authority = bytes(roster.authorityKey);
  return signedEvents(roster).every(({ event, signed }) => {
    const { signature } = event.kind === "renewal" ? event.renewal : event.change;
    return verifyEd25519(bytes(signature), signed, authority);
  });
};
