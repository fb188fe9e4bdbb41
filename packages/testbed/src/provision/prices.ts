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

/** Writes the prices by which policies judge amounts, unless the folder has a price file already. */
export const givePrices = (layout: StateLayout): void => {
  if (existsSync(layout.prices)) return;
  writeFileSync(layout.prices, `${JSON.stringify(DEVELOPMENT_PRICES, undefined, 2)}\n`);
};
