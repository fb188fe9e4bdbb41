import { type Cipher, createCipheriv, hash, hkdfSync } from "node:crypto";
import { Secret } from "@conclave/threshold";

/** length of the tag of a name, and of the tag of a name with its value */
export const TAG_BYTES = 8;
/** A unit is both tags of one entry, as long as an AES block. */
export const UNIT_BYTES: number = 2 * TAG_BYTES;
/** 32-bit words of a sum */
export const SUM_WORDS = 4;

const INFO = "conclave/v1/vault/entries";
const KEY_BYTES = 32;
const LENGTH_BYTES = 4;
const [OF_NAME, OF_VALUE] = [0, 1];
/** Enough for names and most values. */
const USUAL_BYTES = 4_096;

/**
 * Tags entries under keys of the store. A tag is 64 bits of SHA-256 over key, kind, and name, or name with its length
 * and value. Without the key, nobody can make an entry whose tag equals that of another. An old value of an entry has
 * the tag of the new one only by chance, once in 2^64.
 *
 * Sums sets of units: the XOR of the AES-256 encryption of each unit (MSet-XOR-Hash of Clarke, Devadas, van Dijk,
 * Gassend and Suh, Asiacrypt 2003, section 4). Units are on disk in clear. Their encryptions and the sums are not: an
 * attacker who knew enough of them could solve linear equations for a set with the same sum. The caller ensures that a
 * set has no unit twice.
 */
export class EntryTags {
  readonly #key: Secret<Uint8Array>;
  readonly #cipher: Cipher;
  #buffer: Buffer = Buffer.alloc(USUAL_BYTES);

  /** @param master the key of the store, 32 bytes */
  constructor(master: Secret<Uint8Array>) {
    const keys = Buffer.from(hkdfSync("sha256", master.reveal(), new Uint8Array(0), INFO, 2 * KEY_BYTES));
    this.#key = new Secret(new Uint8Array(keys.subarray(0, KEY_BYTES)));
    // ECB encrypts each block by itself: a pseudorandom function of units
    this.#cipher = createCipheriv("aes-256-ecb", keys.subarray(KEY_BYTES), null).setAutoPadding(false);
    this.#buffer.set(this.#key.reveal(), 0);
  }

  ofName(name: string): Buffer {
    const length = this.#begin(OF_NAME, name, 0);
    return this.#digest(length);
  }

  ofValue(name: string, value: Uint8Array): Buffer {
    const length = this.#begin(OF_VALUE, name, value.length);
    this.#buffer.set(value, length);
    return this.#digest(length + value.length);
  }

  /** @returns the number of bytes written so far */
  #begin(kind: number, name: string, valueBytes: number): number {
    const nameBytes = Buffer.byteLength(name);
    const length = KEY_BYTES + 1 + LENGTH_BYTES + nameBytes;
    if (this.#buffer.length < length + valueBytes) {
      this.#buffer = Buffer.alloc(2 * (length + valueBytes));
      this.#buffer.set(this.#key.reveal(), 0);
    }
    this.#buffer.writeUInt8(kind, KEY_BYTES);
    this.#buffer.writeUInt32BE(nameBytes, KEY_BYTES + 1);
    this.#buffer.write(name, KEY_BYTES + 1 + LENGTH_BYTES);
    return length;
  }

  #digest(length: number): Buffer {
    return hash("sha256", this.#buffer.subarray(0, length), "buffer").subarray(0, TAG_BYTES);
  }

  /**
   * Sums several sets at once.
   *
   * @param sets units, one after the other
   * @returns the sum of each
   */
  sums(sets: readonly Uint8Array[]): readonly Uint32Array[] {
    const units = sets.length === 1 ? sets[0] : Buffer.concat(sets);
    const blocks = this.#cipher.update(units ?? new Uint8Array(0));
    let at = 0;
    return sets.map(({ length }) => {
      const sum = new Uint32Array(SUM_WORDS);
      for (const end = at + length; at < end; at += UNIT_BYTES) {
        for (let word = 0; word < SUM_WORDS; word++) {
          sum[word] = (sum[word] ?? 0) ^ blocks.readInt32LE(at + word * Uint32Array.BYTES_PER_ELEMENT);
        }
      }
      return sum;
    });
  }

  sum(set: Uint8Array): Uint32Array {
    return this.sums([set])[0] ?? new Uint32Array(SUM_WORDS);
  }
}

/** The sum of two sets without a common unit; or of a set without one of its subsets. */
export const combined = (one: Uint32Array, other: Uint32Array): Uint32Array =>
  one.map((word, at) => word ^ (other[at] ?? 0));
