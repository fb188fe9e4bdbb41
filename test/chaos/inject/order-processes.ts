import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Heal, InjectedFault, Place, ServicePlace } from "@conclave/chaos";
import type { EndSignal } from "@conclave/custody";
import { FAULT_POINTS, type FaultPoint } from "@conclave/platform/fault-points";
import { type FaultOrders, giveFaultOrders, reachedFaultPoint } from "@conclave/platform/testing/faults";
import { waitUntil } from "@conclave/testbed";
import type { ProcessEnds } from "./end-processes.ts";
import { processOf } from "./process-names.ts";

const POLL_MS = 20;

/** The orders of one process; all apply at the same time. */
interface Orders {
  readonly points: readonly { readonly point: FaultPoint; readonly hit: number }[];
  /** an entry for each lasting fault */
  readonly disks: readonly ("full" | "unsynced")[];
  readonly clockMs: number;
  /** an entry for each lasting fault */
  readonly lies: readonly string[];
}

const NOTHING_ORDERED: Orders = { points: [], disks: [], clockMs: 0, lies: [] };

/** The list without one of the entries equal to `one`. */
const withoutOne = <T>(all: readonly T[], one: T): readonly T[] => all.toSpliced(all.indexOf(one), 1);

/** The orders in the form that the process reads. A full disk overrides an unsynced one. */
const ordersOf = ({ points, disks, clockMs, lies }: Orders): FaultOrders => ({
  points: [...points],
  disk: disks.find((failure) => failure === "full") ?? disks[0] ?? null,
  clockMs,
  lies: [...new Set(lies)],
});

type Inside =
  | Extract<InjectedFault, { kind: "disk" | "lie" }>
  | { readonly kind: "clock"; readonly place: ServicePlace; readonly byMs: number };

const faultPoint = (name: string): FaultPoint => {
  const known = FAULT_POINTS.find(({ point }) => point === name);
  if (known !== undefined) return known.point;
  throw new Error(`${name} is no point; there are ${FAULT_POINTS.map(({ point }) => point).join(", ")}`);
};

/** A cluster with the folder of each process's orders. */
interface Faulty {
  readonly layout: { faults(name: string): string };
}

/** The orders of each process. Several faults may apply at once, and healing one leaves the others. */
export class ProcessOrders {
  readonly #cluster: Faulty;
  readonly #ends: Pick<ProcessEnds, "startAgain" | "keepDown">;
  readonly #orders = new Map<string, Orders>();

  constructor(cluster: Faulty, ends: Pick<ProcessEnds, "startAgain" | "keepDown">) {
    this.#cluster = cluster;
    this.#ends = ends;
  }

  #change(name: string, change: (orders: Orders) => Partial<Orders>): void {
    const orders = this.#orders.get(name) ?? NOTHING_ORDERED;
    const changed = { ...orders, ...change(orders) };
    mkdirSync(this.#cluster.layout.faults(name), { recursive: true });
    // give the orders before storing them: refused orders must not stay, or all later orders and healings would be refused too
    giveFaultOrders(this.#cluster.layout.faults(name), ordersOf(changed));
    this.#orders.set(name, changed);
  }

  /** Begins a fault inside a process: of its disk, its clock, or its messages. */
  async begin(fault: Inside): Promise<Heal> {
    switch (fault.kind) {
      case "disk": {
        const name = `signer-${fault.signer}`;
        this.#change(name, ({ disks }) => ({ disks: [...disks, fault.failure] }));
        return async () => {
          this.#change(name, ({ disks }) => ({ disks: withoutOne(disks, fault.failure) }));
          // a signer that no longer trusts its disk has exited
          await this.#ends.startAgain([name]);
        };
      }
      case "clock": {
        const name = processOf(fault.place);
        this.#change(name, ({ clockMs }) => ({ clockMs: clockMs + fault.byMs }));
        return async () => this.#change(name, ({ clockMs }) => ({ clockMs: clockMs - fault.byMs }));
      }
      case "lie": {
        const name = `signer-${fault.signer}`;
        this.#change(name, ({ lies }) => ({ lies: [...lies, fault.message] }));
        return async () => this.#change(name, ({ lies }) => ({ lies: withoutOne(lies, fault.message) }));
      }
    }
  }

  /** Orders a process to die at a point. Resolves once it has died, or the load has ended before that. */
  async dieAt(place: Place, point: string, hit: number, given: EndSignal): Promise<Heal> {
    const name = processOf(place);
    const order = { point: faultPoint(point), hit };
    const folder = this.#cluster.layout.faults(name);
    const isThis = (other: { readonly point: string; readonly hit: number }): boolean =>
      other.point === point && other.hit === hit;
    this.#change(name, ({ points }) => ({ points: [...points, order] }));
    const died = async (): Promise<true | undefined> => {
      const reached = reachedFaultPoint(folder);
      return given.aborted || (reached !== undefined && isThis(reached)) ? true : undefined;
    };
    await waitUntil(died, {
      what: `${name} to reach ${point}`,
      deadlineMs: Number.MAX_SAFE_INTEGER,
      pollMs: POLL_MS,
    });
    this.#change(name, ({ points }) => ({ points: points.filter((other) => !isThis(other)) }));
    // otherwise the same order, if given again, would count as carried out
    rmSync(join(folder, "reached.json"), { force: true });
    return this.#ends.keepDown([name]);
  }
}
