import { existsSync, writeFileSync } from "node:fs";
import { LOCAL_NETWORKS } from "../networks/network-table.ts";
import type { StateLayout } from "../state/layout.ts";

/** Round prices for trying out policies; an operator can replace them in the file. */
const DEVELOPMENT_PRICES = LOCAL_NETWORKS.map(({ network, price: { USD, EUR } }) => ({
  network,
  asset: "Native",
  EUR,
  USD,
}));

const give = (path: string, content: unknown): void => {
  if (!existsSync(path)) writeFileSync(path, `${JSON.stringify(content, undefined, 2)}\n`);
};

/**
 * Writes the files that an operator changes, where the folder lacks them: the prices by which policies judge amounts, and
 * the list of identity providers, of which there are none.
 */
export const giveOperatorsFiles = (layout: StateLayout): void => {
  give(layout.prices, DEVELOPMENT_PRICES);
  give(layout.identityProviders, []);
};
