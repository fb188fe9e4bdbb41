import {
  type Codec,
  decode,
  type PublicKeyInfo,
  type Decoded as Reading,
  type Secret,
} from "@conclave/threshold";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

export const KEYS_DECODED_MAX = 256;
export const AUXILIARIES_DECODED_MAX = 2; // the old and the new auxiliary info, during a change

/**
 * Values decoded from secret bytes, by the SHA-256 of the bytes: decoding ten moduli for each signature would cost more
 * than signing.
 */
export type DecodedMemory<T> = ReadonlyMap<string, T>;

export type ReadSecret<T> = (bytes: Uint8Array) => Reading<T>;

export const reading =
  <T>(codec: Codec<T>): ReadSecret<T> =>
  (bytes) =>
    decode(codec, bytes);

/** A value, and the memory that holds it. */
export interface Remembered<T> {
  readonly memory: DecodedMemory<T>;
  readonly value: T;
}

/**
 * The value of the bytes, and the memory that holds it; the memory forgets its oldest entry first.
 *
 * @param entriesMax how many values are kept
 * @throws when the bytes, which come from our own sealed store, do not decode
 */
export const lookUpDecoded = <T>(
  memory: DecodedMemory<T>,
  read: ReadSecret<T>,
  bytes: Secret<Uint8Array>,
  entriesMax: number,
): Remembered<T> => {
  const key = bytesToHex(sha256(bytes.reveal()));
  const known = memory.get(key);
  if (known !== undefined) return { memory, value: known };
  const decoded = read(bytes.reveal());
  if (!decoded.ok) throw new Error(`a stored secret does not decode: ${decoded.reason}`);
  const entries = [...memory, [key, decoded.value] as const].slice(-entriesMax);
  return { memory: new Map(entries), value: decoded.value };
};

/** Forgets shares of the key's other epochs: after a refresh they are of use to a thief alone. */
export const withoutOlder = <Key extends { readonly info: Pick<PublicKeyInfo, "keyId" | "epoch"> }>({
  memory,
  value,
}: Remembered<Key>): DecodedMemory<Key> =>
  new Map(
    [...memory].filter(([, { info }]) => info.keyId !== value.info.keyId || info.epoch === value.info.epoch),
  );
