/** An unreadable part; its message completes "The transaction cannot be read: ". */
export class XdrUnreadable extends Error {}

const WORD_BYTES = 4;
const LONG_BYTES = 8;

/**
 * Reads XDR (RFC 4506) from start to end. It accepts one encoding of each value: padding must be zero, a boolean 0 or 1.
 * Otherwise it throws XdrUnreadable, which the caller turns into a refusal.
 */
export class XdrReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  #advance(count: number): number {
    const at = this.#at;
    if (count > this.#bytes.length - at) throw new XdrUnreadable("it ends too early");
    this.#at += count;
    return at;
  }

  uint32(): number {
    return this.#view.getUint32(this.#advance(WORD_BYTES));
  }

  uint64(): bigint {
    return this.#view.getBigUint64(this.#advance(LONG_BYTES));
  }

  int64(): bigint {
    return this.#view.getBigInt64(this.#advance(LONG_BYTES));
  }

  /** Reads the flag of an optional value. @returns whether the value follows */
  isThere(): boolean {
    const flag = this.uint32();
    if (flag > 1) throw new XdrUnreadable("a flag is neither 0 nor 1");
    return flag === 1;
  }

  /** Bytes of a fixed length. */
  bytes(length: number): Uint8Array {
    const at = this.#advance(length);
    this.#skipPadding(length);
    return this.#bytes.slice(at, at + length);
  }

  /** Bytes after their length. */
  variable(most: number, name: string): Uint8Array {
    return this.bytes(this.count(most, name));
  }

  /** The number of elements that follow. */
  count(most: number, name: string): number {
    const count = this.uint32();
    if (count > most) throw new XdrUnreadable(`its ${name} is longer than ${most}`);
    return count;
  }

  /** Checks that no bytes are left. */
  end(): void {
    if (this.#at !== this.#bytes.length) throw new XdrUnreadable("something stands behind its end");
  }

  #skipPadding(length: number): void {
    const padding = (WORD_BYTES - (length % WORD_BYTES)) % WORD_BYTES;
    const at = this.#advance(padding);
    if (this.#bytes.subarray(at, at + padding).some((byte) => byte !== 0)) {
      throw new XdrUnreadable("its padding is not zero");
    }
  }
}
