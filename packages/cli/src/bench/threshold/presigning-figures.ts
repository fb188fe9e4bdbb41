import { type AuxiliaryInfo, CGGMP24, type PartyIndex } from "@conclave/threshold";
import type { Figure, Section } from "../figure.ts";
import { powerFigures } from "../machine/power-figures.ts";
import { median } from "../statistics.ts";
import { type Prepared, prepareMasks } from "./prepared-masks.ts";
import type { ProtocolRun } from "./protocol-run.ts";
import { cpuTaken, stepFigures, totalOf } from "./step-figures.ts";
import { runKeyGeneration, runPresigning, runSigning } from "./threshold-parties.ts";

/** DESIGN.md: CPU of one signer of three for one presignature */
const BUDGET_MS = 600;
const BUDGETED_THRESHOLD = 3;
/** every run gives one sample of each signer */
const SAMPLES = 4;

const STEPS = [
  "start: commit, prove Πenc-elg",
  "round 1: verify Πenc-elg; convert, prove Πaff-g",
  "round 2: verify Πaff-g, decrypt; reveal",
  "round 3: verify Πelog; output",
];

/** Presignings by the same signers, once without precomputed masks and once with all of them. */
interface Measured {
  readonly threshold: number;
  readonly onTheSpot: readonly ProtocolRun<unknown>[];
  readonly prepared: readonly Prepared[];
  readonly ahead: readonly ProtocolRun<unknown>[];
  readonly signings: readonly ProtocolRun<unknown>[];
}

const measure = (
  threshold: number,
  parties: readonly PartyIndex[],
  auxiliary: ReadonlyMap<PartyIndex, AuxiliaryInfo>,
): Measured => {
  const keys = runKeyGeneration(parties, threshold, CGGMP24).outputs;
  const signers = parties.slice(0, threshold);
  const runs = Math.ceil(SAMPLES / threshold);
  const prepared = new Map(
    signers.flatMap((self) => {
      const own = auxiliary.get(self);
      return own === undefined ? [] : [[self, prepareMasks(own, signers, runs)] as const];
    }),
  );
  const [{ masks = [] } = {}] = prepared.values();
  const ahead = masks.map((_, at) => {
    const masksOf = [...prepared].flatMap(([self, made]) => {
      const one = made.masks[at];
      return one === undefined ? [] : [[self, one] as const];
    });
    return runPresigning(signers, keys, auxiliary, new Map(masksOf));
  });
  const onTheSpot = Array.from({ length: runs }, () => runPresigning(signers, keys, auxiliary));
  const signings = [...ahead, ...onTheSpot].map(({ outputs }) => runSigning(outputs));
  return { threshold, onTheSpot, prepared: [...prepared.values()], ahead, signings };
};

const figuresOf = ({ threshold, onTheSpot, prepared, ahead, signings }: Measured): readonly Figure[] => {
  const prefix = `presigning.t${threshold}`;
  const budget = threshold === BUDGETED_THRESHOLD ? { budget: BUDGET_MS } : {};
  const [first] = prepared;
  return [
    {
      name: `${prefix}.prepared`,
      unit: "ms",
      label: `presigning, t = ${threshold}, masks made in idle time`,
      value: totalOf(ahead, cpuTaken),
      ...budget,
    },
    ...stepFigures(`${prefix}.prepared`, STEPS, ahead),
    {
      name: `${prefix}.masks`,
      unit: "ms",
      label: "  the masks of one presigning, in idle time",
      value: median(prepared.map(({ cpuMs }) => cpuMs)),
    },
    {
      name: `${prefix}.total`,
      unit: "ms",
      label: `presigning, t = ${threshold}, masks made on the spot`,
      value: totalOf(onTheSpot, cpuTaken),
      ...budget,
      note: "all that a presignature costs",
    },
    ...stepFigures(prefix, STEPS, onTheSpot),
    {
      name: `${prefix}.powers`,
      unit: "ms",
      label: "  of it inside OpenSSL's modular powers",
      value: totalOf(onTheSpot, ({ powers }) => powers.reduce((sum, { ms }) => sum + ms, 0)),
      note: "by size below; halves by the Chinese remainder theorem count one each",
    },
    ...powerFigures(prefix, ahead, first?.powers ?? []),
    {
      name: `${prefix}.sent`,
      unit: "KB",
      label: "  payload sent",
      value: totalOf(onTheSpot, ({ sentBytes }) => sentBytes) / 1000,
    },
    {
      name: `signing.t${threshold}`,
      unit: "ms",
      label: `online round, t = ${threshold}`,
      value: totalOf(signings, cpuTaken),
    },
  ];
};

/**
 * Measures the CPU of presigning and of the online round at one signer.
 *
 * @param threshold how many of the parties sign
 * @param auxiliary of every party
 */
export const presigningSection = (
  threshold: number,
  parties: readonly PartyIndex[],
  auxiliary: ReadonlyMap<PartyIndex, AuxiliaryInfo>,
): Section => ({
  title: `Presigning and signing with ${threshold} signers: CPU of one signer`,
  figures: figuresOf(measure(threshold, parties, auxiliary)),
});
