import { existsSync, writeFileSync } from "node:fs";
import { DEVELOPMENT_NETWORK } from "../development-network.ts";
import type { StateLayout } from "../state/layout.ts";

/** Round prices for trying out policies; the operator can replace them in the file. */
const DEVELOPMENT_PRICES = [{ network: DEVELOPMENT_NETWORK, asset: "Native", EUR: "1800", USD: "2000" }];

/** Writes the prices by which policies judge amounts, unless the folder has a price file already. */
export const givePrices = (layout: StateLayout): void => {
  if (existsSync(layout.prices)) return;
  writeFileSync(layout.prices, `${JSON.stringify(DEVELOPMENT_PRICES, undefined, 2)}\n`);
};
