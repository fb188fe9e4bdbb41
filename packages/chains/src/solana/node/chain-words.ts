import { stringify } from "lossless-json";

const WORDS_MAX = 400;

/**
 * The chain's reason for a failed transaction: the name of its error, and the last log line about it of the program
 * that failed.
 *
 * @param error TransactionError as JSON: a name, or an object with the name and its data
 */
export const chainWords = (error: unknown, logs: readonly string[] | null | undefined): string => {
  const name = typeof error === "string" ? error : (stringify(error) ?? "an error without a name");
  const said = logs?.findLast((line) => /\b(Error|insufficient|failed)\b/.test(line));
  return (said === undefined ? name : `${name} (${said})`).slice(0, WORDS_MAX);
};
