import type { Heal, InjectedFault } from "@conclave/chaos";
import type { Cluster } from "@conclave/testbed";
import { processOf } from "./process-names.ts";

type Ended = Extract<InjectedFault, { kind: "kill" | "stop" | "pause" }>;

/** What others wait for starts first. */
const FOUNDATIONS = ["postgres", "nats", "anvil"];

const isRunning = (cluster: Cluster, name: string): boolean =>
  cluster.status().some((process) => process.name === name && process.state !== "exited");

/** Starts those that do not run: another fault may have had them started meanwhile. */
export const startAgain = async (cluster: Cluster, names: readonly string[]): Promise<void> => {
  const down = names.filter((name) => !isRunning(cluster, name));
  const first = down.filter((name) => FOUNDATIONS.includes(name) || name.startsWith("ledger-"));
  for (const name of first) await cluster.restart(name);
  await Promise.all(down.filter((name) => !first.includes(name)).map((name) => cluster.restart(name)));
};

/** Kills, stops or pauses processes; healed they run again. */
export const endProcesses = async (cluster: Cluster, { kind, places }: Ended): Promise<Heal> => {
  const names = places.map(processOf);
  switch (kind) {
    case "pause":
      for (const name of names) cluster.pause(name);
      return async () => {
        for (const name of names.filter((one) => isRunning(cluster, one))) cluster.resume(name);
      };
    case "kill":
      await Promise.all(names.map((name) => cluster.kill(name)));
      return () => startAgain(cluster, names);
    case "stop":
      await Promise.all(names.map((name) => cluster.stopProcess(name)));
      return () => startAgain(cluster, names);
  }
};
