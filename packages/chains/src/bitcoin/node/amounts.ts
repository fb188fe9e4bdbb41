import { z } from "zod";

const DECIMALS = 8;
/** A number as JSON writes it. */
const NUMBER = /^([0-9]{1,20})(?:\.([0-9]{1,30}))?(?:[eE]([+-]?[0-9]{1,3}))?$/;

/**
 * Satoshis of a number of bitcoins, exactly as it is written: nodes write "0.00012345", others "1.2345e-4".
 * @returns undefined for what is no such number; parts of a satoshi are left out
 */
export const satoshisOf = (text: string): bigint | undefined => {
  const [, whole, decimals = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = BigInt(whole + decimals);
  const shift = DECIMALS - decimals.length + Number(exponent);
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
};

/** An amount in an answer: a number of bitcoins, which `bitcoind` reads as the text that it is. @returns satoshis */
export const bitcoins = z
  .union([z.bigint(), z.string()])
  .transform((value) => satoshisOf(value.toString()))
  .pipe(z.bigint());
