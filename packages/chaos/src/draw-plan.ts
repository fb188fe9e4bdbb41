import { Chance } from "./chance.ts";
import type { ChainFailure, InjectedFault, PlannedFault, Toxic } from "./fault.ts";
import { type ClockPlace, type Place, placeName, type ServicePlace } from "./place.ts";
import type { ChaosPlan } from "./plan.ts";

/** How long after the one before it a fault begins, and how long it lasts: faults may overlap or not. */
const GAP_MS = [500, 4_000] as const;
const LASTS_MS = [1_000, 6_000] as const;
/** Time for an ended process to serve again. */
const HEALED_MS = 5_000;
/** In milliseconds: the largest small error of a clock, and its large jumps: an hour, a day or 100 days. */
const CLOCK_MS = 30_000;
const JUMPS_MS = [3_600_000, 86_400_000, 8_640_000_000];
const REORGANISED_MAX = 3;
const CHAIN_FAILURES = ["reorganise", "forget", "hold", "refuse"] as const;
const DELAY_MS = [20, 800] as const;
const BREAK_PERCENT_MAX = 20;
const SLOW_KB = [5, 100] as const;
/** How far the store of the bus, or of a signer, goes back. */
const BACK_MS = [2_000, 20_000] as const;

/** The faults that may be drawn for a plan. */
export interface Drawable {
  /** named points in the code of processes, with the kind of process that reaches each */
  readonly points: readonly { readonly place: Place; readonly point: string }[];
  /** messages in which a signer may lie */
  readonly lies: readonly string[];
  /** entries that a signer's store may lose: whole names, or prefixes that end in a star */
  readonly entries: readonly string[];
  /** by network, the faults that its node can be made to have; a plan uses those of its own networks */
  readonly unruly: Readonly<Record<string, readonly ChainFailure["kind"][]>>;
  /** whether the power of a signer's machine may fail; not where it is left out */
  readonly power?: boolean;
}

type Draw = (chance: Chance) => { readonly fault: InjectedFault; readonly point?: string } | undefined;

const numbered = (kind: ServicePlace["kind"], count: number): readonly ServicePlace[] =>
  Array.from({ length: count }, (_, at) => ({ kind, number: at + 1 }));
const signersOf = ({ signers }: Pick<ChaosPlan, "signers">): readonly ServicePlace[] =>
  numbered("signer", signers);
const servicesOf = ({ orchestrators, gateways }: ChaosPlan): readonly ServicePlace[] => [
  ...numbered("orchestrator", orchestrators),
  ...numbered("gateway", gateways),
];
const BACKING: readonly Place[] = [{ kind: "bus" }, { kind: "database" }];

/** Processes that end or pause: any one of them, or several signers at once, up to more than the cluster can spare. */
const processDraws = (plan: ChaosPlan): readonly Draw[] => {
  const [signers, services] = [signersOf(plan), servicesOf(plan)];
  const nodes = plan.load.networks.map((network): Place => ({ kind: "node", network }));
  const spared = plan.signers - plan.threshold;
  const several = (chance: Chance): readonly Place[] => {
    const left = [...signers];
    const count = chance.between(1, Math.max(1, spared));
    return Array.from({ length: count }, () => left.splice(chance.between(0, left.length - 1), 1)).flat();
  };
  return [
    (chance) => ({ fault: { kind: "kill", places: several(chance) } }),
    (chance) => ({ fault: { kind: "kill", places: [chance.of(services)] } }),
    (chance) => ({ fault: { kind: "kill", places: [chance.of([...BACKING, ...nodes])] } }),
    () => ({ fault: { kind: "kill", places: signers.slice(0, spared + 1) } }),
    (chance) => ({ fault: { kind: "stop", places: [chance.of([...signers, ...services])] } }),
    (chance) => ({
      fault: { kind: "pause", places: [chance.of([...signers, ...services, ...BACKING, ...nodes])] },
    }),
    () => ({ fault: { kind: "bus", failure: { kind: "forgets" } } }),
    () => ({ fault: { kind: "bus", failure: { kind: "repeats" } } }),
    (chance) => ({
      fault: { kind: "bus", failure: { kind: "goes back", byMs: chance.between(...BACK_MS) } },
    }),
  ];
};

/** Links among signers, from orchestrators to signers, and from services to the bus, the database and chain nodes. */
const linkDraws = (plan: ChaosPlan): readonly Draw[] => {
  const signers = signersOf(plan);
  const pair = (chance: Chance): readonly [Place, Place] => {
    const from = chance.of([...signers, ...servicesOf(plan)]);
    const others = signers.filter((place) => placeName(place) !== placeName(from));
    switch (from.kind) {
      case "gateway":
        return [from, chance.of(BACKING)];
      case "orchestrator":
        return [from, chance.of([...signers, ...BACKING])];
      default:
        return [from, chance.of(others)];
    }
  };
  const link =
    (toxicOf: (chance: Chance) => Toxic): Draw =>
    (chance) => {
      const [from, to] = pair(chance);
      return { fault: { kind: "link", from, to, isBothWays: chance.share() < 0.5, toxic: toxicOf(chance) } };
    };
  return [
    link(() => ({ kind: "cut" })),
    link((chance) => ({ kind: "delay", ms: chance.between(...DELAY_MS) })),
    link((chance) => ({ kind: "break", percent: chance.between(1, BREAK_PERCENT_MAX) })),
    link((chance) => ({ kind: "slow", bytesPerSecond: chance.between(...SLOW_KB) * 1_000 })),
  ];
};

/** The faults inside a process: its disk, its clock, lies of a signer, and its death at a point of its code. */
const insideDraws = (
  plan: ChaosPlan,
  { points, lies, entries, power = false }: Drawable,
): readonly Draw[] => {
  const signer = (chance: Chance): number => chance.between(1, plan.signers);
  const services: readonly ClockPlace[] = [...signersOf(plan), ...servicesOf(plan)];
  const database: ClockPlace = { kind: "database" };
  const jump =
    (places: readonly ClockPlace[]): Draw =>
    (chance) => {
      const byMs = chance.of(JUMPS_MS) * chance.of([-1, 1]);
      return { fault: { kind: "clock", place: chance.of(places), byMs } };
    };
  return [
    (chance) => ({ fault: { kind: "disk", signer: signer(chance), failure: "full" } }),
    (chance) => ({ fault: { kind: "disk", signer: signer(chance), failure: "unsynced" } }),
    (chance) =>
      entries.length === 0
        ? undefined
        : {
            fault: {
              kind: "store",
              signer: signer(chance),
              change: { kind: "loses", entry: chance.of(entries) },
            },
          },
    (chance) => ({
      fault: {
        kind: "store",
        signer: signer(chance),
        change: { kind: "goes back", byMs: chance.between(...BACK_MS) },
      },
    }),
    (chance) => ({
      fault: {
        kind: "clock",
        place: chance.of([...services, database]),
        byMs: chance.between(-CLOCK_MS, CLOCK_MS),
      },
    }),
    jump(services),
    // drawn as often as a jump of the services' clocks together, because every service reads the database's time
    jump([database]),
    (chance) =>
      lies.length === 0
        ? undefined
        : { fault: { kind: "lie", signer: signer(chance), message: chance.of(lies) } },
    (chance) => {
      if (points.length === 0) return undefined;
      const { place, point } = chance.of(points);
      return { fault: { kind: "kill", places: [place] }, point };
    },
    ...(power ? [powerFails(signersOf(plan))] : []),
  ];
};

const powerFails =
  (signers: readonly ServicePlace[]): Draw =>
  (chance) => ({ fault: { kind: "power", places: [chance.of(signers)] } });

const failureOf = (kind: ChainFailure["kind"], chance: Chance): ChainFailure =>
  kind === "reorganise" ? { kind, blocks: chance.between(1, REORGANISED_MAX) } : { kind };

const chainDraws = ({ load }: ChaosPlan, { unruly }: Drawable): readonly Draw[] =>
  CHAIN_FAILURES.map((kind) => (chance) => {
    const networks = load.networks.filter((network) => unruly[network]?.includes(kind));
    if (networks.length === 0) return undefined;
    return { fault: { kind: "chain", network: chance.of(networks), failure: failureOf(kind, chance) } };
  });

/** The targets that a fault occupies: until it is over, no other fault is drawn for the same process or node. */
const touches = ({ fault }: PlannedFault): readonly string[] => {
  switch (fault.kind) {
    case "kill":
    case "stop":
    case "pause":
    case "power":
    case "lose":
      return fault.places.map(placeName);
    case "disk":
    case "store":
      return [`signer-${fault.signer}`];
    case "clock":
      // the harness moves the database's clock by writing a row, so the database must not be down
      return fault.place.kind === "database" ? [placeName(fault.place)] : [];
    case "chain":
      return [fault.network];
    default:
      return [];
  }
};

const isOfDatabaseClock = (fault: InjectedFault): boolean =>
  fault.kind === "clock" && fault.place.kind === "database";

/**
 * Whether a fault would make the database's clock and a service's clock wrong at the same time. If both agreed on a wrong
 * time, waiting approvals and old rows would end, because only these two clocks decide that.
 */
const joinsWrongClocks = (
  faults: readonly PlannedFault[],
  { fault }: PlannedFault,
  isOver: (other: PlannedFault) => boolean,
): boolean =>
  fault.kind === "clock" &&
  faults.some(
    (other) =>
      other.fault.kind === "clock" &&
      isOfDatabaseClock(other.fault) !== isOfDatabaseClock(fault) &&
      !isOver(other),
  );

const losesEntry = ({ fault }: PlannedFault): boolean =>
  fault.kind === "store" && fault.change.kind === "loses";

/**
 * Whether enough signers to sign remain, beside those that a fault or an earlier one has ended. Only plans that change a
 * signer's store are checked: that signer signs nothing more before the load ends. Other faults may end more signers than
 * that, because those come back.
 */
const leavesEnough = (
  { signers, threshold }: ChaosPlan,
  faults: readonly PlannedFault[],
  planned: PlannedFault,
  isBusy: (name: string) => boolean,
): boolean => {
  const all = [...faults, planned];
  if (!all.some(({ fault }) => fault.kind === "store")) return true;
  const changed = all.filter(({ fault }) => fault.kind === "store").flatMap(touches);
  const hurt = new Set([...changed, ...touches(planned)]);
  const away = signersOf({ signers }).filter(
    (place) => hurt.has(placeName(place)) || isBusy(placeName(place)),
  );
  return away.length <= signers - threshold;
};

/**
 * Draws faults for a plan from its seed, one after the other, until its load ends; some overlap.
 * @param plan its faults are replaced
 */
export const drawPlan = (plan: ChaosPlan, drawable: Drawable): ChaosPlan => {
  const chance = new Chance(plan.seed);
  const draws = [
    ...processDraws(plan),
    ...linkDraws(plan),
    ...insideDraws(plan, drawable),
    ...chainDraws(plan, drawable),
  ];
  const faults: PlannedFault[] = [];
  const busy = new Map<string, number>();
  for (let ms = chance.between(...GAP_MS); ms < plan.load.lastsMs; ms += chance.between(...GAP_MS)) {
    const drawn = chance.of(draws)(chance);
    const lastsMs = chance.between(...LASTS_MS);
    if (drawn === undefined) continue;
    const { fault, point } = drawn;
    const start =
      point === undefined
        ? ({ kind: "time", ms } as const)
        : ({ kind: "point", point, hit: chance.between(1, 5) } as const);
    const planned: PlannedFault = { fault, start, lastsMs: lasts(fault) ? lastsMs : undefined };
    const isBusy = (name: string): boolean => (busy.get(name) ?? -1) >= ms;
    if (touches(planned).some(isBusy) || !leavesEnough(plan, faults, planned, isBusy)) continue;
    const isOver = ({ start: other, lastsMs: length = 0 }: PlannedFault): boolean =>
      other.kind === "time" && other.ms + length + HEALED_MS < ms;
    if (joinsWrongClocks(faults, planned, isOver)) continue;
    // a fault at a point of the code may begin at any time, and a signer that lost an entry stays away
    const isForGood = point !== undefined || losesEntry(planned);
    for (const name of touches(planned))
      busy.set(name, isForGood ? plan.load.lastsMs : ms + lastsMs + HEALED_MS);
    faults.push(planned);
  }
  return { ...plan, faults };
};

const LASTING: readonly ChainFailure["kind"][] = ["hold", "refuse", "overload"];

/** Whether a fault has a duration; the others happen once. */
const lasts = (fault: InjectedFault): boolean => {
  switch (fault.kind) {
    case "kill":
    case "stop":
    case "pause":
    case "power":
    case "link":
    case "disk":
    case "lie":
    case "clock":
      return true;
    case "store":
    case "lose":
      return false;
    case "bus":
      return fault.failure.kind === "repeats";
    case "chain":
      return LASTING.includes(fault.failure.kind);
  }
};
