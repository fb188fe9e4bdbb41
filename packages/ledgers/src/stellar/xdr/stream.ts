/** Stops the reading of what is no XDR, or of what this ledger does not understand. It never leaves `decodeXdr`. */
export class UnreadableXdr extends Error {}

/** The deepest values that are read: a call within a call, a list in a list. */
const MOST_NESTING = 32;
const UNIT_BYTES = 4;

const paddingOf = (length: number): number => (UNIT_BYTES - (length % UNIT_BYTES)) % UNIT_BYTES;

/** Reads XDR from its beginning. Every length is checked against what is there before anything is taken. @source RFC 4506 */
export class XdrSource {
  readonly #bytes: Uint8Array;
  #at = 0;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** bytes that are left */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** Takes so many bytes and the padding behind them, which must be zero. */
  opaque(length: number): Uint8Array {
    const taken = this.#take(length);
    if (this.#take(paddingOf(length)).some((byte) => byte !== 0)) {
      throw new UnreadableXdr("padding is not zero");
    }
    return Uint8Array.from(taken);
  }

  number(bytes: 4 | 8, signed: boolean): bigint {
    let value = 0n;
    for (const byte of this.#take(bytes)) value = (value << 8n) | BigInt(byte);
    return signed ? BigInt.asIntN(bytes * 8, value) : value;
  }

  /** A length or a count. */
  length(most: number): number {
    const length = Number(this.number(4, false));
    if (length > most) throw new UnreadableXdr(`${length} is more than ${most}`);
    return length;
  }

  /** Reads what lies within another value of its own kind. */
  nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > MOST_NESTING) throw new UnreadableXdr("nests too deep");
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #take(length: number): Uint8Array {
    if (length > this.left) throw new UnreadableXdr("ends too early");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

/** Gathers XDR. */
export class XdrSink {
  readonly #parts: Uint8Array[] = [];

  opaque(bytes: Uint8Array): void {
    this.#parts.push(bytes, new Uint8Array(paddingOf(bytes.length)));
  }

  number(value: bigint, bytes: 4 | 8): void {
    const written = new Uint8Array(bytes);
    let rest = BigInt.asUintN(bytes * 8, value);
    for (let at = bytes - 1; at >= 0; at -= 1) {
      written[at] = Number(rest & 0xffn);
      rest >>= 8n;
    }
    this.#parts.push(written);
  }

  bytes(): Uint8Array {
    const all = new Uint8Array(this.#parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}
