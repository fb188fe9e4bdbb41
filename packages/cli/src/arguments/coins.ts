import { InvalidArgumentError } from "commander";

/** Reads an amount above 0 in whole coins or tokens, as a decimal. */
export const wholeCoins = (text: string): string => {
  if (/^\d{1,60}(\.\d{1,30})?$/.test(text) && /[1-9]/.test(text)) return text;
  throw new InvalidArgumentError("It is no amount above 0, such as 1.5.");
};

const MOST_DECIMALS = 18;

/** Reads how many decimal places a token has. */
export const decimalPlaces = (text: string): number => {
  if (/^\d{1,2}$/.test(text) && Number(text) <= MOST_DECIMALS) return Number(text);
  throw new InvalidArgumentError(`It is no whole number from 0 to ${MOST_DECIMALS}.`);
};
