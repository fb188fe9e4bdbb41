import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const COLLECTIONS = 10;

/**
 * Whether an object can be garbage-collected once its maker has released it, so that nothing keeps it for the life of
 * the process.
 *
 * @param make makes the object and releases it
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
