import { CONFIRMING_MS_MAX } from "@conclave/cluster";
import type { World } from "@conclave/custody";

const LOOK_MS = 20;

/**
 * Calls back once, when peers have confirmed that the store is no older copy, or too few have for CONFIRMING_MS_MAX: so an orchestrator asks for
 * nothing that a signer would refuse a moment after its start. To make keys needs no confirmation.
 *
 * @returns the timer, to be stopped when the signer stops
 */
export const onceConfirmed = (
  world: World,
  isConfirmed: () => boolean,
  serve: () => void,
): ReturnType<World["every"]> => {
  const sinceMs = world.monotonicMs();
  const timer = world.every(LOOK_MS, () => {
    if (!isConfirmed() && world.monotonicMs() - sinceMs < CONFIRMING_MS_MAX) return;
    timer.stop();
    serve();
  });
  return timer;
};
