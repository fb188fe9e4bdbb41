import { readingFaultOrders } from "./orders.ts";

/**
 * Sets this process's wall clock ahead as the orders say (back if negative), for its World and for libraries, which all
 * read Date. The monotonic clock is unchanged. OpenSSL uses the machine's clock to judge certificates.
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
