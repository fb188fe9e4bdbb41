import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "@conclave/testbed";

/** How often the bus's store is copied. */
export const COPY_EVERY_MS = 1_000;

interface Copy {
  readonly atMs: number;
  readonly folder: string;
}

type Bus = Pick<Cluster, "copyBus" | "restoreBus">;

/** Copies of what the bus has stored, by the time at which they were made: some backup of its disk. */
export class BusCopies implements Disposable {
  readonly #bus: Bus;
  readonly #folder: string;
  readonly #nowMs: () => number;
  readonly #copies: Copy[] = [];
  readonly #timer: NodeJS.Timeout;

  /** @param folder of this run, for the copies alone */
  constructor(bus: Bus, folder: string, nowMs: () => number = Date.now) {
    this.#bus = bus;
    this.#folder = folder;
    this.#nowMs = nowMs;
    this.copy();
    this.#timer = setInterval(() => this.copy(), COPY_EVERY_MS);
  }

  copy(): void {
    const folder = join(this.#folder, String(this.#copies.length));
    this.#bus.copyBus(folder);
    this.#copies.push({ atMs: this.#nowMs(), folder });
  }

  /** Takes the bus back to the newest copy of so long ago, or to the first. */
  async goBack(byMs: number): Promise<void> {
    const untilMs = this.#nowMs() - byMs;
    const copy = this.#copies.findLast(({ atMs }) => atMs <= untilMs) ?? this.#copies[0];
    if (copy === undefined) throw new Error("nothing of the bus was copied");
    await this.#bus.restoreBus(copy.folder);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
