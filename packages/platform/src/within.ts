import type { World } from "@conclave/custody";

/** Waits for work, but no longer than a time. Work that takes longer goes on, and nobody hears of its failure. @throws its failure */
export const within = async (world: World, milliseconds: number, work: Promise<unknown>): Promise<void> => {
  const over = new AbortController();
  await Promise.race([work, world.sleep(milliseconds, over.signal)]).finally(() => over.abort());
};
