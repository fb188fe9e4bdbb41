import { bytesToHex } from "@noble/hashes/utils.js";

/** Stops the reading of bytes that are no transaction; readers of this folder catch it. */
export class UnreadableWire extends Error {}

/** Reads little-endian fields. Every length is checked against what is there before anything is taken. */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  take(length: number): Uint8Array {
    if (length > this.left) throw new UnreadableWire("end of data");
    this.#at += length;
    return this.#bytes.slice(this.#at - length, this.#at);
  }

  /** @param length of an unsigned number, in bytes */
  number(length: 1 | 2 | 4): number {
    return this.take(length).reduceRight((sum, byte) => sum * 256 + byte, 0);
  }

  /** A signed number of 64 bits. */
  amount(): bigint {
    const unsigned = this.take(8).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    return BigInt.asIntN(64, unsigned);
  }

  /** A digest as people write it. */
  hash(): string {
    return bytesToHex(this.take(32).reverse());
  }

  /** A CompactSize in its shortest form. It counts things that follow, each of at least so many bytes. */
  count(bytesEach: number): number {
    const first = this.number(1);
    const value = first < 0xfd ? first : this.#longCount(first);
    if (value * bytesEach > this.left) throw new UnreadableWire("end of data");
    return value;
  }

  lengthened(): Uint8Array {
    return this.take(this.count(1));
  }

  #longCount(first: number): number {
    if (first === 0xff) throw new UnreadableWire("ReadCompactSize(): size too large");
    const value = this.number(first === 0xfd ? 2 : 4);
    if (value < (first === 0xfd ? 0xfd : 0x10000))
      throw new UnreadableWire("non-canonical ReadCompactSize()");
    return value;
  }
}
