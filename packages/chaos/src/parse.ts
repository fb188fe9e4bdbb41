import { readDuration } from "./duration.ts";
import type { InjectedFault, PlannedFault } from "./fault.ts";
import { clocklessPlace, readInjectedFault, readWhen } from "./parse-fault.ts";
import { isNetworkName, placeName } from "./place.ts";
import { type ChaosPlan, type Load, QUIET_PLAN } from "./plan.ts";
import { plannedText } from "./print.ts";

/** The defect of a line of a plan, with its remedy. */
export interface PlanProblem {
  /** counted from 1 */
  readonly line: number;
  readonly message: string;
  readonly remedy: string;
}

export type ParsedPlan =
  | { readonly ok: true; readonly plan: ChaosPlan }
  | { readonly ok: false; readonly problems: readonly PlanProblem[] };

/** Of the language of plans. A plan may name it, in a line such as `version 1`; one without is of the first. */
const PLAN_VERSION = 1;
const VERSION = /^version (\S+)$/;

const SIGNERS_MAX = 20;
const SERVICES_MAX = 4;
const PER_SECOND_MAX = 100;
const WALLETS_MAX = 50;
const MS_IN_SECOND = 1_000;
/** the line ends of all operating systems, and those of Unicode */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/;
const LOAD = /^load (\d+(?:\.\d+)?) transfers? a second for (\S+)(?: by (\d{1,4}) wallets)?(?: on (.+))?$/;

type Change = (plan: ChaosPlan) => ChaosPlan;

const loadOf = (line: string): Change | undefined => {
  const [, perSecond, lasts = "", by = QUIET_PLAN.load.wallets, networks] = LOAD.exec(line) ?? [];
  const lastsMs = readDuration(lasts);
  const [rate, wallets] = [Number(perSecond), Number(by)];
  if (lastsMs === undefined || lastsMs === 0 || !(rate > 0 && rate <= PER_SECOND_MAX)) return undefined;
  // at least one wallet that an approver guards and one without
  if (wallets < 2 || wallets > WALLETS_MAX) return undefined;
  // a load this short and slow would send no transfer
  if (rate * lastsMs < MS_IN_SECOND) return undefined;
  const served = networks?.split(/,\s*/) ?? QUIET_PLAN.load.networks;
  if (!served.every(isNetworkName) || new Set(served).size < served.length) return undefined;
  const load: Load = { perSecond: rate, lastsMs, networks: served, wallets };
  return (plan) => ({ ...plan, load });
};

/** Reads a line that sets the cluster or its load. */
const settingOf = (line: string): Change | undefined => {
  if (VERSION.exec(line)?.[1] === String(PLAN_VERSION)) return (plan) => plan;
  const [, word, number] = /^(seed|signers|threshold|orchestrators|gateways) (\d{1,9})$/.exec(line) ?? [];
  const value = Number(number);
  switch (word) {
    case "seed":
      return (plan) => ({ ...plan, seed: value });
    case "signers":
    case "threshold":
      return value < 2 || value > SIGNERS_MAX ? undefined : (plan) => ({ ...plan, [word]: value });
    case "orchestrators":
    case "gateways":
      return value < 1 || value > SERVICES_MAX ? undefined : (plan) => ({ ...plan, [word]: value });
    default:
      return loadOf(line);
  }
};

const faultOf = (line: string): PlannedFault | undefined => {
  const when = readWhen(line);
  const fault = when && readInjectedFault(when.what);
  return fault && { fault, start: when.start, lastsMs: when.lastsMs };
};

/**
 * Whether a fault names something that the plan does not run, or asks for the impossible. @returns why; undefined if the
 * fault is possible
 */
const objectionTo = (plan: ChaosPlan, planned: PlannedFault): Omit<PlanProblem, "line"> | undefined => {
  const { fault, start } = planned;
  if (start.kind === "point" && (fault.kind !== "kill" || fault.places.length !== 1)) {
    return {
      message: "only a kill of one process begins when it reaches a point",
      remedy: "Kill one process there, or begin at a time.",
    };
  }
  if (start.kind === "time" && start.ms >= plan.load.lastsMs) {
    return {
      message: "it begins when the load has ended",
      remedy: "Begin it earlier, or let the load last longer.",
    };
  }
  const { lastsMs } = planned;
  if (fault.kind === "lose" && lastsMs !== undefined) {
    return {
      message: "a lost machine does not come back",
      remedy: "Give the time of its loss alone, or kill it.",
    };
  }
  const missing = placesOfFault(fault).find((name) => !runs(plan, name));
  if (missing === undefined) return undefined;
  const remedy = `There are ${placesOfPlan(plan).join(", ")}.`;
  return { message: `${missing} is not in the cluster of this plan`, remedy };
};

/** The names of the processes and nodes that a fault touches. */
const placesOfFault = (fault: InjectedFault): readonly string[] => {
  switch (fault.kind) {
    case "kill":
    case "stop":
    case "pause":
    case "power":
    case "lose":
      return fault.places.map(placeName);
    case "link":
      return [placeName(fault.from), placeName(fault.to)];
    case "disk":
    case "store":
    case "lie":
      return [`signer-${fault.signer}`];
    case "clock":
      return [placeName(fault.place)];
    case "bus":
      return ["nats"];
    case "chain":
      return [fault.network];
  }
};

/** The names of the processes and nodes in the cluster of a plan. */
const placesOfPlan = ({ signers, orchestrators, gateways, load }: ChaosPlan): readonly string[] => {
  const numbered = (kind: string, count: number): string[] =>
    Array.from({ length: count }, (_, at) => `${kind}-${at + 1}`);
  return [
    ...numbered("signer", signers),
    ...numbered("orchestrator", orchestrators),
    ...numbered("gateway", gateways),
    "nats",
    "postgres",
    ...load.networks,
  ];
};
const runs = (plan: ChaosPlan, name: string): boolean => placesOfPlan(plan).includes(name);

/** The signers and orchestrators that stay away after earlier lines, by name. */
interface Away {
  /** their machines are lost */
  readonly lost: ReadonlySet<string>;
  /** their stores lost an entry */
  readonly altered: ReadonlySet<string>;
}

const signersOf = (names: Iterable<string>): number =>
  [...new Set(names)].filter((name) => name.startsWith("signer-")).length;

/** Why these machines may not be lost as well. */
const machineObjection = (
  { signers, threshold, orchestrators }: ChaosPlan,
  names: readonly string[],
  { lost, altered }: Away,
): Omit<PlanProblem, "line"> | undefined => {
  const again = names.find((name) => lost.has(name));
  if (again !== undefined)
    return { message: `${again} is lost a second time`, remedy: "Remove one of the lines." };
  const lostOrchestrators = [...lost, ...names].filter((name) => name.startsWith("orchestrator-")).length;
  const areEnough =
    lostOrchestrators < orchestrators && signersOf([...lost, ...altered, ...names]) <= signers - threshold;
  if (areEnough) return undefined;
  return {
    message: "too few signers or orchestrators are left for the end of the run",
    remedy: `Lose at most ${Math.max(0, signers - threshold)} signers, by their machines or entries of their stores, and ${orchestrators - 1} orchestrators.`,
  };
};

/**
 * Why a signer may not lose an entry of its store: after the loss it stays away until no request is under way, and too
 * few signers would remain. Undefined if it may.
 */
const lossObjection = (
  { signers, threshold }: ChaosPlan,
  signer: number,
  { lost, altered }: Away,
): Omit<PlanProblem, "line"> | undefined => {
  const name = `signer-${signer}`;
  if (altered.has(name)) {
    const message = `signer-${signer} loses an entry a second time, and stays away after the first`;
    return { message, remedy: "Remove one of the lines." };
  }
  const spared = Math.max(0, signers - threshold);
  if (signersOf([...lost, ...altered, name]) <= spared) return undefined;
  return {
    message: `signer-${signer} stays away once it has lost an entry, and too few of the others are left`,
    remedy: spared === 0 ? "Let more signers run than have to sign." : `Let at most ${spared} lose one.`,
  };
};

const UNKNOWN = {
  message: "this line says neither what runs nor what goes wrong and when",
  remedy: "docs/chaos.md has every form of line, and examples.",
};

/** Refusals of lines that begin like a fault of machines, and name none that has it. */
const MACHINES: readonly (readonly [string, Omit<PlanProblem, "line">])[] = [
  [
    "lose ",
    {
      message: "only machines of signers and orchestrators can be lost",
      remedy: "Name some, such as lose signer-4, orchestrator-2 at 3s.",
    },
  ],
  [
    "cut the power of ",
    {
      message: "only machines of signers can lose their power",
      remedy: "Name some, such as cut the power of signer-1 at 3s.",
    },
  ],
];

/** Why a line is neither a setting nor a fault. */
const refusalOf = (line: string): Omit<PlanProblem, "line"> => {
  const [, version] = VERSION.exec(line) ?? [];
  if (version !== undefined) {
    const message = `the plan is of version ${version}, and this program reads version ${PLAN_VERSION}`;
    return { message, remedy: "Run it with the program that wrote it, or write it anew (docs/chaos.md)." };
  }
  const what = readWhen(line)?.what ?? "";
  const ofMachine = MACHINES.find(([start]) => what.startsWith(start));
  if (ofMachine !== undefined) return ofMachine[1];
  const place = clocklessPlace(what);
  if (place === undefined) return UNKNOWN;
  return {
    message: `the clock of ${place} cannot be moved, only those of signers, orchestrators, gateways and postgres`,
    remedy: "Move one of those.",
  };
};

const repeated = (line: number, what: string): PlanProblem => ({
  line,
  message: `the plan says ${what} a second time`,
  remedy: "Remove one of the lines.",
});

/**
 * Reads a plan: one line for each setting and each fault; # begins a comment.
 * @returns the plan, or the defect of each line that cannot be read
 */
export const parsePlan = (text: string): ParsedPlan => {
  let plan = QUIET_PLAN;
  const problems: PlanProblem[] = [];
  const faults: { readonly line: number; readonly planned: PlannedFault }[] = [];
  const settings = new Set<string>();
  for (const [at, whole] of text.split(LINE_END).entries()) {
    const words = whole.replace(/#.*$/, "").trim().replace(/\s+/g, " ");
    if (words === "") continue;
    const change = settingOf(words);
    const planned = change === undefined ? faultOf(words) : undefined;
    const [setting = ""] = words.split(" ");
    if (change !== undefined && settings.has(setting)) problems.push(repeated(at + 1, `its ${setting}`));
    else if (change !== undefined) plan = change(plan);
    else if (planned !== undefined) faults.push({ line: at + 1, planned });
    else problems.push({ line: at + 1, ...refusalOf(words) });
    // the other lines may be of the other version, too
    if (change === undefined && VERSION.test(words)) return { ok: false, problems: problems.slice(-1) };
    if (change !== undefined) settings.add(setting);
  }
  plan = { ...plan, faults: faults.map(({ planned }) => planned) };
  const texts = new Set<string>();
  const away = { lost: new Set<string>(), altered: new Set<string>() };
  for (const { line, planned } of faults) {
    const { size } = texts;
    if (texts.add(plannedText(planned)).size === size) problems.push(repeated(line, "this fault"));
    const objection = objectionTo(plan, planned);
    if (objection !== undefined) problems.push({ line, ...objection });
    const { fault } = planned;
    if (fault.kind === "lose") {
      const names = fault.places.map(placeName);
      const tooMany = machineObjection(plan, names, away);
      if (tooMany !== undefined) problems.push({ line, ...tooMany });
      for (const name of names) away.lost.add(name);
    }
    if (fault.kind !== "store" || fault.change.kind !== "loses") continue;
    const tooMany = lossObjection(plan, fault.signer, away);
    if (tooMany !== undefined) problems.push({ line, ...tooMany });
    away.altered.add(`signer-${fault.signer}`);
  }
  if (plan.threshold > plan.signers) {
    problems.push({ line: 1, message: "the threshold is above the number of signers", remedy: "Lower it." });
  }
  return problems.length > 0
    ? { ok: false, problems: problems.toSorted((one, other) => one.line - other.line) }
    : { ok: true, plan };
};
