import { ARRAY_END, OBJECT_END } from "./encode.ts";

/** Stops the reading of bytes; the decoder turns it into a refusal. */
export class RippledBytesRefused extends Error {
  /** the bytes hold something that this ledger knows, and does not carry out */
  readonly isKnown: boolean;

  constructor(message: string, isKnown = false) {
    super(message);
    this.isKnown = isKnown;
  }
}

/** Reads bytes from their beginning, and never beyond their end. */
export class RippledReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  bytes(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) throw new RippledBytesRefused("invalid SerialIter get");
    this.#at += length;
    return this.#bytes.slice(this.#at - length, this.#at);
  }

  /** An unsigned number, the most significant byte first. @param length at most 4 bytes */
  uint(length: number): number {
    return this.bytes(length).reduce((sum, byte) => sum * 256 + byte, 0);
  }

  /** The next eight bytes, which stay to be read. */
  peekUint64(): bigint {
    const bytes = this.bytes(8);
    this.#at -= 8;
    return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  }

  /** Whether an object ends here; its mark is read then. */
  skipsObjectEnd(): boolean {
    return this.#skips(OBJECT_END);
  }

  /** Whether an array ends here; its mark is read then. */
  skipsArrayEnd(): boolean {
    return this.#skips(ARRAY_END);
  }

  isSame(other: Uint8Array): boolean {
    return other.length === this.#bytes.length && other.every((byte, at) => byte === this.#bytes[at]);
  }

  #skips(mark: number): boolean {
    if (this.#bytes[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }
}
