import { InvalidArgumentError } from "commander";

/** Reads an option that is a whole number, of at most five digits. */
export const wholeNumber = (text: string): number => {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError("not a whole number");
  return Number(text);
};
