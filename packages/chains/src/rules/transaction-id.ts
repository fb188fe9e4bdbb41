import { fail, ok, type Result } from "@conclave/custody";

const REFUSED = { field: "txHash" };

/**
 * Makes the judgement of ids that are the hexadecimal digits of 32 bytes.
 * @param prefix before the digits
 * @param spell the family's spelling of digits, of which callers send either
 */
export const hexTransactionId =
  (prefix: "" | "0x", spell: (digits: string) => string) =>
  (text: string): Result<string> => {
    const digits = text.startsWith(prefix) ? text.slice(prefix.length) : "";
    return /^[0-9a-fA-F]{64}$/.test(digits)
      ? ok(`${prefix}${spell(digits)}`)
      : fail("TransactionIdInvalid", REFUSED);
  };

export const inLowerCase = (digits: string): string => digits.toLowerCase();
export const inUpperCase = (digits: string): string => digits.toUpperCase();

/** Makes the judgement of ids that have one spelling. */
export const plainTransactionId =
  (isOne: (text: string) => boolean) =>
  (text: string): Result<string> =>
    isOne(text) ? ok(text) : fail("TransactionIdInvalid", REFUSED);
