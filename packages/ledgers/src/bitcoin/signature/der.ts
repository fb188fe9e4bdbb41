/** r and s of an ECDSA signature, 32 bytes each. */
export interface EcdsaSignature {
  readonly compact: Uint8Array;
  readonly isLowS: boolean;
}

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Reads a positive DER integer in its shortest form. @returns the offset behind it */
const integerEnd = (der: Uint8Array, at: number): number | undefined => {
  const [tag, length = 0, first = 0, second = 0] = der.subarray(at);
  const end = at + 2 + length;
  if (tag !== 0x02 || length === 0 || end > der.length) return undefined;
  if (first >= 0x80) return undefined;
  return first === 0 && length > 1 && second < 0x80 ? undefined : end;
};

const numberOf = (bytes: Uint8Array): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** @returns undefined if the number has more than 32 bytes */
const padded = (integer: Uint8Array): Uint8Array | undefined => {
  const digits = integer[0] === 0 ? integer.subarray(1) : integer;
  if (digits.length > 32) return undefined;
  const whole = new Uint8Array(32);
  whole.set(digits, 32 - digits.length);
  return whole;
};

/**
 * Reads a signature in strict DER, without the byte of the hash type behind it.
 * @returns undefined if it is not strict; "out of range" if r or s has more than 256 bits, so that no verifier accepts it
 * @source BIP-66
 */
export const readStrictDer = (der: Uint8Array): EcdsaSignature | "out of range" | undefined => {
  if (der.length < 8 || der.length > 72 || der[0] !== 0x30 || der[1] !== der.length - 2) return undefined;
  const middle = integerEnd(der, 2);
  if (middle === undefined || integerEnd(der, middle) !== der.length) return undefined;
  const [r, s] = [padded(der.subarray(4, middle)), padded(der.subarray(middle + 2))];
  if (r === undefined || s === undefined) return "out of range";
  return { compact: Uint8Array.from([...r, ...s]), isLowS: numberOf(s) <= HALF_ORDER };
};
