import { z } from "zod";

const DECIMALS = 8;
/** A number in JSON's notation. */
const NUMBER = /^([0-9]{1,20})(?:\.([0-9]{1,30}))?(?:[eE]([+-]?[0-9]{1,3}))?$/;

/**
 * Satoshis from an exact decimal number of bitcoins: some nodes write "0.00012345", others "1.2345e-4".
 *
 * @returns undefined if the text is no such number; fractions of a satoshi are dropped
 */
export const satoshisOf = (text: string): bigint | undefined => {
  const [, whole, decimals = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = BigInt(whole + decimals);
  const shift = DECIMALS - decimals.length + Number(exponent);
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
};

/** An amount in an answer, in bitcoins, as the exact text of the answer. @returns satoshis */
export const bitcoins = z
  .union([z.bigint(), z.string()])
  .transform((value) => satoshisOf(value.toString()))
  .pipe(z.bigint());
