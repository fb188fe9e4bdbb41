import { setImmediate as turn } from "node:timers/promises";
import { readTransfer } from "@conclave/platform";
import type { Violation } from "../check/violation.ts";
import type { ProcessWorld } from "../time/process-world.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";
import { type StandingProcess, type Standstill, standstill } from "./standstill.ts";

const ENDS: readonly string[] = ["Confirmed", "Failed"];
/** Turns of the event loop in which the observer's statements run, unless a transaction keeps them waiting. */
const TURNS = 20;

/**
 * Says who waits for whom. No virtual time passes meanwhile.
 * @param ids of the accepted transfers
 */
export const lookAtStandstill = async (
  cluster: SimulatedCluster,
  ids: readonly Parameters<typeof readTransfer>[1][],
  why: string,
): Promise<Violation> => {
  const { parts, signers, orchestrators, gateways, lost, isDatabaseAway } = cluster;
  const standing = (name: string, world: ProcessWorld | undefined): StandingProcess => ({
    name,
    state: lost.has(name)
      ? "lost for good"
      : world === undefined
        ? "dead"
        : world.isPaused()
          ? "paused"
          : "runs",
    last: parts.trace.lastOf(name),
  });
  return standstill(why, {
    waiting: await waitingOf(cluster, ids),
    processes: [...gateways, ...orchestrators, ...signers].map(({ name, world }) => standing(name, world)),
    cutWays: parts.ways.cut,
    isDatabaseAway,
  });
};

const waitingOf = async (
  { observer }: SimulatedCluster,
  ids: readonly Parameters<typeof readTransfer>[1][],
): Promise<Standstill["waiting"]> => {
  const reading = Promise.all(ids.map(async (id) => ({ id, row: await readTransfer(observer, id) })));
  let rows: Awaited<typeof reading> | undefined;
  reading.then(
    (read) => {
      rows = read;
    },
    () => undefined,
  );
  for (let turns = 0; turns < TURNS && rows === undefined; turns += 1) await turn();
  return rows?.flatMap(({ id, row }) =>
    row !== undefined && ENDS.includes(row.status)
      ? []
      : [{ id, status: row?.status ?? "gone", reason: row?.reason }],
  );
};
