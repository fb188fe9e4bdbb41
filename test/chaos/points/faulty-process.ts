import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type FaultOrders, giveFaultOrders, reachedFaultPoint } from "@conclave/platform/testing/faults";
import { type Cluster, waitUntil } from "@conclave/testbed";

const DIED_MS = 60_000;

/** A process of a service in a cluster started with `faults: true`: tests order faults in it. */
export class FaultyProcess {
  readonly name: string;
  readonly #cluster: Cluster;
  readonly #folder: string;

  constructor(cluster: Cluster, name: string) {
    this.name = name;
    this.#cluster = cluster;
    this.#folder = cluster.layout.faults(name);
    mkdirSync(this.#folder, { recursive: true });
  }

  get hasEnded(): boolean {
    return this.#cluster.status().some(({ name, state }) => name === this.name && state === "exited");
  }

  /** All that it has logged. */
  get log(): string {
    return readFileSync(this.#cluster.layout.log(this.name), "utf8");
  }

  order(orders: FaultOrders): void {
    giveFaultOrders(this.#folder, orders);
  }

  /** The point at which it died, with the number of times that it had reached it; undefined if it did not die. */
  get reached(): ReturnType<typeof reachedFaultPoint> {
    return reachedFaultPoint(this.#folder);
  }

  async ended(): Promise<void> {
    await waitUntil(async () => (this.hasEnded ? true : undefined), {
      what: `${this.name} to end`,
      deadlineMs: DIED_MS,
    });
  }

  /** Restarts it without any orders. */
  async heal(): Promise<void> {
    this.order({});
    rmSync(join(this.#folder, "reached.json"), { force: true });
    await this.#cluster.restart(this.name);
  }
}
