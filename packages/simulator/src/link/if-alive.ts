import type { ProcessWorld } from "../time/process-world.ts";

/** An answer that reaches no dead process. */
export const ifAlive = async <T>(world: Pick<ProcessWorld, "isAlive">, answer: Promise<T>): Promise<T> => {
  try {
    const value = await answer;
    return world.isAlive() ? value : await new Promise<never>(() => undefined);
  } catch (error) {
    if (!world.isAlive()) return new Promise<never>(() => undefined);
    throw error;
  }
};
