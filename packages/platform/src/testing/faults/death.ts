import { hearFaultPoints } from "../../fault-points/index.ts";
import { noteReached, type PointOrder, reachedFaultPoint, readingFaultOrders } from "./orders.ts";

const isSame = (one: PointOrder, other: PointOrder | undefined): boolean =>
  one.point === other?.point && one.hit === other.hit;

/**
 * Kills this process with SIGKILL when it reaches a point as often as ordered, counted from the order, or from the
 * start of the process. An order is carried out once: while `reached.json` names it, a restarted process passes the
 * point.
 *
 * @param folder of the orders
 */
export const dieAtFaultPoints = (folder: string): void => {
  const orders = readingFaultOrders(folder);
  const hits = new Map<string, number>();
  hearFaultPoints((point) => {
    const order = orders().points.find((each) => each.point === point);
    if (order === undefined) {
      hits.delete(point);
      return;
    }
    const hit = (hits.get(point) ?? 0) + 1;
    hits.set(point, hit);
    if (hit !== order.hit || isSame(order, reachedFaultPoint(folder))) return;
    noteReached(folder, order);
    process.kill(process.pid, "SIGKILL");
  });
};
