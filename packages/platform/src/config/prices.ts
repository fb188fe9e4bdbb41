import { type FamilyTable, makePrices, NO_PRICES, type Prices, priceListSchema } from "@conclave/custody";
import { readJsonFile } from "./json-file.ts";

/**
 * Loads the prices by which policies judge amounts, from the file that CONCLAVE_PRICES names. Without a file, no asset
 * has a price.
 *
 * @throws ConfigurationError if the file is missing or invalid
 */
export const loadPrices = async (path: string | undefined, families: FamilyTable): Promise<Prices> =>
  path === undefined
    ? NO_PRICES
    : makePrices(await readJsonFile(path, "the list of prices", priceListSchema(families)), families);
