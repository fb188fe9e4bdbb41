import { concatBytes } from "@noble/curves/utils.js";
import { seededEntropy } from "../seeded-entropy.ts";
import type { Reader } from "./decoder.ts";

const POOL_BYTES = 1 << 20;
const EDGES = [0, 1, 2, 3, 4, 0x1f, 0x20, 0x7f, 0x80, 0xfe, 0xff] as const;
const PIECE_BYTES = 162; // two of these bytes are the length of the others
const SPILL = 8; // bytes beyond the longest honest message
const SHORT_BYTES = 80;
const MIDDLE_BYTES = 500;
const RARELY = 400; // one random string in this many may be as long as the longest message, whatever it costs

/** The pool of random bytes; never written to. */
const POOL = seededEntropy("strings")(POOL_BYTES);

/** A fast deterministic source of choices and bytes. */
export class Dice {
  #state: number;

  constructor(seed: string) {
    const entropy = seededEntropy(`strings/${seed}`);
    this.#state = entropy(4).reduce((state, byte) => state * 256 + byte, 1) >>> 0 || 1;
  }

  /** in [0, bound), nearly uniform (xorshift of Marsaglia, 2003) */
  below(bound: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % bound;
  }

  /** Returns a view that must not be written to: a copy would cost more than most readers do. */
  bytes(length: number): Uint8Array {
    const start = this.below(POOL_BYTES - length);
    return POOL.subarray(start, start + length);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }
}

/** A string of pieces that resemble fields: numbers after a length, points after a prefix, small bytes. */
const plausible = (dice: Dice, length: number): Uint8Array => {
  const text = new Uint8Array(length + PIECE_BYTES);
  for (let filled = 0; filled < length; ) {
    switch (dice.below(3)) {
      case 0: {
        const digits = dice.below(dice.below(2) === 0 ? 4 : PIECE_BYTES - 2);
        text[filled + 1] = digits;
        text.set(dice.bytes(digits), filled + 2);
        filled += 2 + digits;
        break;
      }
      case 1:
        text[filled] = 2 + dice.below(2);
        text.set(dice.bytes(32), filled + 1);
        filled += 33;
        break;
      default:
        text[filled] = dice.pick(EDGES);
        filled += 1;
    }
  }
  return text.subarray(0, length);
};

/** A random string, independent of the codec. */
export const randomString = (dice: Dice, { samples, cheapBytes }: Reader): Uint8Array => {
  const longest = dice.pick(samples).length + SPILL;
  const usual = Math.min(longest, cheapBytes, dice.below(2) === 0 ? SHORT_BYTES : MIDDLE_BYTES);
  const length = dice.below(dice.below(RARELY) === 0 ? longest : usual);
  switch (dice.below(8)) {
    case 0:
      return new Uint8Array(length).fill(dice.pick(EDGES));
    case 1:
      return plausible(dice, length);
    default:
      return dice.bytes(length);
  }
};

type Bend = (dice: Dice, bytes: Uint8Array, reader: Reader) => Uint8Array;

const span = (dice: Dice, bytes: Uint8Array): readonly [from: number, to: number] => {
  const from = dice.below(bytes.length + 1);
  return [from, Math.min(bytes.length, from + 1 + dice.below(40))];
};

const withByte = (bytes: Uint8Array, at: number, byte: number): Uint8Array => {
  const changed = bytes.slice();
  changed[at] = byte;
  return changed;
};

const BENDS: readonly Bend[] = [
  (dice, bytes) => {
    const at = dice.below(bytes.length + 1);
    return withByte(bytes, at, (bytes[at] ?? 0) ^ (1 << dice.below(8)));
  },
  (dice, bytes) => {
    const at = dice.below(bytes.length + 1);
    return withByte(bytes, at, dice.pick(EDGES));
  },
  (dice, bytes) => {
    const [from, to] = span(dice, bytes);
    const edge = dice.pick(EDGES);
    return bytes.slice().fill(edge, from, to);
  },
  (dice, bytes) => {
    const [from, to] = span(dice, bytes);
    return concatBytes(bytes.subarray(0, from), dice.bytes(to - from), bytes.subarray(to));
  },
  (dice, bytes) => bytes.slice(0, dice.below(bytes.length + 1)),
  (dice, bytes) => concatBytes(bytes, dice.bytes(1 + dice.below(SPILL))),
  (dice, bytes) => {
    const [from, to] = span(dice, bytes);
    return concatBytes(bytes.subarray(0, from), bytes.subarray(to));
  },
  (dice, bytes) => {
    const [from, to] = span(dice, bytes);
    return concatBytes(bytes.subarray(0, to), bytes.subarray(from));
  },
  (dice, bytes) => {
    const at = dice.below(bytes.length + 1);
    return concatBytes(bytes.subarray(0, at), Uint8Array.of(dice.pick(EDGES)), bytes.subarray(at));
  },
  (dice, bytes, { samples }) => {
    const at = dice.below(bytes.length + 1);
    return concatBytes(bytes.subarray(0, at), dice.pick(samples).subarray(at));
  },
];

/** An honest message with one to three changes. */
export const bentString = (dice: Dice, reader: Reader): Uint8Array => {
  let bytes = dice.pick(reader.samples);
  for (let bends = 1 + dice.below(3); bends > 0; bends--) bytes = dice.pick(BENDS)(dice, bytes, reader);
  return bytes;
};
