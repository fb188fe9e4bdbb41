import { fail, ok, type Result } from "@conclave/custody";
import { base58 } from "@scure/base";

const PUBLIC_KEY_BYTES = 32;
/** 32 bytes in base58 */
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * The address of a Solana account (Solana Documentation, "Accounts"): base58 of the public key, without a checksum. It is the
 * same on every network.
 * @param publicKey 32 bytes of Ed25519, or the address bytes of an account without a key (program-derived)
 * @throws RangeError when it has another length
 */
export const solanaAddress = (publicKey: Uint8Array): string => {
  if (publicKey.length !== PUBLIC_KEY_BYTES) throw new RangeError("a public key takes 32 bytes");
  return base58.encode(publicKey);
};

const decoded = (text: string): Uint8Array | undefined => {
  if (!ADDRESS.test(text)) return undefined;
  const bytes = base58.decode(text);
  return bytes.length === PUBLIC_KEY_BYTES && base58.encode(bytes) === text ? bytes : undefined;
};

/** The 32 bytes of an address that was validated before. @throws TypeError when it is no address */
export const solanaPublicKey = (address: string): Uint8Array => {
  const bytes = decoded(address);
  if (bytes === undefined) throw new TypeError("an address was not judged");
  return bytes;
};

/** The System program's address: it is nobody's account, and programs write it for an absent address. */
const ZERO_ADDRESS = solanaAddress(new Uint8Array(PUBLIC_KEY_BYTES));

/**
 * Judges a Solana address. It has no checksum: a mistyped address may be valid too.
 * @param field the request's field that holds it, shown in the problem
 * @returns the address, which has one spelling; AddressInvalid when it is not 32 bytes in base58, or is the zero address
 */
export const parseSolanaAddress = (text: string, field: string): Result<string> => {
  if (decoded(text) === undefined) return fail("AddressInvalid", { field });
  return text === ZERO_ADDRESS
    ? fail("AddressInvalid", { field }, "The zero address belongs to nobody: coins sent there are lost.")
    : ok(text);
};

const SIGNATURE_BYTES = 64;
/** 64 bytes in base58 */
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/** Whether a text is a signature in base58, as a transaction is named by its first one. */
export const isSolanaSignature = (text: string): boolean =>
  SIGNATURE.test(text) && base58.decode(text).length === SIGNATURE_BYTES;
