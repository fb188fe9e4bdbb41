import { stateLayout } from "@conclave/testbed/launch";
import { makeLocalToken, type TokenOrder } from "@conclave/testbed/tokens";
import { runningDescription } from "../../running-description.ts";

/**
 * `conclave token create`: makes a token on a local network, and keeps it in the cluster's folder.
 * @param state the cluster's state folder
 * @throws LaunchError when the network has no local node or no such tokens, or has one of this symbol
 */
export const createToken = async (state: string, order: TokenOrder): Promise<void> => {
  const file = stateLayout(state).tokens;
  const { symbol, network, kind, decimals, id } = await makeLocalToken(
    runningDescription(state).networks,
    file,
    order,
  );
  process.stdout.write(`${symbol} is made on ${network}: ${kind}, ${decimals} decimal places\n`);
  process.stdout.write(`the chain calls it ${id}\n`);
  process.stdout.write(`conclave fund <wallet> --token ${symbol} pays it\n`);
};
