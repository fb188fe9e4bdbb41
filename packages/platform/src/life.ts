import { readFileSync } from "node:fs";
import type { World } from "@conclave/custody";

/** Linux: a random id that the kernel draws at its boot (random(4)). */
const BOOT_ID = "/proc/sys/kernel/random/boot_id";
/** A clock that is set by so much against the one that only counts. */
const CLOCK_STEP_MS = 2_000;
/** A process looks several times a second. */
const STOOD_STILL_MS = 15_000;
/** The two clocks are read this close to each other, or again. */
const READ_MS = 100;
const READINGS_MAX = 5;

/** The signs by which a process knows that it goes on where it was. */
export interface LifeSigns {
  /** Unix milliseconds less those of the clock that only counts: a pause of the machine moves it, and so does setting the clock */
  readonly offsetMs: number;
  readonly monotonicMs: number;
  /** of the machine; undefined where the system shows none */
  readonly bootId: string | undefined;
}

/**
 * Why a process may be another life than that of before: paused with its machine, resumed from a snapshot, moved to another host.
 * @returns undefined when nothing says so
 */
export const whyDoubted = (before: LifeSigns, now: LifeSigns): string | undefined => {
  if (now.bootId !== before.bootId) return "it runs on a machine of another boot";
  const stoodMs = now.monotonicMs - before.monotonicMs;
  if (stoodMs > STOOD_STILL_MS) return `it stood still for ${Math.round(stoodMs / 1_000)} s`;
  const movedMs = now.offsetMs - before.offsetMs;
  return Math.abs(movedMs) < CLOCK_STEP_MS
    ? undefined
    : `its clock jumped by ${Math.round(movedMs / 1_000)} s, or its machine was paused`;
};

/** The id of this machine's boot. @returns undefined where the system shows none */
export const machineBootId = (): string | undefined => {
  try {
    return readFileSync(BOOT_ID, "latin1");
  } catch {
    return undefined;
  }
};

/** Both clocks at one moment: between two readings a busy machine may let any time pass. */
const clocks = ({ nowMs, monotonicMs }: Pick<World, "nowMs" | "monotonicMs">) => {
  for (let reading = 1; ; reading += 1) {
    const startMs = monotonicMs();
    const offsetMs = nowMs() - startMs;
    const endMs = monotonicMs();
    if (endMs - startMs < READ_MS || reading === READINGS_MAX) return { offsetMs, monotonicMs: endMs };
  }
};

/** Watches whether this process goes on where it was. A signer looks before anything is done with a nonce. */
export class LifeWatch {
  readonly #world: Pick<World, "nowMs" | "monotonicMs">;
  readonly #bootId: () => string | undefined;
  #before: LifeSigns;

  constructor(world: Pick<World, "nowMs" | "monotonicMs">, readBootId = machineBootId) {
    this.#world = world;
    this.#bootId = readBootId;
    this.#before = { ...clocks(world), bootId: readBootId() };
  }

  /**
   * @param how "fast" reads the clocks alone, in less than a microsecond
   * @returns why this may be another life than that of before, once for each reason; undefined when nothing says so
   */
  look(how: "fast" | "whole"): string | undefined {
    const { bootId } = this.#before;
    const now: LifeSigns = {
      ...clocks(this.#world),
      bootId: how === "whole" ? this.#bootId() : bootId,
    };
    const doubt = whyDoubted(this.#before, now);
    // small steps of the clock add up: the offset is that of the start, or of the last doubt
    this.#before = doubt === undefined ? { ...now, offsetMs: this.#before.offsetMs } : now;
    return doubt;
  }
}
