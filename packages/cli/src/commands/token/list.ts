import { stateLayout } from "@conclave/testbed/launch";
import { keptTokens } from "@conclave/testbed/tokens";
import { printList } from "../../client/print.ts";
import { runningDescription } from "../../running-description.ts";

/**
 * `conclave token list`: the tokens that were made on local networks. The makers' keys stay in the file.
 * @param state the cluster's state folder
 * @throws LaunchError when no cluster was started there
 */
export const listTokens = (state: string, json: boolean): void => {
  runningDescription(state);
  const tokens = keptTokens(stateLayout(state).tokens).map(({ network, kind, symbol, decimals, id }) => ({
    network,
    kind,
    symbol,
    decimals,
    id,
  }));
  printList(
    { json },
    tokens,
    ["network", "symbol", "kind", "decimals", "on its chain"],
    ({ network, symbol, kind, decimals, id }) => [network, symbol, kind, String(decimals), id],
    "no token yet: `conclave token create --network Polygon --kind Erc20 --symbol USDC` makes one",
  );
};
