import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import type { MsgpackValue } from "./value.ts";

/** A signed transaction nests three deep: itself, the transaction, an asset's parameters. */
const MOST_NESTING = 8;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Stops the reading of unreadable bytes; never leaves this file. */
class Unreadable extends Error {}

/** Reads one value after the other. Every length is checked against what is there before anything is taken. */
class MsgpackReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  value(depth: number): MsgpackValue {
    if (depth > MOST_NESTING) throw new Unreadable("nests too deep");
    const type = Number(this.#number(1));
    if (type < 0x80) return BigInt(type);
    if (type < 0x90) return this.#map(type & 0x0f, depth);
    if (type < 0xa0) return this.#list(type & 0x0f, depth);
    if (type < 0xc0) return this.#text(type & 0x1f);
    return this.#ofType(type, depth);
  }

  #ofType(type: number, depth: number): MsgpackValue {
    switch (type) {
      case 0xc2:
      case 0xc3:
        return type === 0xc3;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#take(this.#length(2 ** (type - 0xc4))).slice();
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf:
        return this.#number(2 ** (type - 0xcc));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#length(2 ** (type - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#list(this.#length(2 ** (type - 0xdb)), depth);
      case 0xde:
      case 0xdf:
        return this.#map(this.#length(2 ** (type - 0xdd)), depth);
      default:
        throw new Unreadable(`unrecognized descriptor byte: ${type.toString(16)}`);
    }
  }

  #take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.at) throw new Unreadable("unexpected EOF");
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  #number(bytes: number): bigint {
    return this.#take(bytes).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  }

  #length(bytes: number): number {
    return Number(this.#number(bytes));
  }

  #text(length: number): string {
    try {
      return UTF8.decode(this.#take(length));
    } catch (error) {
      throw error instanceof Unreadable ? error : new Unreadable("a text is not UTF-8");
    }
  }

  #list(length: number, depth: number): readonly MsgpackValue[] {
    const values: MsgpackValue[] = [];
    for (let count = 0; count < length; count += 1) values.push(this.value(depth + 1));
    return values;
  }

  #map(length: number, depth: number): ReadonlyMap<string, MsgpackValue> {
    const values = new Map<string, MsgpackValue>();
    for (let count = 0; count < length; count += 1) {
      const key = this.value(depth + 1);
      if (typeof key !== "string") throw new Unreadable("a key is not a text");
      if (values.has(key)) throw new Unreadable(`the key ${key} stands twice`);
      values.set(key, this.value(depth + 1));
    }
    return values;
  }
}

/**
 * Reads the value that begins at a place, in any of its encodings.
 * @returns the value and the place behind it; a refusal in the words of algod's decoder otherwise
 */
export const readMsgpack = (
  bytes: Uint8Array,
  from: number,
): Ruling<{ readonly value: MsgpackValue; readonly end: number }> => {
  const reader = new MsgpackReader(bytes, from);
  try {
    const value = reader.value(0);
    return granted({ value, end: reader.at });
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return refusedWith(`msgpack decode error [pos ${reader.at}]: ${error.message}`);
  }
};
