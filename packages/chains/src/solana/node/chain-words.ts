import { stringify } from "lossless-json";

const WORDS_MAX = 400;

/**
 * Why the chain does not carry out a transaction, in its own words: the name of its error, and what the program that met it
 * wrote last.
 * @param error TransactionError as JSON: a name, or a name with what it holds
 */
export const chainWords = (error: unknown, logs: readonly string[] | null | undefined): string => {
  const name = typeof error === "string" ? error : (stringify(error) ?? "an error without a name");
  const said = logs?.findLast((line) => /\b(Error|insufficient|failed)\b/.test(line));
  return (said === undefined ? name : `${name} (${said})`).slice(0, WORDS_MAX);
};
