import { type Cluster, carryOutOrder, LaunchError, type OrderService, serveOrders } from "@conclave/testbed";
import type { StopRequest } from "../stop-request.ts";

/** Listens for operators' orders. Where no socket can be opened, the cluster runs on without. */
const takeOrders = async (cluster: Cluster): Promise<OrderService | undefined> => {
  try {
    return await serveOrders(cluster.layout.run, (order, say) => carryOutOrder(cluster, order, say));
  } catch (cause) {
    if (!(cause instanceof LaunchError)) throw cause;
    process.stderr.write(`this cluster takes no orders: ${cause.message}\n${cause.remedy}\n`);
    return undefined;
  }
};

/**
 * Carries out operators' orders to a running cluster until SIGINT or SIGTERM, and then stops the cluster.
 *
 * @param ready called once orders are accepted
 */
export const obeyUntilStopped = async (
  cluster: Cluster,
  stop: StopRequest,
  ready: () => Promise<void>,
): Promise<void> => {
  const orders = await takeOrders(cluster);
  try {
    await ready();
    await stop.requested;
    process.stderr.write("stopping …\n");
  } finally {
    await Promise.all([cluster.stop(), orders?.close()]);
  }
};
