import { MOST_CLUSTER_SIGNERS } from "@conclave/custody";
import {
  holdersOf,
  lastEventBytes,
  type RemovalReason,
  ROSTER_CHANGES_MAX,
  type Roster,
  type RosterChange,
  timesOf,
} from "@conclave/platform/config";
import { LaunchError } from "../launch-error.ts";
import { CLUSTER_SIGNERS_MAX, CLUSTER_SIGNERS_MIN } from "../options.ts";

type RosterSigner = Roster["signers"][number];

/** A signer that is removed at once, without moving its shares first. */
export interface PutOut {
  readonly id: string;
  readonly reason: Exclude<RemovalReason, { readonly why: "left" }>;
}

/** The change of a roster that an operator requests. */
export interface WantedRoster {
  /** number of new signers */
  readonly add: number;
  /** ids of signers that leave once no key needs them */
  readonly remove: readonly string[];
  readonly putOut: readonly PutOut[];
  /** the new t; undefined keeps the present one */
  readonly threshold?: number | undefined;
}

/** A change that is possible, with signers as indices. */
export interface RosterPlan {
  readonly added: readonly number[];
  readonly putOut: readonly (readonly [signer: RosterSigner, reason: RemovalReason])[];
  readonly threshold: number;
  readonly change: NonNullable<Roster["change"]>;
}

/** Signers that together hold keys, and how many of them it takes to use or move a key. */
interface Holders {
  readonly threshold: number;
  readonly indices: readonly number[];
  /** false for the signers to which keys are being moved, which may not hold any yet */
  readonly holdKeys: boolean;
}

const indicesOf = (signers: readonly { readonly index: number }[]): readonly number[] =>
  signers.map(({ index }) => index);

/**
 * Every set of signers that may hold keys: today's and, during a change, those at its beginning and after each of its
 * steps.
 */
const holdersOfAllKeys = (roster: Roster): readonly Holders[] => {
  const { change, changes = [], threshold: t } = roster;
  const today = { threshold: t, indices: indicesOf(holdersOf(roster)), holdKeys: change === undefined };
  if (change === undefined) return [today];
  const { since = changes.length - 1, leaving } = change;
  const earlier = timesOf(roster).flatMap(({ ended, signers, threshold }) => {
    if (ended?.kind !== "change" || ended.at < since) return [];
    const indices = indicesOf(signers);
    if (ended.at === since) return [{ threshold, indices, holdKeys: true }];
    return [{ threshold, indices: indices.filter((at) => !leaving.includes(at)), holdKeys: false }];
  });
  return [today, ...earlier];
};

const refuse = (message: string, remedy: string): never => {
  throw new LaunchError(message, remedy);
};

const isNothing = ({ add, remove, putOut, threshold }: WantedRoster, roster: Roster): boolean =>
  add === 0 &&
  remove.length === 0 &&
  putOut.length === 0 &&
  (threshold === undefined || threshold === roster.threshold);

/** The signer with an id. Throws a LaunchError if there is none. */
const namedIn = ({ signers }: Roster, id: string): RosterSigner =>
  signers.find((signer) => signer.id === id) ??
  refuse(`there is no signer ${id}`, `There are ${signers.map((signer) => signer.id).join(", ")}.`);

const checkNamedOnce = ({ remove, putOut }: WantedRoster): void => {
  const ids = [...remove, ...putOut.map(({ id }) => id)];
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) refuse(`${twice} is named twice`, "Name each signer once.");
};

const mustFollow = (roster: Roster, { add, remove, putOut }: WantedRoster): void => {
  if (roster.change === undefined) return;
  if (add === 0 && remove.length === 0 && putOut.length > 0) return;
  refuse(
    "a change of the roster is under way",
    "`conclave roster change` without options takes it up. Until its end signers can only be put out (--lost, --cheated).",
  );
};

/** The indices of new signers. An index is never reused, because old shares and evidence refer to it. */
const freshIndices = ({ signers, changes = [] }: Roster, add: number): readonly number[] => {
  const last = Math.max(...indicesOf([...signers, ...changes.flatMap(({ removed }) => removed)]));
  if (last + add > MOST_CLUSTER_SIGNERS) {
    refuse(
      `a cluster has ${MOST_CLUSTER_SIGNERS} signers in its whole life, and ${last} were there`,
      "Provision a new cluster, and move the funds there.",
    );
  }
  const added = Array.from({ length: add }, (_, position) => last + 1 + position);
  const taken = signers.find(({ id }) => added.some((index) => id === `signer-${index}`));
  if (taken !== undefined) {
    refuse(`a new signer would be called ${taken.id}, as another is`, "Let that one leave first.");
  }
  return added;
};

const checkCounts = (listed: number, holders: number, threshold: number): void => {
  if (listed > CLUSTER_SIGNERS_MAX) {
    refuse(
      `a cluster has at most ${CLUSTER_SIGNERS_MAX} signers, not ${listed}`,
      "Add fewer; those that leave count until the change is done, so let them leave in a change before.",
    );
  }
  if (holders < CLUSTER_SIGNERS_MIN) {
    refuse(`a cluster has at least ${CLUSTER_SIGNERS_MIN} signers, not ${holders}`, "Add some with --add.");
  }
  if (threshold < CLUSTER_SIGNERS_MIN || threshold > holders) {
    refuse(
      `the threshold of ${holders} signers is ${CLUSTER_SIGNERS_MIN} to ${holders}, not ${threshold}`,
      "Give --threshold a number in that range.",
    );
  }
};

/**
 * Refuses a change that leaves fewer holders of any keys than their threshold: nobody could move or use those keys. While
 * keys are being moved, a lost signer among the receivers is allowed, because the keys that it did not receive yet can
 * still be moved.
 */
const checkMovable = (roster: Roster, putOut: RosterPlan["putOut"]): void => {
  for (const { threshold, indices, holdKeys } of holdersOfAllKeys(roster)) {
    const out = putOut.flatMap(([{ index }, { why }]) => (holdKeys || why === "cheated" ? [index] : []));
    const left = roster.signers.filter(({ index }) => indices.includes(index) && !out.includes(index)).length;
    if (left >= threshold || out.length === 0) continue;
    refuse(
      `${left} signers would be left that hold keys of which ${threshold} signers are needed: nobody could ever move or use these keys`,
      "Restore the folder of a lost signer from its backup. Put fewer signers out: first those that are lost, the others once the keys are moved.",
    );
  }
};

const EVIDENCE = /^[0-9a-f]{64}$/;

/** Throws a LaunchError if the roster's history has no room for this change and its end. */
const checkHistory = ({ changes = [] }: Roster, leaving: readonly number[]): void => {
  const needed = leaving.length > 0 ? 2 : 1;
  if (changes.length + needed <= ROSTER_CHANGES_MAX) return;
  refuse(
    `the roster keeps at most ${ROSTER_CHANGES_MAX} changes, and has ${changes.length}`,
    "Provision a new cluster, and move the funds there.",
  );
};

/**
 * Decides whether a roster can be changed as requested. Throws a LaunchError with the reason if it cannot.
 *
 * @returns the indices of new signers, and the signers that go
 */
export const planRosterChange = (roster: Roster, wanted: WantedRoster): RosterPlan => {
  if (isNothing(wanted, roster)) {
    refuse(
      "the roster is as it is asked for, and no change is asked for",
      "Give --add, --remove, --lost, --cheated or --threshold.",
    );
  }
  mustFollow(roster, wanted);
  checkNamedOnce(wanted);
  const putOut = wanted.putOut.map(({ id, reason }) => {
    if (reason.why === "cheated" && !EVIDENCE.test(reason.evidence)) {
      refuse(`the evidence against ${id} is no SHA-256`, "Name the file of `conclave faults export`.");
    }
    return [namedIn(roster, id), reason] as const;
  });
  const out = putOut.map(([{ index }]) => index);
  const added = freshIndices(roster, wanted.add);
  const { threshold = roster.threshold } = wanted;
  const removed = wanted.remove.map((id) => namedIn(roster, id).index);
  const leaving = [...(roster.change?.leaving ?? []), ...removed]
    .filter((index) => !out.includes(index))
    .sort((one, other) => one - other);
  const listed = roster.signers.length - out.length + added.length;
  checkMovable(roster, putOut);
  checkCounts(listed, listed - leaving.length, threshold);
  checkHistory(roster, leaving);
  const { change, changes = [] } = roster;
  const begun = change === undefined ? changes.length : (change.since ?? changes.length - 1);
  return {
    added,
    putOut,
    threshold,
    change: {
      threshold: Math.min(roster.threshold, change?.threshold ?? roster.threshold),
      leaving,
      since: begun,
    },
  };
};

/** Signs bytes with the authority's key; lower-case hex. */
export type SignEvent = (bytes: Uint8Array) => string;

type Removed = readonly (readonly [signer: RosterSigner, reason: RemovalReason])[];

/** The roster with a further change in its history, signed by the authority. */
const withChange = (
  before: Roster,
  now: Pick<Roster, "signers" | "threshold" | "change">,
  { added, removed, date }: { added: readonly number[]; removed: Removed; date: Date },
  sign: SignEvent,
): Roster => {
  const entry: RosterChange = {
    renewals: before.renewals?.length ?? 0,
    threshold: before.threshold,
    added: [...added],
    removed: removed.map(([{ index, id, identityKey }, reason]) => ({ index, id, identityKey, reason })),
    date: date.toISOString(),
    signature: "",
  };
  const earlier = before.changes ?? [];
  const unsigned = { ...before, ...now, changes: [...earlier, entry] };
  const signature = sign(lastEventBytes(unsigned));
  return { ...unsigned, changes: [...earlier, { ...entry, signature }] };
};

/**
 * The roster during its change, by which keys are moved.
 *
 * @param made the signers that the plan adds, by index, ascending
 */
export const rosterUnderWay = (
  roster: Roster,
  plan: RosterPlan,
  made: readonly RosterSigner[],
  date: Date,
  sign: SignEvent,
): Roster => {
  const out = plan.putOut.map(([signer]) => signer);
  const signers = [...roster.signers.filter((signer) => !out.includes(signer)), ...made];
  const { added, threshold, change, putOut: removed } = plan;
  return withChange(roster, { signers, threshold, change }, { added, removed, date }, sign);
};

/** The roster after all keys were moved, without the signers that leave. Throws a LaunchError if no change is under way. */
export const rosterDone = (roster: Roster, date: Date, sign: SignEvent): Roster => {
  const { change, ...rest } = roster;
  if (change === undefined) {
    return refuse("no change of the roster is under way", "`conclave roster change` begins one.");
  }
  const signers = [...holdersOf(roster)];
  if (change.leaving.length === 0) return rest;
  const left = roster.signers.filter((signer) => !signers.includes(signer));
  const removed = left.map((signer) => [signer, { why: "left" }] as const);
  const now = { signers, threshold: roster.threshold, change: undefined };
  return withChange(roster, now, { added: [], removed, date }, sign);
};
