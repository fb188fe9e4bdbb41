import { hexToBytes } from "@noble/curves/utils.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteReader, compactSize, UnreadableBytes, uint32, uint64 } from "./bytes.ts";

const read = <T>(bytes: Uint8Array, what: (reader: ByteReader) => T): T => {
  const reader = new ByteReader(bytes);
  const value = what(reader);
  reader.end();
  return value;
};

describe("numbers in the bytes of Bitcoin, least significant byte first", () => {
  it.each([
    [0, "00000000"],
    [1, "01000000"],
    [0x8000_0000, "00000080"],
    [0xffff_fffe, "feffffff"],
    [0x0403_0201, "01020304"],
  ])("%i is read of four bytes, and is never negative", (value, hex) => {
    expect(read(hexToBytes(hex), (reader) => reader.uint32())).toBe(value);
  });

  it.each([
    [0x0807_0605_0403_0201n, "0102030405060708"],
    [0xffff_ffff_ffff_ffffn, "ffffffffffffffff"],
    [0x1_0000_0000n, "0000000001000000"],
    [0xffff_ffffn, "ffffffff00000000"],
  ])("%i is read of eight bytes, to the last satoshi", (value, hex) => {
    expect(read(hexToBytes(hex), (reader) => reader.uint64())).toBe(value);
  });

  it("of any value are read as they were written, wherever they stand", () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        fc.nat(0xffff_ffff),
        fc.bigInt(0n, 2n ** 64n - 1n),
        (before, small, big) => {
          const bytes = Uint8Array.of(...before, ...uint32(small), ...uint64(big), 7);
          const reader = new ByteReader(bytes);
          reader.take(before.length);
          expect([reader.uint32(), reader.uint64(), reader.byte(), reader.left]).toEqual([small, big, 7, 0]);
        },
      ),
    );
  });

  it.each<readonly [string, () => Uint8Array]>([
    ["2^32", () => uint32(2 ** 32)],
    ["-1", () => uint32(-1)],
    ["1.5", () => uint32(1.5)],
    ["a length of 2^32", () => compactSize(2 ** 32)],
    ["2^64", () => uint64(2n ** 64n)],
    ["-1 in eight bytes", () => uint64(-1n)],
  ])("%s is not written in bytes that do not hold it", (_, write) => {
    expect(write).toThrow(RangeError);
  });

  it.each([0, 0xfc, 0xfd, 0xffff, 0x1_0000, 0xffff_ffff])("a length of %i has one encoding", (size) => {
    expect(read(compactSize(size), (reader) => reader.compactSize())).toBe(size);
  });

  it.each(["fdfc00", "feffff0000", "ffffffffff00000000"])("%s is no length in its shortest form", (hex) => {
    expect(() => new ByteReader(hexToBytes(hex)).compactSize()).toThrow(/shortest form/);
  });

  it.each<readonly [string, (reader: ByteReader) => unknown]>([
    ["", (reader) => reader.byte()],
    ["010203", (reader) => reader.uint32()],
    ["01020304050607", (reader) => reader.uint64()],
    ["fd01", (reader) => reader.compactSize()],
    ["ff0000000001000000", (reader) => reader.compactSize()],
  ])("nothing is read beyond the end: %s", (hex, what) => {
    const reader = new ByteReader(hexToBytes(hex));
    expect(() => what(reader)).toThrow(new UnreadableBytes("it ends too early"));
  });
});
