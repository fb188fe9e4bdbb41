import { fail, ok, type Result } from "@conclave/custody";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { base58xrp } from "@scure/base";

/** Bytes of a public key in the ledger's form, of either kind. */
const KEY_BYTES = 33;
/** Prefix of the 32 bytes of an Ed25519 key, where a secp256k1 key has 02 or 03. */
const ED25519_PREFIX = 0xed;
const ED25519_BYTES = 32;
const ACCOUNT_BYTES = 20;
const CHECKSUM_BYTES = 4;
/** The type prefix of an account's address; it makes the address begin with r. */
const ACCOUNT_TYPE = 0x00;
const PAYLOAD_BYTES = 1 + ACCOUNT_BYTES;
/** Upper bound of an address's length, with or without a tag. */
const TEXT_MAX = 64;

/**
 * A public key in the ledger's form (SigningPubKey).
 * @param publicKey 33 bytes of secp256k1, compressed, or 32 of Ed25519
 * @returns 33 bytes
 * @throws RangeError when it has another length
 */
export const xrplPublicKey = (publicKey: Uint8Array): Uint8Array => {
  if (publicKey.length === KEY_BYTES) return publicKey;
  if (publicKey.length !== ED25519_BYTES) throw new RangeError("a public key takes 32 or 33 bytes");
  return concatBytes(Uint8Array.of(ED25519_PREFIX), publicKey);
};

/** Whether a public key in the ledger's form is of Ed25519. */
export const isXrplEd25519 = (signingPubKey: Uint8Array): boolean => signingPubKey[0] === ED25519_PREFIX;

/** The address of an account from its 20-byte id. It is the same on every network. */
export const xrplAddressOf = (accountId: Uint8Array): string =>
  withChecksum(concatBytes(Uint8Array.of(ACCOUNT_TYPE), accountId));

/**
 * The address of the account that a key controls initially (XRP Ledger docs, "Addresses"): base58 of the RIPEMD-160 of the
 * SHA-256 of the key in the ledger's form.
 * @param publicKey 33 bytes of secp256k1, compressed, or 32 of Ed25519
 * @throws RangeError when it has another length
 */
export const xrplAddress = (publicKey: Uint8Array): string =>
  xrplAddressOf(ripemd160(sha256(xrplPublicKey(publicKey))));

const checksumOf = (payload: Uint8Array): Uint8Array => sha256(sha256(payload)).slice(0, CHECKSUM_BYTES);

const withChecksum = (payload: Uint8Array): string =>
  base58xrp.encode(concatBytes(payload, checksumOf(payload)));

const decoded = (text: string): Uint8Array | undefined => {
  try {
    return base58xrp.decode(text);
  } catch {
    return undefined;
  }
};

/**
 * Reads base58 with a checksum, up to a length limit.
 * @param prefix the expected type prefix @param bytes expected length without the checksum
 * @returns the bytes after the prefix; AddressInvalid, AddressChecksum
 */
export const parseBase58Check = (
  text: string,
  field: string,
  { prefix, bytes }: { readonly prefix: Uint8Array; readonly bytes: number },
): Result<Uint8Array> => {
  const found = text.length > TEXT_MAX ? undefined : decoded(text);
  const payload = found?.slice(0, -CHECKSUM_BYTES);
  if (payload?.length !== bytes || !prefix.every((byte, at) => byte === payload[at])) {
    return fail("AddressInvalid", { field });
  }
  return withChecksum(payload) === text
    ? ok(payload.slice(prefix.length))
    : fail("AddressChecksum", { field });
};

/** The 20 bytes of an account's id in an address that was validated before. @throws TypeError when it is no address */
export const xrplAccountId = (address: string): Uint8Array => {
  const parsed = accountIdIn(address, "");
  if (!parsed.ok) throw new TypeError("an address was not judged");
  return parsed.value;
};

const accountIdIn = (text: string, field: string): Result<Uint8Array> =>
  parseBase58Check(text, field, { prefix: Uint8Array.of(ACCOUNT_TYPE), bytes: PAYLOAD_BYTES });

/**
 * Whether an account's id is zero or one: the ledger uses these itself, and nobody has their keys (XRP Ledger docs, "Special
 * addresses").
 */
const isNobodys = (accountId: Uint8Array): boolean =>
  accountId.every((byte, at) => byte === 0 || (byte === 1 && at === ACCOUNT_BYTES - 1));

/**
 * Judges an account's id as a recipient.
 * @returns its address; AddressInvalid for the ledger's own accounts, to which nobody has the key
 */
export const judgeXrplAccount = (accountId: Uint8Array, field: string): Result<string> =>
  isNobodys(accountId)
    ? fail("AddressInvalid", { field }, "The address belongs to nobody: coins sent there are lost.")
    : ok(xrplAddressOf(accountId));

/**
 * Judges an address in the classic form, r….
 * @param field the request's field that holds it, shown in the problem
 * @returns the address, which has one spelling; AddressInvalid, AddressChecksum
 */
export const parseXrplAddress = (text: string, field: string): Result<string> => {
  const accountId = accountIdIn(text, field);
  return accountId.ok ? judgeXrplAccount(accountId.value, field) : accountId;
};
