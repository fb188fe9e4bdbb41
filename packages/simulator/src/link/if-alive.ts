import type { ProcessWorld } from "../time/process-world.ts";

const never = new Promise<never>(() => undefined);

/** An answer that reaches no dead process. */
export const ifAlive = async <T>(world: Pick<ProcessWorld, "isAlive">, answer: Promise<T>): Promise<T> => {
  try {
    const value = await answer;
    return world.isAlive() ? value : await never;
  } catch (error) {
    if (!world.isAlive()) return never;
    throw error;
  }
};
