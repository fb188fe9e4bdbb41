import type { Cluster } from "../cluster.ts";
import { LaunchError } from "../launch-error.ts";
import type { Order } from "./order.ts";

type Operated = Pick<Cluster, "status" | "restart" | "stopProcess" | "applyRoster">;

/** Carries out an operator's order on a running cluster. Rejects with a LaunchError if that fails. */
export const carryOutOrder = async (
  cluster: Operated,
  order: Order,
  say: (line: string) => void,
): Promise<void> => {
  if (order.kind === "apply-roster") return cluster.applyRoster(say);
  const processes = cluster.status();
  const found = processes.find(({ name }) => name === order.process);
  if (found === undefined) {
    const known = processes.map(({ name }) => name).join(", ");
    throw new LaunchError(`there is no process ${order.process}`, `There are ${known}.`);
  }
  const { name, state } = found;
  const runs = state !== "exited";
  if (runs && order.kind === "start") return say(`${name} runs already`);
  if (!runs && order.kind === "stop") return say(`${name} does not run`);
  if (runs) {
    await cluster.stopProcess(name);
    say(`${name} is stopped`);
  }
  if (order.kind === "stop") return;
  await cluster.restart(name);
  say(`${name} runs`);
};
