import type { ChaosPlan, FaultOutcome, InjectedFault } from "@conclave/chaos";
import type { Expectations, Span } from "./check/finding.ts";

/** The networks whose blocks a fault undoes; a killed node restarts from an earlier state, which also undoes blocks. */
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
 * Longest time from a wanted moment of copying until the bus runs with the copy: copies are made once a second, later on a busy
 * machine.
 */
const RESTORING_MS = 15_000;

/** The times of publication that the bus lost by a fault at a time. */
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

/** A span in which the database's clock was ahead of the others by `byMs`, or behind if negative. */
interface MovedSpan extends Span {
  readonly byMs: number;
}

/** All time, split at each change of the database's clock. */
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
 * The database's dates of a span. Within a second or two of a change of its clock, the dates before and after the change are
 * both possible.
 */
const byDatabase = ({ fromMs, untilMs }: Span, times: readonly MovedSpan[]): readonly Span[] =>
  times.flatMap((time) => {
    const [first, last] = [
      Math.max(fromMs, time.fromMs === 0 ? 0 : time.fromMs - SETTLING_MS),
      Math.min(untilMs, time.untilMs + SETTLING_MS),
    ];
    return first > last ? [] : [{ fromMs: first + time.byMs, untilMs: last + time.byMs }];
  });

/**
 * Lies whose author cannot be named: the liar falls silent before a proof exists, or only the receiver of a seal can verify it
 * (decision 051).
 */
const NAMES_NOBODY = /commitment$|share$/;

/** Margins around a fault: before its noted beginning, and after its healing until the stopped parts work again. */
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
    case "power":
    case "lose":
      return false;
  }
};

/** Signers whose stores a fault changes. */
const changesStoreOf = (fault: InjectedFault): readonly number[] =>
  fault.kind === "store" ? [fault.signer] : [];

/**
 * Signers whose store was restored from an older copy and lost no single entry. A signer whose store lost an entry gets new
 * shares instead.
 */
const wentBack = (all: readonly InjectedFault[]): readonly number[] => {
  const changed = (kind: "loses" | "goes back"): readonly number[] =>
    all.flatMap((fault) => (fault.kind === "store" && fault.change.kind === kind ? [fault.signer] : []));
  const lost = changed("loses");
  return changed("goes back").filter((signer) => !lost.includes(signer));
};

/** An injected fault. If it was only partly made, its beginning is unknown. Times are Unix milliseconds. */
interface Happened {
  readonly fault: InjectedFault;
  readonly start: ChaosPlan["faults"][number]["start"];
  readonly atMs: number;
  readonly untilMs: number;
}

/** Whether a fault alone may delay answers: one of the database, of a connection to it, or of all gateways at once. */
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
    case "power":
    case "lose":
      return false;
  }
};

/** Times in which another organisation sent as many requests as it may. */
const overloading = ({ fault, atMs, untilMs }: Happened): readonly Span[] =>
  isOverload(fault) && Number.isFinite(atMs) ? [{ fromMs: atMs, untilMs }] : [];

const isOverload = (fault: InjectedFault): boolean =>
  fault.kind === "chain" && fault.failure.kind === "overload";

/**
 * The deviations from a quiet run that the plan's faults allow. A fault whose time never came allows nothing.
 * @param outcomes one for each fault, in the order of the plan
 * @param beganAtMs the load's beginning, in Unix milliseconds
 */
export const expectationsOf = (
  { faults, gateways, orchestrators }: ChaosPlan,
  outcomes: readonly FaultOutcome[],
  beganAtMs: number,
): Partial<Expectations> => {
  const happened = faults.flatMap(({ fault, start }, at): readonly Happened[] => {
    const { beganMs, trouble } = outcomes[at] ?? {};
    // a fault whose injection failed may have been partly made
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
    // if other faults end sessions too, a lie may never be used
    named: all.every(({ kind }) => kind === "lie") ? provable : [],
    changedStores: all.flatMap(changesStoreOf),
    // if other faults end signers too, the peers that know may be away
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
