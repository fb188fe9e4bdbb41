import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  boolean,
  type Codec,
  countedList,
  decode,
  encode,
  fixedBytes,
  integer,
  list,
  natural,
  naturalBytesMax,
  pointCodec,
  scalarCodec,
  struct,
  text,
  uint,
  variableBytes,
} from "./codec.ts";
import { GENERATOR, IDENTITY, multiplyBase, ORDER, type Point } from "./group.ts";

const BITS = 300;

interface Sample {
  readonly count: number;
  readonly large: bigint;
  readonly signed: bigint;
  readonly flags: readonly boolean[];
  readonly blob: Uint8Array;
  readonly name: string;
  readonly items: readonly bigint[];
}

const sampleCodec = struct<Sample>({
  count: uint(4),
  large: natural(BITS),
  signed: integer(BITS),
  flags: list(boolean, 3),
  blob: variableBytes(50),
  name: text(40),
  items: countedList(natural(64), 5),
});

const sampleArbitrary: fc.Arbitrary<Sample> = fc.record({
  count: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  large: fc.bigInt({ min: 0n, max: (1n << 300n) - 1n }),
  signed: fc.bigInt({ min: 1n - (1n << 300n), max: (1n << 300n) - 1n }),
  flags: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  blob: fc.uint8Array({ maxLength: 50 }),
  name: fc.string({ unit: "grapheme", maxLength: 5 }).filter((value) => new Blob([value]).size <= 40),
  items: fc.array(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), { maxLength: 5 }),
});

const isDecoded = <T>(codec: Codec<T>, bytes: readonly number[]): boolean =>
  decode(codec, Uint8Array.from(bytes)).ok;

describe("the canonical codec", () => {
  test("gives back what it wrote", () => {
    fc.assert(
      fc.property(sampleArbitrary, (value) => {
        expect(decode(sampleCodec, encode(sampleCodec, value))).toEqual({ ok: true, value });
      }),
    );
  });

  test("P20 has one form for each value: whatever decodes encodes to the same bytes", () => {
    const small = struct<{ a: bigint; b: boolean; c: readonly bigint[] }>({
      a: integer(12),
      b: boolean,
      c: countedList(natural(8), 2),
    });
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 12 }), (raw) => {
        const bytes = Uint8Array.from(raw);
        const decoded = decode(small, bytes);
        if (decoded.ok) expect(encode(small, decoded.value)).toEqual(bytes);
      }),
      { numRuns: 5000 },
    );
  });

  test("never throws on what a stranger sends", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(typeof decode(sampleCodec, bytes).ok).toBe("boolean");
      }),
    );
  });

  test("refuses every proper beginning of a message, and bytes after its end", () => {
    const value: Sample = {
      count: 7,
      large: 1n << 299n,
      signed: -5n,
      flags: [true, false, true],
      blob: new Uint8Array(9),
      name: "ü",
      items: [1n, 2n],
    };
    const bytes = encode(sampleCodec, value);
    for (let length = 0; length < bytes.length; length++) {
      expect(decode(sampleCodec, bytes.slice(0, length)).ok).toBe(false);
    }
    expect(decode(sampleCodec, new Uint8Array([...bytes, 0])).ok).toBe(false);
  });
});

describe("integers on the wire", () => {
  test.each<[string, boolean]>([
    ["leading zeros", isDecoded(natural(64), [0, 2, 0, 1])],
    ["a zero with a byte", isDecoded(natural(64), [0, 1, 0])],
    ["a negative zero", isDecoded(integer(64), [1, 0, 0])],
    ["an unknown sign", isDecoded(integer(64), [2, 0, 1, 1])],
    ["one bit too many", isDecoded(natural(9), [0, 2, 2, 0])],
    ["a signed one of one bit too many", isDecoded(integer(9), [1, 0, 2, 2, 0])],
    ["a boolean that is neither", isDecoded(boolean, [2])],
  ])("P20 are refused with %s", (_, accepted) => {
    expect(accepted).toBe(false);
  });

  test("P13 are refused by their announced length, before their bytes are read", () => {
    const decoded = decode(natural(64), Uint8Array.of(0xff, 0xff));
    expect(decoded).toEqual({ ok: false, reason: "integer of 65535 bytes, at most 64 bits allowed" });
  });

  test("are accepted up to the last bit", () => {
    expect(decode(natural(9), Uint8Array.of(0, 2, 1, 255))).toEqual({ ok: true, value: 511n });
    expect(encode(natural(9), 511n).length).toBe(naturalBytesMax(9));
  });

  test("are not written beyond their bound, nor negative where the type is natural", () => {
    expect(() => encode(natural(9), 512n)).toThrow("above 9 bits");
    expect(() => encode(natural(9), -1n)).toThrow("negative");
    expect(() => encode(integer(9), -512n)).toThrow("above 9 bits");
  });
});

describe("lengths on the wire", () => {
  test("P10 a list has exactly the length that the reader expects", () => {
    const three = encode(list(natural(8), 3), [1n, 2n, 3n]);
    expect(decode(list(natural(8), 2), three).ok).toBe(false);
    expect(decode(list(natural(8), 4), three).ok).toBe(false);
    expect(() => encode(list(natural(8), 4), [1n])).toThrow("expected 4 items");
  });

  test("P13 a counted list and a blob stay below their bound", () => {
    expect(isDecoded(countedList(boolean, 2), [3, 1, 1, 1])).toBe(false);
    expect(() => encode(countedList(boolean, 2), [true, true, true])).toThrow("at most 2");
    expect(isDecoded(variableBytes(2), [0, 0, 0, 3, 1, 1, 1])).toBe(false);
    expect(isDecoded(variableBytes(2), [255, 255, 255, 255])).toBe(false);
    expect(() => encode(variableBytes(2), new Uint8Array(3))).toThrow("at most 2");
  });

  test("fixed bytes have their length", () => {
    expect(isDecoded(fixedBytes(3), [1, 2])).toBe(false);
    expect(() => encode(fixedBytes(3), new Uint8Array(2))).toThrow("expected 3 bytes");
  });

  test.each([[[0xff]], [[0xc3]], [[0xc0, 0x80]], [[0xed, 0xa0, 0x80]]])("text of %j is no UTF-8", (bytes) => {
    expect(isDecoded(text(8), [0, 0, 0, bytes.length, ...bytes])).toBe(false);
  });
});

describe("group elements on the wire", () => {
  const asBytes = (value: bigint): readonly number[] =>
    (value.toString(16).padStart(64, "0").match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));

  test("scalars below q are accepted, q and above are not", () => {
    expect(isDecoded(scalarCodec, asBytes(0n))).toBe(true);
    expect(isDecoded(scalarCodec, asBytes(ORDER - 1n))).toBe(true);
    expect(isDecoded(scalarCodec, asBytes(ORDER))).toBe(false);
    expect(isDecoded(scalarCodec, asBytes((1n << 256n) - 1n))).toBe(false);
  });

  test("points are given back", () => {
    for (const point of [GENERATOR, multiplyBase(12_345n), GENERATOR.negate()]) {
      const decoded = decode(pointCodec, encode(pointCodec, point));
      expect(decoded.ok && decoded.value.equals(point)).toBe(true);
    }
  });

  test("P9 the identity is neither written nor read", () => {
    expect(() => encode<Point>(pointCodec, IDENTITY)).toThrow();
    expect(isDecoded(pointCodec, new Array<number>(33).fill(0))).toBe(false);
  });

  test.each<[string, readonly number[]]>([
    ["an x that is on no curve point", [2, ...asBytes(5n)]],
    ["an x not below the field", [2, ...asBytes((1n << 256n) - 1n)]],
    ["an unknown prefix", [5, ...asBytes(1n)]],
    ["the uncompressed prefix", [4, ...asBytes(1n)]],
  ])("%s is refused", (_, bytes) => {
    expect(isDecoded(pointCodec, bytes)).toBe(false);
  });
});
