import type { World } from "@conclave/custody";
import type { Way } from "./way.ts";

/** A message takes at least 1 ms, and at most this. */
const LINE_MS_MAX = 8;
const MS_PER_SECOND = 1_000;

/** Carries a message of so many bytes: runs something later, never before what it was handed earlier. */
export type Line = (bytes: number, arrive: () => void) => void;

/** A line that keeps the order of its messages, and takes as long for each as the world's chance draws, and as its way delays it. */
export const openLine = (world: Pick<World, "monotonicMs" | "after" | "entropy">, way: Way): Line => {
  let lastMs = 0;
  return (bytes, arrive) => {
    const nowMs = world.monotonicMs();
    const drawnMs = 1 + ((world.entropy(1)[0] ?? 0) % LINE_MS_MAX);
    const sendingMs = (bytes / way.bytesPerSecond) * MS_PER_SECOND;
    lastMs = Math.max(lastMs, nowMs + drawnMs + way.delayMs) + sendingMs;
    world.after(lastMs - nowMs, arrive);
  };
};
