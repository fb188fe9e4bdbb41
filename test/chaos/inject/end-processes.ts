import type { Heal, InjectedFault } from "@conclave/chaos";
import type { Cluster } from "@conclave/testbed";
import { LastingEffects } from "./lasting-effects.ts";
import { processOf } from "./process-names.ts";

type Ended = Extract<InjectedFault, { kind: "kill" | "stop" | "pause" }>;

type Processes = Pick<Cluster, "status" | "restart" | "kill" | "stopProcess" | "pause" | "resume">;

/** Processes to start first, because others wait for them. */
const FOUNDATIONS = ["postgres", "nats", "anvil"];

/**
 * Ends processes and starts them again. It never ends a process during its start, because that start, a healing, would fail. A
 * process that several faults ended starts when the last of them heals.
 */
export class ProcessEnds {
  readonly #cluster: Processes;
  /** pending starts by process name; they never reject */
  readonly #starting = new Map<string, Promise<unknown>>();
  /** number of faults that keep a process down, by its name */
  readonly #downed = new Map<string, number>();
  readonly #pauses = new LastingEffects();

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

  /**
   * Records that a fault keeps these processes down. @returns a function that starts those that no other fault keeps down and
   * that do not run
   */
  keepDown(names: readonly string[]): Heal {
    for (const name of names) this.#downed.set(name, (this.#downed.get(name) ?? 0) + 1);
    return async () => {
      for (const name of names) this.#downed.set(name, (this.#downed.get(name) ?? 0) - 1);
      await this.startAgain(names);
    };
  }

  /** Starts the processes that do not run, unless a fault keeps them down. */
  async startAgain(names: readonly string[]): Promise<void> {
    await this.#untilStarted(names);
    const down = names.filter((name) => !this.#isRunning(name) && (this.#downed.get(name) ?? 0) === 0);
    const first = down.filter((name) => FOUNDATIONS.includes(name) || name.startsWith("ledger-"));
    for (const name of first) await this.#start(name);
    await Promise.all(down.filter((name) => !first.includes(name)).map((name) => this.#start(name)));
  }

  /** Starts a process for the only fault that keeps it down, unless it runs. It may exit at once; its log then says why. */
  async startAlone(name: string): Promise<void> {
    await this.#untilStarted([name]);
    if (this.#isRunning(name) || (this.#downed.get(name) ?? 0) > 1) return;
    await this.#start(name).catch(() => undefined);
  }

  async #untilStarted(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#starting.get(name)));
  }

  /** Kills, stops or pauses processes; healing makes them run again. */
  async end({ kind, places }: Ended): Promise<Heal> {
    const names = places.map(processOf);
    await this.#untilStarted(names);
    switch (kind) {
      case "pause": {
        const heals = await Promise.all(names.map((name) => this.#pauses.hold(name, this.#resuming(name))));
        // also if `hold` already paused it: the process may have been killed and restarted since
        for (const name of names) this.#cluster.pause(name);
        return async () => {
          for (const heal of heals) await heal();
        };
      }
      case "kill":
      case "stop": {
        const heal = this.keepDown(names);
        const end = kind === "kill" ? this.#cluster.kill : this.#cluster.stopProcess;
        await Promise.all(names.map((name) => end(name)));
        return heal;
      }
    }
  }

  #resuming(name: string): () => Promise<Heal> {
    return async () => async () => {
      if (this.#isRunning(name)) this.#cluster.resume(name);
    };
  }
}
