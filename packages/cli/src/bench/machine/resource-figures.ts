import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "@conclave/testbed";
import type { Figure } from "../figure.ts";
import { childrenOf, cpuSince, type Usage, usageOf } from "./process-usage.ts";

/** DESIGN.md: resident memory of one signer */
const SIGNER_MEMORY_BUDGET_MB = 150;
const IDLE_MS = 8_000;
/** idle signers precompute for a while after their last session */
const QUIET_AFTER_MS = 5_000;
const QUIET_SAMPLE_MS = 1_000;
const QUIET_CPU_MS = 60;
const QUIET_MAX_MS = 30_000;

interface NamedUsage extends Usage {
  readonly name: string;
}

const isSigner = ({ name }: { readonly name: string }): boolean => name.startsWith("signer-");

const usageWithChildren = (pid: number): Usage => {
  const all = [pid, ...childrenOf(pid)].map(usageOf);
  return {
    residentMb: all.reduce((sum, { residentMb }) => sum + residentMb, 0),
    peakMb: all[0]?.peakMb,
    cpuSeconds: all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
  };
};

/** Reads the CPU seconds of each process of the cluster and of its children, by name and process id. */
const cpuByName = (cluster: Cluster): ReadonlyMap<string, ReadonlyMap<number, number>> =>
  new Map(
    cluster
      .status()
      .filter(({ state }) => state === "running")
      .map(({ name, pid }) => [
        name,
        new Map([pid, ...childrenOf(pid)].map((each) => [each, usageOf(each).cpuSeconds])),
      ]),
  );

/** Returns the CPU seconds that each process has used since `before`. */
const spentSince = (cluster: Cluster, before: ReturnType<typeof cpuByName>) =>
  [...cpuByName(cluster)].map(([name, after]) => ({
    name,
    cpuSeconds: cpuSince(before.get(name) ?? new Map(), after),
  }));

const usages = (cluster: Cluster): readonly NamedUsage[] =>
  cluster
    .status()
    .filter(({ state }) => state === "running")
    .map(({ name, pid }) => ({ name, ...usageWithChildren(pid) }));

/** The resident memory of one running process of the cluster, in MB. @throws RangeError when the process does not run */
export const residentMb = (cluster: Cluster, name: string): number => {
  const found = usages(cluster).find((usage) => usage.name === name);
  if (found === undefined) throw new RangeError(`${name} does not run`);
  return found.residentMb;
};

const largest = (values: readonly number[]): number => Math.max(...values);

/** Measures the resident memory of every process after the work so far. */
export const memoryFigures = (cluster: Cluster): readonly Figure[] => {
  const all = usages(cluster);
  const signers = all.filter(isSigner);
  const peaks = signers.flatMap(({ peakMb }) => peakMb ?? []);
  const peak: readonly Figure[] =
    peaks.length === 0
      ? []
      : [
          {
            name: "memory.signer.peak",
            unit: "MB",
            label: "signer, its peak (largest of all)",
            value: largest(peaks),
            note: "auxiliary generation included",
          },
        ];
  return [
    {
      name: "memory.signer",
      unit: "MB",
      label: "signer (largest of all)",
      value: largest(signers.map(({ residentMb }) => residentMb)),
      budget: SIGNER_MEMORY_BUDGET_MB,
      note: "RSS after signing: Node, its worker threads, shared libraries",
    },
    ...peak,
    ...all
      .filter((usage) => !isSigner(usage))
      .map(
        ({ name, residentMb }): Figure => ({
          name: `memory.${name}`,
          unit: "MB",
          label: name,
          value: residentMb,
          ...(name === "postgres" ? { note: "sum over its processes; shared pages count in each" } : {}),
        }),
      ),
  ];
};

/** Waits, half a minute at most, until all signers have finished their precomputation. */
export const untilQuiet = async (cluster: Cluster): Promise<void> => {
  const end = performance.now() + QUIET_MAX_MS;
  await delay(QUIET_AFTER_MS);
  for (let busy = Number.POSITIVE_INFINITY; busy > QUIET_CPU_MS && performance.now() < end; ) {
    const before = cpuByName(cluster);
    await delay(QUIET_SAMPLE_MS);
    const signers = spentSince(cluster, before).filter(isSigner);
    busy = largest(signers.map(({ cpuSeconds }) => 1000 * cpuSeconds));
  }
};

/** Measures the CPU of idle processes, in percent of one core. */
export const idleFigures = async (cluster: Cluster): Promise<readonly Figure[]> => {
  await untilQuiet(cluster);
  const began = performance.now();
  const before = cpuByName(cluster);
  await delay(IDLE_MS);
  const elapsed = (performance.now() - began) / 1000;
  const shares = spentSince(cluster, before).map(({ name, cpuSeconds }) => ({
    name,
    percent: (100 * cpuSeconds) / elapsed,
  }));
  const signers = shares.filter(isSigner);
  return [
    {
      name: "idle.signer",
      unit: "%",
      label: "signer, idle (largest of all)",
      value: largest(signers.map(({ percent }) => percent)),
      note: "of one core",
    },
    {
      name: "idle.cluster",
      unit: "%",
      label: "whole cluster, idle",
      value: shares.reduce((sum, { percent }) => sum + percent, 0),
      note: "of one core; chain, database and bus included",
    },
  ];
};
