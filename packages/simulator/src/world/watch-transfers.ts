import { readTransfer } from "@conclave/platform";
import type { TraceLine } from "../trace/trace.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

const LOOK_MS = 50;
const MS_PER_SECOND = 1_000;
const ENDS: readonly string[] = ["Confirmed", "Failed"];

interface Watched {
  readonly transfer: { readonly id: Parameters<typeof readTransfer>[1] };
}

interface Known {
  readonly sinceMs: number;
  readonly status: string;
}

/**
 * Looks at transfers every 50 virtual ms, from outside, and notes each end. The run is the same with it and without it, but for the steps.
 * @param accepted the transfers so far, in the order of their numbers
 * @returns reads the lines that were noted so far
 */
export const watchTransfers = (
  cluster: SimulatedCluster,
  accepted: readonly Watched[],
): (() => readonly TraceLine[]) => {
  const { parts, observer, world } = cluster;
  const lines: TraceLine[] = [];
  const known = new Map<string, Known>();
  const look = async ({ transfer: { id } }: Watched, number: number): Promise<void> => {
    const before = known.get(id) ?? { sinceMs: world.monotonicMs(), status: "" };
    known.set(id, before);
    if (ENDS.includes(before.status)) return;
    const row = await readTransfer(observer, id);
    if (row === undefined || !ENDS.includes(row.status) || ENDS.includes(known.get(id)?.status ?? "")) return;
    known.set(id, { ...before, status: row.status });
    const tookS = ((world.monotonicMs() - before.sinceMs) / MS_PER_SECOND).toFixed(1);
    const why = row.reason === undefined ? "" : `: ${row.reason}`;
    const words = `transfer ${number} is ${row.status} after ${tookS} s${why}`;
    lines.push({ atUs: parts.scheduler.nowUs, process: "transfers", words });
  };
  world.every(LOOK_MS, () => {
    for (const [at, each] of accepted.entries()) void look(each, at + 1);
  });
  return () => lines;
};
