export { openFailingStore } from "./disk.ts";
export { followFaultOrders } from "./follow.ts";
export { type FaultOrders, giveFaultOrders, reachedFaultPoint } from "./orders.ts";
