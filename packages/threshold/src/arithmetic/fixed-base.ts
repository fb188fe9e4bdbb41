import { powModulo } from "./openssl.ts";

/** Each tooth contributes one exponent bit to the index into a table: 2^9 entries in each of 8 tables. */
const TEETH = 9;
const TABLES = 8;

/** The smallest number of exponents for which building the tables pays off. */
const WORTH_TABLES = 32;

/** The products of all subsets of the bases; entry i is the product of the bases whose bit is set in i. */
const subsetProducts = (bases: readonly bigint[], modulus: bigint): readonly bigint[] => {
  let products: readonly bigint[] = [1n];
  for (const base of bases) {
    products = [...products, ...products.map((product) => (product * base) % modulus)];
  }
  return products;
};

/** base, base^(2^spacing), base^(2^(2·spacing)), …: `count` of them. */
const spacedPowers = (base: bigint, spacing: number, count: number, modulus: bigint): readonly bigint[] => {
  const powers = [base];
  while (powers.length < count) powers.push(powModulo(powers.at(-1) ?? base, 1n << BigInt(spacing), modulus));
  return powers;
};

/**
 * base^exponent mod modulus for many exponents, by the comb of Lim and Lee (CRYPTO '94): the exponents share
 * squarings, so 128 powers of 3072 bits cost three quarters of 128 calls of OpenSSL. The time depends on the
 * exponents, so they must be public (P16).
 *
 * @param base in [0, modulus)
 * @param exponents non-negative
 * @param modulus odd, above 1
 */
export const publicPowers = (
  base: bigint,
  exponents: readonly bigint[],
  modulus: bigint,
): readonly bigint[] => {
  if (exponents.length < WORTH_TABLES) return exponents.map((exponent) => powModulo(base, exponent, modulus));
  const digits = exponents.map((exponent) => exponent.toString(2));
  const longest = digits.reduce((most, { length }) => Math.max(most, length), 0);
  const columns = Math.ceil(longest / (TEETH * TABLES)); // of each table
  const spacing = columns * TABLES; // exponent bits between two teeth
  const blocks = spacedPowers(base, columns, TABLES * TEETH, modulus);
  const tables = Array.from({ length: TABLES }, (_, table) =>
    subsetProducts(
      Array.from({ length: TEETH }, (_tooth, tooth) => blocks[tooth * TABLES + table] ?? 1n),
      modulus,
    ),
  );
  return digits.map((bits) => raise(bits, { tables, columns, spacing, modulus }));
};

interface Comb {
  readonly tables: readonly (readonly bigint[])[];
  readonly columns: number;
  readonly spacing: number;
  readonly modulus: bigint;
}

/** base^exponent from the tables of the base. @param bits the exponent in binary, highest bit first */
const raise = (bits: string, { tables, columns, spacing, modulus }: Comb): bigint => {
  const isSet = (position: number): boolean => bits[bits.length - 1 - position] === "1";
  let result = 1n;
  for (let column = columns - 1; column >= 0; column--) {
    result = (result * result) % modulus;
    for (const [table, products] of tables.entries()) {
      let picked = 0;
      for (let tooth = 0; tooth < TEETH; tooth++) {
        if (isSet(tooth * spacing + table * columns + column)) picked |= 1 << tooth;
      }
      if (picked !== 0) result = (result * (products[picked] ?? 1n)) % modulus;
    }
  }
  return result % modulus;
};
