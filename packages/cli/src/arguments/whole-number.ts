import { InvalidArgumentError } from "commander";

/** Reads an option that is a whole number, of at most five digits. */
export const wholeNumber = (text: string): number => {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError("not a whole number");
  return Number(text);
};

/** Reads the number of an entry of a list, as the text that it is. */
export const listNumber = (text: string): string => {
  if (/^[1-9]\d{0,17}$/.test(text)) return text;
  throw new InvalidArgumentError("not a number of the list");
};

const PORT_MIN = 1_024;
/** the last port from which a cluster's ports are there */
const PORT_MAX = 65_000;

/** Reads the first of a cluster's ports. */
export const firstPort = (text: string): number => {
  const port = wholeNumber(text);
  if (port >= PORT_MIN && port <= PORT_MAX) return port;
  throw new InvalidArgumentError(`not a port from ${PORT_MIN} to ${PORT_MAX}`);
};

const WALLETS_MAX = 20;

/** Reads how many wallets a new cluster gets. */
export const walletCount = (text: string): number => {
  const count = wholeNumber(text);
  if (count <= WALLETS_MAX) return count;
  throw new InvalidArgumentError(`more than ${WALLETS_MAX}`);
};
