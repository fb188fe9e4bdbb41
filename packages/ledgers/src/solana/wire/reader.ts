/** The bytes are no transaction: too few, too many, or of another form. */
export class AgaveWireError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AgaveWireError";
  }
}

/** A compact length takes up to so many bytes, seven bits each. @source Solana documentation, Transactions: compact array format */
const LENGTH_BYTES_MAX = 3;
const LENGTH_MAX = 0xffff;

/** Reads bytes from the first on, and refuses to read past the last. */
export class AgaveReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** The bytes left to read; this reads none of them. */
  get rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  byte(): number {
    const [byte] = this.take(1);
    return byte ?? 0;
  }

  take(length: number): Uint8Array {
    const taken = this.#bytes.slice(this.#at, this.#at + length);
    if (taken.length < length) throw new AgaveWireError("io error: unexpected end of file");
    this.#at += length;
    return taken;
  }

  /** A length of one to three bytes, in its shortest form. */
  length(): number {
    let value = 0;
    for (let index = 0; index < LENGTH_BYTES_MAX; index += 1) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) {
        if (value > LENGTH_MAX || (byte === 0 && index > 0)) break;
        return value;
      }
    }
    throw new AgaveWireError("a length is not in its shortest form");
  }
}
