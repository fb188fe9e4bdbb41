import { giveOrder, type Order, stateLayout } from "@conclave/testbed/launch";

/** `conclave restart`, `start` and `stop`: gives an order to the process that runs the cluster, and shows its progress. */
export const giveProcessOrder = (state: string, order: Order): Promise<void> =>
  giveOrder(stateLayout(state).run, order, (line) => {
    process.stdout.write(`${line}\n`);
  });
