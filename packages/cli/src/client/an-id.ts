import { InvalidArgumentError } from "commander";

/** Reads an option that is the id of a thing of the interface, of any kind. */
export const anId = (text: string): string => {
  if (/^[a-z]{2,4}-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/.test(text)) return text;
  throw new InvalidArgumentError("It is no id, such as xfr-5n27h-dxfqg-o8u7tpwvrgnu3efz.");
};
