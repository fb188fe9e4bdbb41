/** Malformed bytes; the decoder catches it. */
export class MalformedBytes extends Error {}

const CONTINUES = 0x80;
const LENGTH_BYTES_MAX = 3;

/** Reads bytes from start to end. */
export class MessageReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new MalformedBytes("it ends too early");
    this.#at += 1;
    return byte;
  }

  bytes(count: number): Uint8Array {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new MalformedBytes("it ends too early");
    const found = this.#bytes.slice(this.#at, end);
    this.#at = end;
    return found;
  }

  /** A length of at most 16 bits, seven bits per byte, low bits first (Solana Documentation, "Compact-u16"). */
  length(): number {
    let length = 0;
    for (let group = 0; group < LENGTH_BYTES_MAX; group += 1) {
      const byte = this.byte();
      length |= (byte & (CONTINUES - 1)) << (7 * group);
      if (byte < CONTINUES) return length;
    }
    throw new MalformedBytes("it holds a length that is too large");
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new MalformedBytes("it goes on behind its end");
  }
}

/** A length as Compact-u16, in its shortest form. */
export const lengthBytes = (length: number): Uint8Array => {
  const bytes: number[] = [];
  let rest = length;
  for (; rest >= CONTINUES; rest >>= 7) bytes.push((rest & (CONTINUES - 1)) | CONTINUES);
  return Uint8Array.from([...bytes, rest]);
};
