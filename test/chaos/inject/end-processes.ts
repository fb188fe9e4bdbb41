import type { Heal, InjectedFault } from "@conclave/chaos";
import type { Cluster } from "@conclave/testbed";
import { processOf } from "./process-names.ts";

type Ended = Extract<InjectedFault, { kind: "kill" | "stop" | "pause" }>;

type Processes = Pick<Cluster, "status" | "restart" | "kill" | "stopProcess" | "pause" | "resume">;

/** What others wait for starts first. */
const FOUNDATIONS = ["postgres", "nats", "anvil"];

/** Ends processes and starts them again. One that is being started is not ended before it has started: its healing would fail. */
export class ProcessEnds {
  readonly #cluster: Processes;
  /** starts under way, by name; they never reject */
  readonly #starting = new Map<string, Promise<unknown>>();

  constructor(cluster: Processes) {
    this.#cluster = cluster;
  }

  #isRunning(name: string): boolean {
    return this.#cluster.status().some((process) => process.name === name && process.state !== "exited");
  }

  async #start(name: string): Promise<void> {
    const started = this.#cluster.restart(name);
    const settled = started.catch(() => undefined);
    this.#starting.set(name, settled);
    await started;
  }

  /** Starts those that do not run: another fault may have had them started meanwhile. */
  async startAgain(names: readonly string[]): Promise<void> {
    await this.#untilStarted(names);
    const down = names.filter((name) => !this.#isRunning(name));
    const first = down.filter((name) => FOUNDATIONS.includes(name) || name.startsWith("ledger-"));
    for (const name of first) await this.#start(name);
    await Promise.all(down.filter((name) => !first.includes(name)).map((name) => this.#start(name)));
  }

  async #untilStarted(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#starting.get(name)));
  }

  /** Kills, stops or pauses processes; healed they run again. */
  async end({ kind, places }: Ended): Promise<Heal> {
    const names = places.map(processOf);
    await this.#untilStarted(names);
    switch (kind) {
      case "pause":
        for (const name of names) this.#cluster.pause(name);
        return async () => {
          for (const name of names.filter((one) => this.#isRunning(one))) this.#cluster.resume(name);
        };
      case "kill":
        await Promise.all(names.map((name) => this.#cluster.kill(name)));
        return () => this.startAgain(names);
      case "stop":
        await Promise.all(names.map((name) => this.#cluster.stopProcess(name)));
        return () => this.startAgain(names);
    }
  }
}
