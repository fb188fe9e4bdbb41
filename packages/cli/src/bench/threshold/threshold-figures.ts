import { setImmediate as immediate } from "node:timers/promises";
import { type AuxiliaryInfo, CGGMP24 } from "@conclave/threshold";
import type { Figure, Section } from "../figure.ts";
import { machineFigures } from "../machine/machine-figures.ts";
import { cpuMs } from "../machine/own-cpu.ts";
import type { Report } from "../progress.ts";
import { PUBLISHED_FIGURES } from "../published-figures.ts";
import { presigningSection } from "./presigning-figures.ts";
import type { ProtocolRun } from "./protocol-run.ts";
import { cpuTaken, stepFigures, totalOf } from "./step-figures.ts";
import { benchParties, makePrimes, runAuxiliaryGeneration, runKeyGeneration } from "./threshold-parties.ts";
import { workerSection } from "./worker-figures.ts";

const PARTIES = 5;
const THRESHOLDS = [2, 3, 5] as const;
const KEY_THRESHOLD = 3;
const KEY_RUNS = 4;
/** the first run of each kind compiles code and fills caches, and is not counted */
const WARM_UP_RUNS = 1;

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

/** Measures the CPU of the protocols at one signer, in this process, one party after the other, at real parameters. */
export const thresholdFigures = async (report: Report, signal: AbortSignal): Promise<readonly Section[]> => {
  const machine = machineFigures();
  const parties = benchParties(PARTIES);
  report(`making primes of 1536 bits for ${PARTIES} parties`);
  const before = cpuMs();
  const primes = await makePrimes(parties, (made) => report(`primes of ${made} of ${PARTIES} parties`));
  const primesCpuMs = (cpuMs() - before) / PARTIES;
  const auxiliary = runAuxiliaryGeneration(parties, primes);
  report("auxiliary generation is measured");

  const keyRuns = Array.from({ length: WARM_UP_RUNS + KEY_RUNS }, () =>
    runKeyGeneration(parties, KEY_THRESHOLD, CGGMP24),
  ).slice(WARM_UP_RUNS);
  const keyFigures: readonly Figure[] = [
    {
      name: "keygen.protocol",
      unit: "ms",
      label: `key generation, ${KEY_THRESHOLD} of ${PARTIES}`,
      value: totalOf(keyRuns, cpuTaken),
    },
    ...stepFigures("keygen", KEY_STEPS, keyRuns),
  ];

  const presigning: Section[] = [];
  for (const threshold of THRESHOLDS) {
    await immediate(); // lets Ctrl-C through, because the protocols run without a pause
    signal.throwIfAborted();
    presigning.push(presigningSection(threshold, parties, auxiliary.outputs));
    report(`presigning with ${threshold} signers is measured`);
  }
  presigning.push(await workerSection(parties, auxiliary.outputs, signal));
  report("presigning with two worker threads is measured");
  return [
    machine,
    {
      title: "Generation: CPU of one signer",
      figures: [...auxiliaryFigures(primesCpuMs, auxiliary), ...keyFigures],
    },
    ...presigning,
    PUBLISHED_FIGURES,
  ];
};
