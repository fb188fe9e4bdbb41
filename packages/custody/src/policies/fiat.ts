/** The currencies in which policies set limits (wire interface, section F.7). */
export const CURRENCIES = ["EUR", "USD"] as const;
export type Currency = (typeof CURRENCIES)[number];

/** Amounts of money are whole numbers of 10^-18 of the currency: exact, and finer than any price. */
const FIAT_DECIMALS = 18;

const LONGEST_WHOLE = 15;
const PLAIN = /^(\d{1,15})(?:\.(\d{1,18}))?$/;

/** The form of an amount of money in text. */
export const FIAT_TEXT: RegExp = PLAIN;
/** The largest whole part that a limit or price may have. */
export const FIAT_MOST: number = 10 ** LONGEST_WHOLE - 1;

/** Rewrites a number like 1e-7, as JavaScript prints small numbers, without an exponent. */
const withoutExponent = (text: string): string => {
  const found = /^(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (found === null) return text;
  const [, whole = "", fraction = "", exponent = "0"] = found;
  return `0.${"0".repeat(Number(exponent) - 1)}${whole}${fraction}`;
};

/**
 * Parses an amount of money to a whole number of 10^-18 of its currency. Digits beyond the eighteenth decimal
 * are dropped.
 * @param amount decimal digits, or a number from JSON
 * @returns undefined if negative, not finite, above 10^15 or not a decimal number
 */
export const parseFiat = (amount: string | number): bigint | undefined => {
  const text = typeof amount === "string" ? amount : withoutExponent(String(amount));
  const cut = text.replace(/(\.\d{18})\d+$/, "$1");
  const found = PLAIN.exec(cut);
  if (found === null) return undefined;
  const [, whole = "0", fraction = ""] = found;
  return BigInt(whole) * 10n ** BigInt(FIAT_DECIMALS) + BigInt(fraction.padEnd(FIAT_DECIMALS, "0"));
};

/**
 * The JavaScript number nearest to an amount: through text, since a division of large numbers could be off in
 * the last digit.
 */
export const fiatNumber = (amount: bigint): number => {
  const whole = 10n ** BigInt(FIAT_DECIMALS);
  return Number(`${amount / whole}.${String(amount % whole).padStart(FIAT_DECIMALS, "0")}`);
};

/** Formats an amount of money to the cent, rounded up: an amount above a limit never reads like the limit. */
export const showFiat = (amount: bigint): string => {
  const cent = 10n ** BigInt(FIAT_DECIMALS - 2);
  const cents = (amount + cent - 1n) / cent;
  return `${cents / 100n}.${(cents % 100n).toString().padStart(2, "0")}`;
};
