import { parseUnits } from "viem/utils";
import { LaunchError } from "./launch-error.ts";

const DECIMAL = /^\d{1,30}(\.\d{1,30})?$/;

/**
 * Converts a decimal amount to smallest units.
 * @param text a decimal such as "1.5"
 * @param decimals decimal places of the asset
 * @throws LaunchError when the text is not such a number, is zero, or has too many decimals
 */
export const unitsOf = (text: string, decimals: number): bigint => {
  const [, fraction = ""] = text.split(".");
  const units = DECIMAL.test(text) && fraction.length <= decimals ? parseUnits(text, decimals) : 0n;
  if (units > 0n) return units;
  throw new LaunchError(
    `${text} is no amount`,
    `Give a positive number with up to ${decimals} decimal places, such as 1.5.`,
  );
};
