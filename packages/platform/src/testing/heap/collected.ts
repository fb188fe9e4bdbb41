import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const COLLECTIONS = 10;

/**
 * Whether what is made is free to go once its maker has let go of it: nothing that lasts as long as the process holds it.
 * @param make makes it and lets go of it
 */
export const isCollected = async (make: () => object | Promise<object>): Promise<boolean> => {
  const left = new WeakRef(await make());
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new Error("this Node shows no garbage collector");
  for (let round = 0; round < COLLECTIONS && left.deref() !== undefined; round += 1) {
    await setImmediate();
    collect();
  }
  return left.deref() === undefined;
};
