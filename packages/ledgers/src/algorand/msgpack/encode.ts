import { isMsgpackMap, type MsgpackMap, type MsgpackValue } from "./value.ts";

const UTF8 = new TextEncoder();

/** A big-endian number of so many bytes behind a type's byte. */
const sized = (type: number, bytes: number, number: bigint): Uint8Array => {
  const out = new Uint8Array(1 + bytes);
  out[0] = type;
  for (let at = bytes, rest = number; at > 0; at -= 1, rest >>= 8n) out[at] = Number(rest & 0xffn);
  return out;
};

/** The shortest of the given forms that can say this length: `[type, bytes of the length]`, shortest first. */
const lengthPrefix = (length: number, forms: readonly (readonly [number, number])[]): Uint8Array => {
  const form = forms.find(([, bytes]) => length < 2 ** (8 * bytes));
  if (form === undefined) throw new RangeError(`MessagePack has no length of ${length}`);
  return sized(form[0], form[1], BigInt(length));
};

const unsigned = (value: bigint): Uint8Array => {
  if (value < 0n || value >= 1n << 64n) throw new RangeError(`${value} is no unsigned number of 64 bits`);
  if (value < 0x80n) return Uint8Array.of(Number(value));
  if (value < 1n << 8n) return sized(0xcc, 1, value);
  if (value < 1n << 16n) return sized(0xcd, 2, value);
  return value < 1n << 32n ? sized(0xce, 4, value) : sized(0xcf, 8, value);
};

const text = (value: string): readonly Uint8Array[] => {
  const bytes = UTF8.encode(value);
  const prefix =
    bytes.length < 32
      ? Uint8Array.of(0xa0 | bytes.length)
      : lengthPrefix(bytes.length, [
          [0xd9, 1],
          [0xda, 2],
          [0xdb, 4],
        ]);
  return [prefix, bytes];
};

const blob = (value: Uint8Array): readonly Uint8Array[] => [
  lengthPrefix(value.length, [
    [0xc4, 1],
    [0xc5, 2],
    [0xc6, 4],
  ]),
  value,
];

const list = (values: readonly MsgpackValue[]): readonly Uint8Array[] => [
  values.length < 16
    ? Uint8Array.of(0x90 | values.length)
    : lengthPrefix(values.length, [
        [0xdc, 2],
        [0xdd, 4],
      ]),
  ...values.flatMap(parts),
];

/** Keys in the order of their bytes, which for Algorand's keys is that of their characters. */
const map = (values: MsgpackMap): readonly Uint8Array[] => [
  values.size < 16
    ? Uint8Array.of(0x80 | values.size)
    : lengthPrefix(values.size, [
        [0xde, 2],
        [0xdf, 4],
      ]),
  ...[...values]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, value]) => [...text(key), ...parts(value)]),
];

const parts = (value: MsgpackValue): readonly Uint8Array[] => {
  if (typeof value === "bigint") return [unsigned(value)];
  if (typeof value === "boolean") return [Uint8Array.of(value ? 0xc3 : 0xc2)];
  if (typeof value === "string") return text(value);
  if (value instanceof Uint8Array) return blob(value);
  return isMsgpackMap(value) ? map(value) : list(value);
};

/**
 * The canonical encoding: sorted keys, the shortest form of every number and length. Leaving out what is empty is the
 * caller's part, because lists of values keep theirs.
 * @source Algorand developer documentation, "Encoding and decoding": canonical msgpack
 */
export const encodeCanonical = (value: MsgpackValue): Uint8Array => {
  const all = parts(value);
  const out = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    out.set(part, at);
    at += part.length;
  }
  return out;
};
