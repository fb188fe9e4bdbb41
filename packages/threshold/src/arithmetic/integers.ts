/** The remainder in [0, modulus), for negative values too. */
export const modulo = (value: bigint, modulus: bigint): bigint => {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
};

/** The representative of value mod modulus in (-modulus/2, modulus/2]. */
export const symmetricModulo = (value: bigint, modulus: bigint): bigint => {
  const rest = modulo(value, modulus);
  return rest > modulus / 2n ? rest - modulus : rest;
};

/** |value| */
export const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** The number of bits of |value|; 0 for 0. */
export const bitLength = (value: bigint): number => {
  const hex = absolute(value).toString(16);
  const first = Number.parseInt(hex[0] ?? "0", 16);
  return (hex.length - 1) * 4 + (first === 0 ? 0 : 32 - Math.clz32(first));
};

/** Greatest common divisor of two integers, never negative. */
export const gcd = (a: bigint, b: bigint): bigint => {
  let x = absolute(a);
  let y = absolute(b);
  while (y > 0n) [x, y] = [y, x % y];
  return x;
};

/** value^-1 mod modulus, or undefined when they share a factor. */
export const inverse = (value: bigint, modulus: bigint): bigint | undefined => {
  let [r0, r1] = [modulus, modulo(value, modulus)];
  let [t0, t1] = [0n, 1n];
  while (r1 > 0n) {
    const quotient = r0 / r1;
    [r0, r1] = [r1, r0 - quotient * r1];
    [t0, t1] = [t1, t0 - quotient * t1];
  }
  return r0 === 1n ? modulo(t0, modulus) : undefined;
};

/** value^-1 mod modulus, for values that we constructed to be invertible; throws otherwise (a bug of ours). */
export const mustInvert = (value: bigint, modulus: bigint): bigint => {
  const inverted = inverse(value, modulus);
  if (inverted === undefined) throw new Error("value has no inverse: it shares a factor with the modulus");
  return inverted;
};

/** Whether value is in [1, modulus) and coprime to it: an element of Z*_modulus. */
export const isUnit = (value: bigint, modulus: bigint): boolean =>
  value > 0n && value < modulus && gcd(value, modulus) === 1n;

/** Whether every value is an element of Z*_modulus: by one gcd with the product of all. */
export const areUnits = (values: readonly bigint[], modulus: bigint): boolean => {
  if (!values.every((value) => value > 0n && value < modulus)) return false;
  return (
    gcd(
      values.reduce((product, value) => (product * value) % modulus, 1n),
      modulus,
    ) === 1n
  );
};

/** The Jacobi symbol (value | modulus) for odd positive modulus: -1, 0 or 1. */
export const jacobi = (value: bigint, modulus: bigint): -1 | 0 | 1 => {
  let a = modulo(value, modulus);
  let n = modulus;
  let sign: -1 | 1 = 1;
  while (a > 0n) {
    while ((a & 1n) === 0n) {
      a >>= 1n;
      const octant = n & 7n;
      if (octant === 3n || octant === 5n) sign = sign === 1 ? -1 : 1;
    }
    [a, n] = [n, a];
    if ((a & 3n) === 3n && (n & 3n) === 3n) sign = sign === 1 ? -1 : 1;
    a %= n;
  }
  return n === 1n ? sign : 0;
};

/** Floor of the square root of a non-negative integer, by Newton's method. */
export const squareRoot = (value: bigint): bigint => {
  if (value < 2n) return value;
  let guess = 1n << BigInt((bitLength(value) + 1) >> 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
};

/** Whether |value| <= 2^bits: the symmetric range written ±2^bits in the paper. */
export const isWithin = (value: bigint, bits: number): boolean => absolute(value) <= 1n << BigInt(bits);
