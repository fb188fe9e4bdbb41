import { readingFaultOrders } from "./orders.ts";

/**
 * Sets the wall clock of this process ahead by what the orders say, and behind if that is negative: for its World, which reads it, and
 * for the libraries that do. How long something takes is measured as ever. OpenSSL's time, when it judges
 * certificates, is the machine's.
 *
 * @param folder of the orders
 */
export const setProcessClock = (folder: string): void => {
  const orders = readingFaultOrders(folder);
  const Machine = Date;
  const now = (): number => Machine.now() + orders().clockMs;
  globalThis.Date = new Proxy(Machine, {
    construct: (target, given, itself) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, itself),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
    apply: () => new Machine(now()).toString(),
  });
};
