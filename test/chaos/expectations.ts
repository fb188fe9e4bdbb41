import type { ChaosPlan, FaultOutcome, InjectedFault } from "@conclave/chaos";
import type { Expectations, Span } from "./check/finding.ts";

/** The networks whose blocks a fault undoes: a node that is killed starts again with an earlier state. */
const takesBack = (fault: InjectedFault): readonly string[] => {
  if (fault.kind === "chain" && fault.failure.kind === "reorganise") return [fault.network];
  if (fault.kind !== "kill") return [];
  return fault.places.flatMap((place) => (place.kind === "node" ? [place.network] : []));
};

/**
 * Whether a fault disturbs publishing: an orchestrator publishes a failed message again, so that it comes
 * late.
 */
const isOfPublishing = (fault: InjectedFault): boolean => {
  switch (fault.kind) {
    case "kill":
    case "stop":
    case "pause":
      return fault.places.some(({ kind }) => kind === "bus" || kind === "database");
    case "link":
      return [fault.from, fault.to].some(({ kind }) => kind === "bus");
    case "bus":
      return true;
    default:
      return false;
  }
};

/**
 * The longest time from the moment of which a copy is wanted until the bus runs with it: copies are made once
 * a second, and later on a busy machine.
 */
const RESTORING_MS = 15_000;

/** The part of its store that the bus loses to a fault that was in effect at a time. */
const lostTo = (fault: InjectedFault, atMs: number): readonly Span[] => {
  if (fault.kind !== "bus") return [];
  switch (fault.failure.kind) {
    case "repeats":
      return [];
    case "forgets":
      return [{ fromMs: 0, untilMs: atMs }];
    case "goes back": {
      const isMade = Number.isFinite(atMs);
      return [{ fromMs: isMade ? atMs - fault.failure.byMs - RESTORING_MS : 0, untilMs: atMs }];
    }
  }
};

/** A span in which the database's clock was ahead of the others by `byMs`; below 0 where it was behind. */
interface MovedSpan extends Span {
  readonly byMs: number;
}

/** All of time, split at each moment at which the database's clock was set. */
const databaseTimes = (happened: readonly Happened[]): readonly MovedSpan[] => {
  const moves = happened.flatMap(({ fault, atMs, untilMs }) =>
    fault.kind === "clock" && fault.place.kind === "database"
      ? [{ fromMs: atMs, untilMs, byMs: fault.byMs }]
      : [],
  );
  const ends = [
    ...new Set([0, ...moves.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]), Number.POSITIVE_INFINITY]),
  ];
  ends.sort((one, other) => one - other);
  return ends.slice(1).map((untilMs, at) => {
    const fromMs = ends[at] ?? 0;
    const holding = moves.filter((move) => move.fromMs <= fromMs && untilMs <= move.untilMs);
    return { fromMs, untilMs, byMs: holding.reduce((sum, { byMs }) => sum + byMs, 0) };
  });
};

/**
 * The dates that the database gives to a span. A second or two around each change of its clock may have the
 * date of before or of after the change.
 */
const byDatabase = ({ fromMs, untilMs }: Span, times: readonly MovedSpan[]): readonly Span[] =>
  times.flatMap((time) => {
    const [first, last] = [
      Math.max(fromMs, time.fromMs === 0 ? 0 : time.fromMs - SETTLING_MS),
      Math.min(untilMs, time.untilMs + SETTLING_MS),
    ];
    return first > last ? [] : [{ fromMs: first + time.byMs, untilMs: last + time.byMs }];
  });

/** Lies that name nobody: the liar falls silent before anything proves them, or only the receiver of a seal can tell (decision 051). */
const NAMES_NOBODY = /commitment$|share$/;

/**
 * Margins around a fault: until the injector notes its beginning, and until the parts that it stopped work
 * again.
 */
const SETTLING_MS = 1_000;
const RECOVERING_MS = 5_000;

/**
 * Whether a fault may keep a signer's report from the record: the report goes from signer to orchestrator to
 * database.
 */
const isOfReporting = (fault: InjectedFault): boolean => {
  switch (fault.kind) {
    case "kill":
    case "stop":
    case "pause":
      return fault.places.some(({ kind }) => kind !== "gateway" && kind !== "bus" && kind !== "node");
    case "link":
    case "disk":
    case "store":
    case "clock":
      return true;
    case "lie":
    case "bus":
    case "chain":
      return false;
  }
};

/** Signers whose stores a fault changes. */
const changesStoreOf = (fault: InjectedFault): readonly number[] =>
  fault.kind === "store" ? [fault.signer] : [];

/** Signers whose store went back and lost no entry. A signer whose store lost one gets new shares instead. */
const wentBack = (all: readonly InjectedFault[]): readonly number[] => {
  const changed = (kind: "loses" | "goes back"): readonly number[] =>
    all.flatMap((fault) => (fault.kind === "store" && fault.change.kind === kind ? [fault.signer] : []));
  const lost = changed("loses");
  return changed("goes back").filter((signer) => !lost.includes(signer));
};

/**
 * A fault that was made, perhaps only in part, so that its beginning is unknown. Times are Unix milliseconds.
 */
interface Happened {
  readonly fault: InjectedFault;
  readonly start: ChaosPlan["faults"][number]["start"];
  readonly atMs: number;
  readonly untilMs: number;
}

/** Whether a fault by itself may keep a caller waiting: it is of the database, of a way to it, or of all gateways at once. */
const isOfAnswering = (fault: InjectedFault, gateways: number): boolean => {
  switch (fault.kind) {
    case "kill":
    case "stop":
    case "pause":
      return (
        fault.places.some(({ kind }) => kind === "database") ||
        fault.places.filter(({ kind }) => kind === "gateway").length >= gateways
      );
    case "link":
    case "clock":
      return true;
    case "disk":
    case "store":
    case "lie":
    case "bus":
    case "chain":
      return false;
  }
};

/** When another organisation asked for all that it may. */
const overloading = ({ fault, atMs, untilMs }: Happened): readonly Span[] =>
  isOverload(fault) && Number.isFinite(atMs) ? [{ fromMs: atMs, untilMs }] : [];

const isOverload = (fault: InjectedFault): boolean =>
  fault.kind === "chain" && fault.failure.kind === "overload";

/**
 * The deviations from a quiet run that the faults of a plan allow. A fault whose moment never came allows nothing.
 * @param outcomes one for each fault, in the order of the plan
 * @param beganAtMs of the load, in Unix milliseconds
 */
export const expectationsOf = (
  { faults, gateways, orchestrators }: ChaosPlan,
  outcomes: readonly FaultOutcome[],
  beganAtMs: number,
): Partial<Expectations> => {
  const happened = faults.flatMap(({ fault, start }, at): readonly Happened[] => {
    const { beganMs, trouble } = outcomes[at] ?? {};
    // a fault that could not be made has perhaps been made in part
    const atMs = beganMs ?? (trouble === undefined ? undefined : Number.POSITIVE_INFINITY);
    const untilMs = beganAtMs + (outcomes[at]?.healedMs ?? Number.POSITIVE_INFINITY);
    return atMs === undefined ? [] : [{ fault, start, atMs: beganAtMs + atMs, untilMs }];
  });
  const all = happened.map(({ fault }) => fault);
  const times = databaseTimes(happened);
  const provable = all.flatMap((fault) =>
    fault.kind === "lie" && !NAMES_NOBODY.test(fault.message) ? [fault.signer] : [],
  );
  const liars = all.flatMap((fault) => (fault.kind === "lie" ? [fault.signer] : []));
  return {
    liars,
    // where other faults end sessions too, what a liar said may never be used
    named: all.every(({ kind }) => kind === "lie") ? provable : [],
    changedStores: all.flatMap(changesStoreOf),
    // where other faults end signers too, those that know may be away
    reportedOldCopies: all.every(({ kind }) => kind === "store") ? wentBack(all) : [],
    disturbed: happened
      .filter(({ fault }) => isOfReporting(fault))
      .map(({ atMs, untilMs }) => ({
        fromMs: Number.isFinite(atMs) ? atMs - SETTLING_MS : 0,
        untilMs: untilMs + RECOVERING_MS,
      })),
    busLost: happened.flatMap(({ fault, atMs }) =>
      lostTo(fault, atMs).flatMap((span) => byDatabase(span, times)),
    ),
    isBusInOrder:
      orchestrators === 1 &&
      !happened.some(({ fault, start }) => isOfPublishing(fault) || start.kind === "point"),
    reorganised: all.flatMap(takesBack),
    overloaded: all.some((fault) => isOfAnswering(fault, gateways)) ? [] : happened.flatMap(overloading),
    hasStrangers: all.some(isOverload),
  };
};
