import { concatBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";

/** Unreadable bytes, with the reason in words. The decoders of this folder throw it; their callers catch it. */
export class UnreadableBytes extends Error {}

const BYTE = 256;
const BITS_OF_UINT32 = 32n;
const UINT32_MAX = 0xffff_ffff;
const UINT64_MAX = 0xffff_ffff_ffff_ffffn;

/** Reads bytes from start to end, never beyond. @throws UnreadableBytes */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    // slices of a Buffer share its memory, so copy it to make `take` return copies
    this.#bytes = new Uint8Array(bytes);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** A copy of the next bytes. */
  take(count: number): Uint8Array {
    if (count > this.left) throw new UnreadableBytes("it ends too early");
    this.#at += count;
    return this.#bytes.slice(this.#at - count, this.#at);
  }

  byte(): number {
    return this.#little(1);
  }

  uint32(): number {
    return this.#little(4);
  }

  uint64(): bigint {
    const low = this.#little(4);
    return (BigInt(this.#little(4)) << BITS_OF_UINT32) + BigInt(low);
  }

  /** A count of items, as a compact size. @param leastBytes smallest size of an item, which bounds the count by the bytes left */
  count(leastBytes: number): number {
    const count = this.compactSize();
    if (count * leastBytes > this.left) throw new UnreadableBytes("it ends too early");
    return count;
  }

  /** A byte string after its length. */
  lengthAndBytes(): Uint8Array {
    return this.take(this.count(1));
  }

  /** Bitcoin's compact size, in its shortest form only, so that each number has one encoding. */
  compactSize(): number {
    const first = this.byte();
    if (first < 0xfd) return first;
    if (first === 0xff) {
      const isShortest = this.uint64() > 0xffff_ffffn;
      throw new UnreadableBytes(isShortest ? "it ends too early" : "a length is not in its shortest form");
    }
    const [bytes, least] = first === 0xfd ? [2, 0xfd] : [4, 0x1_0000];
    const size = this.#little(bytes);
    if (size < least) throw new UnreadableBytes("a length is not in its shortest form");
    return size;
  }

  /** @throws UnreadableBytes when bytes are left */
  end(): void {
    if (this.left > 0) throw new UnreadableBytes("something stands behind its end");
  }

  /** A number of 1 to 4 bytes. One transaction may hold hundreds of thousands, so this allocates no array. */
  #little(count: number): number {
    if (count > this.left) throw new UnreadableBytes("it ends too early");
    let sum = 0;
    for (let at = count - 1; at >= 0; at -= 1) sum = sum * BYTE + (this.#bytes[this.#at + at] ?? 0);
    this.#at += count;
    return sum;
  }
}

/** @throws RangeError for a number that does not fit into four bytes */
export const uint32 = (value: number): Uint8Array => {
  if (!Number.isInteger(value) || value < 0 || value > UINT32_MAX) {
    throw new RangeError(`${value} does not fit into 4 bytes`);
  }
  return Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24);
};

/** @throws RangeError for a number that does not fit into eight bytes */
export const uint64 = (value: bigint): Uint8Array => {
  if (value < 0n || value > UINT64_MAX) throw new RangeError(`${value} does not fit into 8 bytes`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
};

/** A length as a compact size, in its shortest form. @throws RangeError when it does not fit into four bytes */
export const compactSize = (size: number): Uint8Array => {
  const bytes = uint32(size);
  if (size < 0xfd) return bytes.subarray(0, 1);
  return size <= 0xffff ? Uint8Array.of(0xfd, size, size >>> 8) : concatBytes(Uint8Array.of(0xfe), bytes);
};

export const lengthAndBytes = (bytes: Uint8Array): Uint8Array =>
  concatBytes(compactSize(bytes.length), bytes);

/** SHA-256 twice. */
export const doubleSha256 = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes));
