import { concatBytes, hexToBytes, numberToBytesBE } from "@noble/curves/utils.js";
import { describe, expect, test } from "vitest";
import { decode, Source, scalarCodecOf } from "../../codec.ts";
import { ED25519, SECP256K1 } from "../../curve.ts";
import { fieldsOf, type TracedField } from "../mutation/traced-field.ts";
import { type Decoder, titleOf } from "./decoder.ts";
import { EVERY_DECODER } from "./every-decoder.ts";

const POINT_BYTES = 33;
/** codecs of rounds that parse the points afterwards, with the curve's cofactor */
const POINTS_PARSED_LATER = new Set(["frost/round1.ts commitmentMessageCodec"]);
const OVERSIZE_BYTES = 1500; // longer than any integer at the test level
const asTests = (decoders: readonly Decoder[]) =>
  decoders.map((decoder) => [titleOf(decoder), decoder] as const);

const sampleOf = ({ samples }: Decoder): Uint8Array => {
  const [sample] = samples;
  if (sample === undefined) throw new Error("every decoder has a sample");
  return sample;
};

const fieldsIn = (decoder: Decoder): readonly TracedField[] => fieldsOf(decoder, sampleOf(decoder));

/** The sample with one field's encoding replaced, sign and length included. */
const withEncoding = (
  sample: Uint8Array,
  { offset, length }: TracedField,
  encoding: Uint8Array,
): Uint8Array => concatBytes(sample.subarray(0, offset), encoding, sample.subarray(offset + length));

const accepted = (decoder: Decoder, strings: ReadonlyMap<string, Uint8Array>): readonly string[] =>
  [...strings].filter(([, bytes]) => decoder.recode(bytes).ok).map(([name]) => name);

const isInteger = ({ lengthBytes }: TracedField): boolean => lengthBytes === 2;

/** Non-canonical encodings of an integer, and integers that are too long. */
const badIntegers = (sample: Uint8Array, field: TracedField): readonly (readonly [string, Uint8Array])[] => {
  const { offset, signBytes, length, path } = field;
  const sign = sample.subarray(offset, offset + signBytes);
  const digits = sample.subarray(offset + signBytes + 2, offset + length);
  const encoding = (value: Uint8Array, before = sign): Uint8Array =>
    concatBytes(before, Uint8Array.of(value.length >> 8, value.length & 0xff), value);
  const forms: readonly (readonly [string, Uint8Array])[] = [
    ["a leading zero", encoding(concatBytes(Uint8Array.of(0), digits))],
    ["a zero with a byte", encoding(Uint8Array.of(0))],
    ["far too many bytes", encoding(new Uint8Array(OVERSIZE_BYTES).fill(0xff))],
    ["the longest length", concatBytes(sign, Uint8Array.of(0xff, 0xff), digits)],
    ...(signBytes === 0
      ? []
      : ([
          ["an unknown sign", encoding(digits, Uint8Array.of(2))],
          ["a negative zero", encoding(new Uint8Array(0), Uint8Array.of(1))],
        ] as const)),
  ];
  return forms.map(([name, bytes]) => [`${path}: ${name}`, withEncoding(sample, field, bytes)]);
};

const NO_POINTS: readonly (readonly [string, Uint8Array])[] = [
  ["the point at infinity", "00".repeat(33)],
  ["the prefix of infinity before an x", `00${"11".repeat(32)}`],
  ["an x on no curve point", `02${"00".repeat(31)}05`],
  ["an x not below the field", `02${"ff".repeat(32)}`],
  ["the field's order as x", `02${"ff".repeat(27)}fefffffc2f`],
  ["an uncompressed prefix", `04${"11".repeat(32)}`],
  ["an unknown prefix", `05${"11".repeat(32)}`],
].map(([name = "", hex = ""]) => [name, hexToBytes(hex)]);

/** Whether a field is a point: no other field has this length. */
const isPoint = ({ length, lengthBytes }: TracedField): boolean =>
  length === POINT_BYTES && lengthBytes === 0;

describe("P20 every integer of", () => {
  const having = EVERY_DECODER.filter((decoder) => fieldsIn(decoder).some(isInteger));
  test.each(asTests(having))("%s has one form, of bounded length", (_, decoder) => {
    const sample = sampleOf(decoder);
    const bad = fieldsIn(decoder)
      .filter(isInteger)
      .flatMap((field) => badIntegers(sample, field));
    expect(accepted(decoder, new Map(bad))).toEqual([]);
  });
});

describe("P9 every point of", () => {
  const having = EVERY_DECODER.filter(({ name }) => !POINTS_PARSED_LATER.has(name)).filter((decoder) =>
    fieldsIn(decoder).some(isPoint),
  );
  test.each(asTests(having))("%s lies on the curve, not at infinity", (_, decoder) => {
    const sample = sampleOf(decoder);
    const bad = fieldsIn(decoder)
      .filter(isPoint)
      .flatMap((field) =>
        NO_POINTS.map(
          ([name, bytes]) => [`${field.path}: ${name}`, withEncoding(sample, field, bytes)] as const,
        ),
      );
    expect(accepted(decoder, new Map(bad))).toEqual([]);
  });
});

test.each([
  ["secp256k1", scalarCodecOf(SECP256K1), SECP256K1.order],
  ["Ed25519", scalarCodecOf(ED25519), ED25519.order],
] as const)("P20 a scalar of %s is below the order of its group", (_, codec, order) => {
  const isTaken = (value: bigint): boolean => decode(codec, numberToBytesBE(value, 32)).ok;
  expect([0n, order - 1n].map(isTaken)).toEqual([true, true]);
  expect([order, order + 1n, (1n << 256n) - 1n].map(isTaken)).toEqual([false, false, false]);
});

test("P9 a commitment of FROST lies on the curve, not at infinity", () => {
  const parsed = NO_POINTS.map(([, bytes]) => SECP256K1.parseCleared(bytes));
  expect(parsed).toEqual(NO_POINTS.map(() => undefined));
});

describe("P10 the length of", () => {
  test.each(asTests(EVERY_DECODER))(
    "%s is exact: no beginning of it decodes, nor more than it",
    (_, decoder) => {
      const sample = sampleOf(decoder);
      const ends = fieldsIn(decoder).flatMap(({ offset, length }) => [
        offset,
        offset + 1,
        offset + length - 1,
      ]);
      const cut = [...new Set([0, ...ends])]
        .filter((end) => end < sample.length)
        .map((end) => [`its first ${end} bytes`, sample.slice(0, end)] as const);
      const long = [1, 33, sample.length].map(
        (more) => [`${more} bytes more`, concatBytes(sample, new Uint8Array(more))] as const,
      );
      expect(accepted(decoder, new Map([...cut, ...long]))).toEqual([]);
    },
  );

  const inRounds = EVERY_DECODER.filter(({ roundBytesMax }) => roundBytesMax !== undefined);
  test.each(asTests(inRounds))("%s stays within the limit of its round", (_, { samples, roundBytesMax }) => {
    const longest = Math.max(...samples.map(({ length }) => length));
    expect(longest).toBeLessThanOrEqual(roundBytesMax ?? 0);
  });
});

/** Counts the reads of a codec, and the bytes that it takes. */
class CountingSource extends Source {
  reads = 0;
  taken = 0;

  override take(length: number): Uint8Array {
    this.reads++;
    const bytes = super.take(length);
    this.taken += bytes.length;
    return bytes;
  }
}

describe("P13 the work on", () => {
  const LONGEST = 4096;
  test.each(asTests(EVERY_DECODER))(
    "%s is bounded by its length, whatever it says of itself",
    (_, decoder) => {
      const strings = [
        ...decoder.samples,
        ...[0, 1, 0xff].map((byte) => new Uint8Array(LONGEST).fill(byte)),
        ...fieldsIn(decoder).map(({ offset }) =>
          concatBytes(sampleOf(decoder).slice(0, offset), new Uint8Array(LONGEST).fill(0xff)),
        ),
      ];
      for (const bytes of strings) {
        const source = new CountingSource(bytes);
        try {
          decoder.read(source);
        } catch {
          // refused
        }
        expect(source.taken).toBeLessThanOrEqual(bytes.length);
        expect(source.reads).toBeLessThanOrEqual(bytes.length + 1);
      }
    },
  );
});
