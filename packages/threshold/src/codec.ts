import { bytesToUtf8 } from "@noble/ciphers/utils.js";
import { bytesToNumberBE, equalBytes, numberToBytesBE } from "@noble/curves/utils.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { bitLength } from "./arithmetic/integers.ts";
import {
  type Curve,
  type GroupPoint,
  type Point,
  parseUncompressed,
  SCALAR_BYTES,
  SECP256K1,
  UNCOMPRESSED_BYTES,
} from "./curve.ts";

/**
 * Writes and reads the one canonical binary form of a value: whatever decodes re-encodes to the same bytes. Sizes are
 * checked before any arithmetic (P13); non-minimal integers and out-of-range values are refused (P20).
 */
export interface Codec<T> {
  readonly write: (sink: Sink, value: T) => void;
  readonly read: (source: Source) => T;
}

/** The decoded value, or the reason why decoding failed: text for a log, never shown to the sender (P15). */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

class Malformed extends Error {}

const refuse = (reason: string): never => {
  throw new Malformed(reason);
};

/** A byte buffer that codecs write to. */
class Sink {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  push(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  uint(value: number, width: number): void {
    this.push(numberToBytesBE(BigInt(value), width));
  }

  bytes(): Uint8Array {
    const all = new Uint8Array(this.#length);
    let offset = 0;
    for (const part of this.#parts) {
      all.set(part, offset);
      offset += part.length;
    }
    return all;
  }
}

/** A byte string that codecs read from front to back. */
export class Source {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  take(length: number): Uint8Array {
    const end = this.#offset + length;
    if (end > this.#bytes.length) refuse("message ends too early");
    const taken = this.#bytes.slice(this.#offset, end);
    this.#offset = end;
    return taken;
  }

  uint(width: number): number {
    return Number(bytesToNumberBE(this.take(width)));
  }

  /** Reads one named part of a larger value; subclasses override it to record the position of each part. */
  part<T>(_name: PropertyKey, codec: Codec<T>): T {
    return codec.read(this);
  }

  finish(): void {
    if (this.#offset !== this.#bytes.length) refuse("message has bytes after its end");
  }
}

/**
 * Encodes a value to its canonical bytes.
 *
 * @throws RangeError when the value does not fit its codec (too long, negative, or the identity): a bug of
 * the caller
 */
export const encode = <T>(codec: Codec<T>, value: T): Uint8Array => {
  const sink = new Sink();
  codec.write(sink, value);
  return sink.bytes();
};

/**
 * Decodes all of the bytes, or returns the reason why it cannot. Never throws on any input and reads each
 * byte once; accepted bytes are the encoding of their value (P20).
 */
export const decode = <T>(codec: Codec<T>, bytes: Uint8Array): Decoded<T> => {
  const source = new Source(bytes);
  try {
    const value = codec.read(source);
    source.finish();
    return { ok: true, value };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, reason: error.message };
    throw error;
  }
};

/** An unsigned integer of `width` bytes, big-endian. */
export const uint = (width: 1 | 2 | 4 | 6): Codec<number> => ({
  write: (sink, value) => sink.uint(value, width),
  read: (source) => source.uint(width),
});

/** Exactly `length` bytes, without a length prefix. */
export const fixedBytes = (length: number): Codec<Uint8Array> => ({
  write: (sink, value) => {
    if (value.length !== length) throw new RangeError(`expected ${length} bytes, got ${value.length}`);
    sink.push(value);
  },
  read: (source) => source.take(length),
});

/** At most maxLength bytes after a length prefix of four bytes; a larger length is refused before the bytes are read. */
export const variableBytes = (maxLength: number): Codec<Uint8Array> => ({
  write: (sink, value) => {
    if (value.length > maxLength) throw new RangeError(`expected at most ${maxLength} bytes`);
    sink.uint(value.length, 4);
    sink.push(value);
  },
  read: (source) => {
    const length = source.uint(4);
    return length > maxLength
      ? refuse(`field of ${length} bytes, at most ${maxLength} allowed`)
      : source.take(length);
  },
});

const minimalBytes = (value: bigint): Uint8Array => numberToBytesBE(value, Math.ceil(bitLength(value) / 8));

const readMagnitude = (source: Source, maxBits: number): bigint => {
  const length = source.uint(2);
  if (length > Math.ceil(maxBits / 8))
    return refuse(`integer of ${length} bytes, at most ${maxBits} bits allowed`);
  const bytes = source.take(length);
  if (length > 0 && bytes[0] === 0) return refuse("integer with leading zeros");
  const value = length === 0 ? 0n : bytesToNumberBE(bytes);
  return bitLength(value) > maxBits ? refuse(`integer above ${maxBits} bits`) : value;
};

const writeMagnitude = (sink: Sink, value: bigint, maxBits: number): void => {
  if (bitLength(value) > maxBits) throw new RangeError(`integer above ${maxBits} bits`);
  const bytes = value === 0n ? new Uint8Array(0) : minimalBytes(value);
  sink.uint(bytes.length, 2);
  sink.push(bytes);
};

/** A non-negative integer of at most maxBits bits: a length prefix of two bytes, then big-endian without leading zeros. */
export const natural = (maxBits: number): Codec<bigint> => ({
  write: (sink, value) => {
    if (value < 0n) throw new RangeError("negative integer");
    writeMagnitude(sink, value, maxBits);
  },
  read: (source) => readMagnitude(source, maxBits),
});

/** The largest encoded length of natural(maxBits) in bytes; integer(maxBits) adds one byte for the sign. */
export const naturalBytesMax = (maxBits: number): number => 2 + Math.ceil(maxBits / 8);

/** A signed integer with |value| of at most maxBits bits: a sign byte, then a natural; zero has only one form. */
export const integer = (maxBits: number): Codec<bigint> => ({
  write: (sink, value) => {
    sink.uint(value < 0n ? 1 : 0, 1);
    writeMagnitude(sink, value < 0n ? -value : value, maxBits);
  },
  read: (source) => {
    const sign = source.uint(1);
    if (sign > 1) return refuse("integer with an unknown sign");
    const magnitude = readMagnitude(source, maxBits);
    if (sign === 1 && magnitude === 0n) return refuse("negative zero");
    return sign === 1 ? -magnitude : magnitude;
  },
});

/** A scalar in [0, q) of a curve's group, 32 bytes, big-endian. */
export const scalarCodecOf = <P extends GroupPoint<P>>({ order }: Curve<P>): Codec<bigint> => ({
  write: (sink, value) => sink.push(numberToBytesBE(value, SCALAR_BYTES)),
  read: (source) => {
    const value = bytesToNumberBE(source.take(SCALAR_BYTES));
    return value >= order ? refuse("scalar not below the group order") : value;
  },
});

/** A point of a curve's group, compressed; the identity has no encoding and is refused. */
export const pointCodecOf = <P extends GroupPoint<P>>({ pointBytes, parsePoint }: Curve<P>): Codec<P> => ({
  write: (sink, value) => {
    if (value.is0()) throw new RangeError("the identity has no encoding");
    sink.push(value.toBytes());
  },
  read: (source) => parsePoint(source.take(pointBytes)) ?? refuse("not a point of the curve"),
});

/** A scalar of secp256k1. */
export const scalarCodec: Codec<bigint> = scalarCodecOf(SECP256K1);

/** A point of secp256k1. */
export const pointCodec: Codec<Point> = pointCodecOf(SECP256K1);

/** An uncompressed point of secp256k1 with both coordinates: twice as long, but decoded without a square root. */
export const uncompressedPointCodec: Codec<Point> = {
  write: (sink, value) => {
    if (value.is0()) throw new RangeError("the identity has no encoding");
    sink.push(value.toBytes(false));
  },
  read: (source) => parseUncompressed(source.take(UNCOMPRESSED_BYTES)) ?? refuse("not a point of the curve"),
};

/** One byte, 0 or 1. */
export const boolean: Codec<boolean> = {
  write: (sink, value) => sink.uint(value ? 1 : 0, 1),
  read: (source) => {
    const byte = source.uint(1);
    return byte > 1 ? refuse("not a boolean") : byte === 1;
  },
};

/**
 * Builds the codec of a type from a codec of its raw form. `parse` returns undefined for raw values outside
 * the type, and must accept every result of `format`.
 */
export const convert = <Raw, T>(
  raw: Codec<Raw>,
  parse: (raw: Raw) => T | undefined,
  format: (value: T) => Raw,
  reason: string,
): Codec<T> => ({
  write: (sink, value) => raw.write(sink, format(value)),
  read: (source) => {
    const parsed = parse(raw.read(source));
    return parsed === undefined ? refuse(reason) : parsed;
  },
});

/** A text of at most maxBytes bytes of UTF-8. */
export const text = (maxBytes: number): Codec<string> =>
  convert(variableBytes(maxBytes), parseText, utf8ToBytes, "not UTF-8");

const parseText = (bytes: Uint8Array): string | undefined => {
  const parsed = bytesToUtf8(bytes);
  return equalBytes(utf8ToBytes(parsed), bytes) ? parsed : undefined; // malformed parts decode to other bytes
};

/** A list of at most lengthMax items, after a one-byte count. */
export const countedList = <T>(item: Codec<T>, lengthMax: number): Codec<readonly T[]> => ({
  write: (sink, values) => {
    if (values.length > lengthMax) throw new RangeError(`at most ${lengthMax} items, got ${values.length}`);
    sink.uint(values.length, 1);
    for (const value of values) item.write(sink, value);
  },
  read: (source) => {
    const length = source.uint(1);
    return length > lengthMax
      ? refuse(`list of ${length} items, at most ${lengthMax} allowed`)
      : Array.from({ length }, (_, at) => source.part(at, item));
  },
});

/** A list of exactly `length` items: the reader fixes the length, so the bytes cannot change it (P10). */
export const list = <T>(item: Codec<T>, length: number): Codec<readonly T[]> => ({
  write: (sink, values) => {
    if (values.length !== length) throw new RangeError(`expected ${length} items, got ${values.length}`);
    for (const value of values) item.write(sink, value);
  },
  read: (source) => Array.from({ length }, (_, at) => source.part(at, item)),
});

/** An object: its fields one after the other, in the order of the shape's keys. */
export const struct = <T extends object>(shape: { readonly [K in keyof T]: Codec<T[K]> }): Codec<T> => {
  const names: (keyof T)[] = [];
  for (const name in shape) names.push(name);
  return {
    write: (sink, value) => {
      for (const name of names) shape[name].write(sink, value[name]);
    },
    read: (source) => {
      const value: Partial<T> = {};
      for (const name of names) value[name] = source.part(name, shape[name]);
      return complete(value, names);
    },
  };
};

const complete = <T extends object>(value: Partial<T>, names: readonly (keyof T)[]): T => {
  const isComplete = (candidate: Partial<T>): candidate is T => names.every((name) => name in candidate);
  return isComplete(value) ? value : refuse("message lacks a field");
};
