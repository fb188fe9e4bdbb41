import type { World } from "@conclave/custody";

/** how long a provider's metadata is used before it is read again */
const FRESH_MS = 3_600_000;
/** the pause after a failed reading, in which nobody waits for another one */
const FAILED_MS = 5_000;

/**
 * Keeps what `read` resolves to for an hour. Older metadata serves while it is read again, and for as long as that fails.
 * @throws the last failure, while nothing was ever read
 */
export const keptMetadata = <T>(read: () => Promise<T>, world: Pick<World, "nowMs">): (() => Promise<T>) => {
  let kept: { readonly value: T; readonly untilMs: number } | undefined;
  let failed: { readonly error: unknown; readonly untilMs: number } | undefined;
  let reading: Promise<T> | undefined;
  const readAgain = async (): Promise<T> => {
    try {
      const value = await read();
      kept = { value, untilMs: world.nowMs() + FRESH_MS };
      failed = undefined;
      return value;
    } catch (error) {
      failed = { error, untilMs: world.nowMs() + FAILED_MS };
      throw error;
    } finally {
      reading = undefined;
    }
  };
  return async () => {
    const nowMs = world.nowMs();
    if (kept !== undefined && nowMs < kept.untilMs) return kept.value;
    if (reading === undefined && (failed === undefined || nowMs >= failed.untilMs)) {
      reading = readAgain();
      reading.catch(() => undefined);
    }
    if (kept !== undefined) return kept.value;
    if (reading !== undefined) return reading;
    throw failed?.error;
  };
};
