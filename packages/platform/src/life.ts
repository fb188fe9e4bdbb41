import { readFileSync } from "node:fs";
import type { World } from "@conclave/custody";

/** Linux: a random id that the kernel draws at boot (random(4)). */
const BOOT_ID = "/proc/sys/kernel/random/boot_id";
/** A clock step by this much, relative to the monotonic clock, counts as set. */
const CLOCK_STEP_MS = 2_000;
/** A gap this long is a standstill: the process looks several times a second. */
const STOOD_STILL_MS = 15_000;
/** The two clocks must be read within this time; otherwise they are read again. */
const READ_MS = 100;
const READINGS_MAX = 5;

/** The values by which a process notices that it was paused, copied or moved. */
export interface LifeSigns {
  /** Unix milliseconds minus monotonic milliseconds; a pause of the machine changes it, and so does setting the clock */
  readonly offsetMs: number;
  readonly monotonicMs: number;
  /** boot id of the machine; undefined if the system has none */
  readonly bootId: string | undefined;
}

/**
 * Why this process may have a new life since `before`: its machine was paused, it resumed from a snapshot, or it moved
 * to another host.
 *
 * @returns undefined without such a sign
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

/** The id of this machine's boot. @returns undefined if the system has none */
export const machineBootId = (): string | undefined => {
  try {
    return readFileSync(BOOT_ID, "latin1");
  } catch {
    return undefined;
  }
};

/** Reads both clocks at one moment, and again if too much time passed between the two readings, as on a busy machine. */
const clocks = ({ nowMs, monotonicMs }: Pick<World, "nowMs" | "monotonicMs">) => {
  for (let reading = 1; ; reading += 1) {
    const startMs = monotonicMs();
    const offsetMs = nowMs() - startMs;
    const endMs = monotonicMs();
    if (endMs - startMs < READ_MS || reading === READINGS_MAX) return { offsetMs, monotonicMs: endMs };
  }
};

/** Watches whether this process may have been paused or copied. A signer looks before it uses any nonce. */
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
   * @param how "fast" reads only the clocks, in less than a microsecond
   * @returns why the process may have a new life, once for each reason; undefined without a sign
   */
  look(how: "fast" | "whole"): string | undefined {
    const { bootId } = this.#before;
    const now: LifeSigns = {
      ...clocks(this.#world),
      bootId: how === "whole" ? this.#bootId() : bootId,
    };
    const doubt = whyDoubted(this.#before, now);
    // small clock steps must add up, so the offset stays that of the start or of the last doubt
    this.#before = doubt === undefined ? { ...now, offsetMs: this.#before.offsetMs } : now;
    return doubt;
  }
}
