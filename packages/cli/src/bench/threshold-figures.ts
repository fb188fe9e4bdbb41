import { setImmediate as immediate } from "node:timers/promises";
import { type AuxiliaryInfo, CGGMP24, type PartyIndex } from "@conclave/threshold";
import type { Figure, Section } from "./figure.ts";
import { machineFigures } from "./machine-figures.ts";
import { cpuMs } from "./own-cpu.ts";
import type { Tell } from "./progress.ts";
import type { ProtocolRun, Spent } from "./protocol-run.ts";
import { median } from "./statistics.ts";
import {
  benchParties,
  makePrimes,
  runAuxiliaryGeneration,
  runKeyGeneration,
  runPresigning,
  runSigning,
} from "./threshold-parties.ts";

const PARTIES = 5;
const THRESHOLDS = [2, 3, 5] as const;
/** DESIGN.md: CPU of one signer of three for one presignature */
const PRESIGNING_BUDGET_MS = 600;
const BUDGETED_THRESHOLD = 3;
const KEY_RUNS = 4;
/** the first run of each kind compiles code and fills caches, and is not counted */
const WARM_UP_RUNS = 1;
/** every run gives one sample of each signer */
const PRESIGNING_SAMPLES = 5;

const AUXILIARY_STEPS = [
  "start: moduli and Πprm",
  "round 1: open",
  "round 2: verify Πprm, prove Πmod, Πfac",
  "round 3: verify Πmod, Πfac",
];
const KEY_STEPS = [
  "start: commit",
  "round 1: open, share",
  "round 2: verify shares, prove",
  "round 3: verify Πsch",
  "round 4: compare",
];
const PRESIGNING_STEPS = [
  "start: commit, prove Πenc-elg",
  "round 1: verify Πenc-elg; convert, prove Πaff-g",
  "round 2: verify Πaff-g, decrypt; reveal",
  "round 3: verify Πelog; output",
];

type Taken<T> = (spent: Spent) => T;

const cpuTaken: Taken<number> = ({ cpuMs }) => cpuMs;

/** The sum over all steps of what one party spent, for every party. */
const totals = (steps: ProtocolRun<unknown>["steps"], taken: Taken<number>): readonly number[] => {
  const parties = steps[0]?.length ?? 0;
  return Array.from({ length: parties }, (_, party) =>
    steps.reduce((sum, step) => {
      const spent = step[party];
      return sum + (spent === undefined ? 0 : taken(spent));
    }, 0),
  );
};

const stepFigures = (
  prefix: string,
  names: readonly string[],
  runs: readonly ProtocolRun<unknown>[],
): readonly Figure[] =>
  names.map((label, step) => ({
    name: `${prefix}.step${step}`,
    unit: "ms",
    label: `  ${label}`,
    value: median(runs.flatMap(({ steps }) => steps[step]?.map(cpuTaken) ?? [])),
  }));

const totalOf = (runs: readonly ProtocolRun<unknown>[], taken: Taken<number>): number =>
  median(runs.flatMap(({ steps }) => totals(steps, taken)));

const auxiliaryFigures = (primesCpuMs: number, run: ProtocolRun<AuxiliaryInfo>): readonly Figure[] => [
  {
    name: "auxiliary.primes",
    unit: "ms",
    label: `auxiliary generation, n = ${PARTIES}: primes`,
    value: primesCpuMs,
    note: "mean of all parties; luck decides on safe primes",
  },
  {
    name: "auxiliary.protocol",
    unit: "ms",
    label: `auxiliary generation, n = ${PARTIES}: protocol`,
    value: totalOf([run], cpuTaken),
  },
  ...stepFigures("auxiliary", AUXILIARY_STEPS, [run]),
];

const presigningFigures = (
  threshold: number,
  runs: readonly ProtocolRun<unknown>[],
  signings: readonly ProtocolRun<unknown>[],
): readonly Figure[] => {
  const prefix = `presigning.t${threshold}`;
  return [
    {
      name: `${prefix}.total`,
      unit: "ms",
      label: `presigning, t = ${threshold}`,
      value: totalOf(runs, cpuTaken),
      ...(threshold === BUDGETED_THRESHOLD ? { budget: PRESIGNING_BUDGET_MS } : {}),
    },
    ...stepFigures(prefix, PRESIGNING_STEPS, runs),
    {
      name: `${prefix}.powers`,
      unit: "ms",
      label: "  of it inside OpenSSL's modular powers",
      value: totalOf(runs, ({ powers }) => powers.ms),
    },
    {
      name: `${prefix}.powers.count`,
      unit: "count",
      label: "  modular powers",
      value: totalOf(runs, ({ powers }) => powers.count),
      note: "halves by the Chinese remainder theorem count one each",
    },
    {
      name: `${prefix}.sent`,
      unit: "KB",
      label: "  payload sent",
      value: totalOf(runs, ({ sentBytes }) => sentBytes) / 1000,
    },
    {
      name: `signing.t${threshold}`,
      unit: "ms",
      label: `online round, t = ${threshold}`,
      value: totalOf(signings, cpuTaken),
    },
  ];
};

const measurePresigning = (
  threshold: number,
  parties: readonly PartyIndex[],
  auxiliary: ReadonlyMap<PartyIndex, AuxiliaryInfo>,
): readonly Figure[] => {
  const keys = runKeyGeneration(parties, threshold, CGGMP24).outputs;
  const signers = parties.slice(0, threshold);
  const presigned = Array.from({ length: WARM_UP_RUNS + Math.ceil(PRESIGNING_SAMPLES / threshold) }, () => {
    const presigning = runPresigning(signers, keys, auxiliary);
    return { presigning, signing: runSigning(presigning.outputs) };
  }).slice(WARM_UP_RUNS);
  return presigningFigures(
    threshold,
    presigned.map(({ presigning }) => presigning),
    presigned.map(({ signing }) => signing),
  );
};

/** What the protocols cost one signer in CPU, in this process, one party after the other, at real parameters. */
export const thresholdFigures = async (tell: Tell, signal: AbortSignal): Promise<readonly Section[]> => {
  const machine = machineFigures();
  const parties = benchParties(PARTIES);
  tell(`making primes of 1536 bits for ${PARTIES} parties`);
  const before = cpuMs();
  const primes = await makePrimes(parties, (made) => tell(`primes of ${made} of ${PARTIES} parties`));
  const primesCpuMs = (cpuMs() - before) / PARTIES;
  const auxiliary = runAuxiliaryGeneration(parties, primes);
  tell("auxiliary generation is measured");

  const keyRuns = Array.from({ length: WARM_UP_RUNS + KEY_RUNS }, () =>
    runKeyGeneration(parties, BUDGETED_THRESHOLD, CGGMP24),
  ).slice(WARM_UP_RUNS);
  const keyFigures: readonly Figure[] = [
    {
      name: "keygen.protocol",
      unit: "ms",
      label: `key generation, ${BUDGETED_THRESHOLD} of ${PARTIES}`,
      value: totalOf(keyRuns, cpuTaken),
    },
    ...stepFigures("keygen", KEY_STEPS, keyRuns),
  ];

  const presigning: Section[] = [];
  for (const threshold of THRESHOLDS) {
    await immediate(); // lets Ctrl-C through: the protocols run without a pause
    signal.throwIfAborted();
    presigning.push({
      title: `Presigning and signing with ${threshold} signers: CPU of one signer`,
      figures: measurePresigning(threshold, parties, auxiliary.outputs),
    });
    tell(`presigning with ${threshold} signers is measured`);
  }
  return [
    machine,
    {
      title: "Generation: CPU of one signer",
      figures: [...auxiliaryFigures(primesCpuMs, auxiliary), ...keyFigures],
    },
    ...presigning,
  ];
};
