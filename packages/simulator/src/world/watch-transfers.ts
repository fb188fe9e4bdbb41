import type { TransferId } from "@conclave/custody";
import { readTransfer } from "@conclave/platform";
import type { TraceLine } from "../trace/trace.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

const LOOK_MS = 50;
const MS_PER_SECOND = 1_000;
const ENDS: readonly string[] = ["Confirmed", "Failed"];

interface Known {
  readonly sinceMs: number;
  readonly status: string;
}

/**
 * Looks at transfers every 50 virtual ms, from outside, and notes each end. The run is the same with it and without it, but for the steps.
 * @returns reads the lines that were noted so far
 */
export const watchTransfers = ({
  parts,
  observer,
  world,
  clients,
}: SimulatedCluster): (() => readonly TraceLine[]) => {
  const lines: TraceLine[] = [];
  const known = new Map<string, Known>();
  const look = async (id: TransferId, name: string): Promise<void> => {
    const before = known.get(id) ?? { sinceMs: world.monotonicMs(), status: "" };
    known.set(id, before);
    if (ENDS.includes(before.status)) return;
    const row = await readTransfer(observer, id);
    if (row === undefined || !ENDS.includes(row.status) || ENDS.includes(known.get(id)?.status ?? "")) return;
    known.set(id, { ...before, status: row.status });
    const tookS = ((world.monotonicMs() - before.sinceMs) / MS_PER_SECOND).toFixed(1);
    const why = row.reason === undefined ? "" : `: ${row.reason}`;
    const words = `${name} is ${row.status} after ${tookS} s${why}`;
    lines.push({ atUs: parts.scheduler.nowUs, process: "transfers", words });
  };
  world.every(LOOK_MS, () => {
    for (const { asked } of clients)
      for (const { ids, title } of asked) for (const id of ids) void look(id, title);
  });
  return () => lines;
};
