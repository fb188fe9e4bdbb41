import type { World } from "@conclave/custody";

/** A message takes at least 1 ms, and at most this. */
const LINE_MS_MAX = 8;

/** Carries a message: runs something later, never before what it was handed earlier. */
export type Line = (arrive: () => void) => void;

/** A line that keeps the order of its messages, and takes as long for each as the world's chance draws. */
export const openLine = (world: Pick<World, "monotonicMs" | "after" | "entropy">): Line => {
  let lastMs = 0;
  return (arrive) => {
    const nowMs = world.monotonicMs();
    const drawnMs = 1 + ((world.entropy(1)[0] ?? 0) % LINE_MS_MAX);
    lastMs = Math.max(lastMs, nowMs + drawnMs);
    world.after(lastMs - nowMs, arrive);
  };
};
