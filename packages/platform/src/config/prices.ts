import { makePrices, NO_PRICES, type Prices, priceListSchema } from "@conclave/custody";
import { readJsonFile } from "./json-file.ts";

/**
 * The prices by which policies judge amounts: the file that CONCLAVE_PRICES names. Without one no price is known.
 * @throws ConfigurationError when the file is missing or not valid
 */
export const loadPrices = async (path: string | undefined): Promise<Prices> =>
  path === undefined
    ? NO_PRICES
    : makePrices(await readJsonFile(path, "the list of prices", priceListSchema));
