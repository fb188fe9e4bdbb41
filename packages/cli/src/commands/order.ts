import { giveOrder, type Order, stateLayout } from "@conclave/testbed/launch";
import { runningDescription } from "../running-description.ts";

/** `conclave restart`, `start` and `stop`: gives an order to the process that runs the cluster, and shows its progress. */
export const giveProcessOrder = async (state: string, order: Order): Promise<void> => {
  runningDescription(state);
  await giveOrder(stateLayout(state).run, order, (line) => {
    process.stdout.write(`${line}\n`);
  });
};
