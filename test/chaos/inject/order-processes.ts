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

/** The orders of one process: all of them hold at once. */
interface Orders {
  readonly points: readonly { readonly point: FaultPoint; readonly hit: number }[];
  /** one for each fault that lasts */
  readonly disks: readonly ("full" | "unsynced")[];
  readonly clockMs: number;
  /** one for each fault that lasts */
  readonly lies: readonly string[];
}

const NOTHING_ORDERED: Orders = { points: [], disks: [], clockMs: 0, lies: [] };

/** A list without one of its equal entries. */
const withoutOne = <T>(all: readonly T[], one: T): readonly T[] => all.toSpliced(all.indexOf(one), 1);

/** As the process reads them; a disk that is full has nothing to sync. */
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

/** Where each process finds its orders. */
interface Faulty {
  readonly layout: { faults(name: string): string };
}

/** The orders of each process: several faults may hold at once, and one that heals leaves the others. */
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
    // orders that are refused are none: else whatever is ordered later, and whatever heals, would be refused with them
    giveFaultOrders(this.#cluster.layout.faults(name), ordersOf(changed));
    this.#orders.set(name, changed);
  }

  /** The faults inside a process: its disk, its clock, its messages. */
  async begin(fault: Inside): Promise<Heal> {
    switch (fault.kind) {
      case "disk": {
        const name = `signer-${fault.signer}`;
        this.#change(name, ({ disks }) => ({ disks: [...disks, fault.failure] }));
        return async () => {
          this.#change(name, ({ disks }) => ({ disks: withoutOne(disks, fault.failure) }));
          // a signer that no longer trusts its disk has ended
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

  /** Has a process die at a point; returns once it has, or the load has ended without it. */
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
    // else the same order, given once more, would be taken for one that is carried out
    rmSync(join(folder, "reached.json"), { force: true });
    return this.#ends.keepDown([name]);
  }
}
