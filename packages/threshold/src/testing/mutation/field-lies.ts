import { bytesToNumberBE, concatBytes, equalBytes, numberToBytesBE } from "@noble/curves/utils.js";
import type { ProtocolMessage } from "./attacked-protocol.ts";
import { fieldsOf, type TracedField } from "./traced-field.ts";

/** A payload with one wrong field. */
interface FieldLie {
  /** the change of the field, such as "zeros" */
  readonly name: string;
  readonly payload: Uint8Array;
}

/** All lies about one field of a message. */
export interface LiesOfField {
  readonly path: string;
  /** whether the field is not an item of a list */
  readonly isSingle: boolean;
  /** whether it is the last of several like items */
  readonly isLast: boolean;
  /** whether it is neither the first nor the last of several like items */
  readonly isBetween: boolean;
  readonly lies: readonly FieldLie[];
}

/** Values from other contexts. */
interface Elsewhere {
  /** the same message from another context: another session, peer or receiver */
  readonly payloads: ReadonlyMap<string, Uint8Array>;
  /** values that a range check might miss */
  readonly integers: ReadonlyMap<string, bigint>;
}

const valueIn = (payload: Uint8Array, { offset, length, signBytes, lengthBytes }: TracedField): Uint8Array =>
  payload.slice(offset + signBytes + lengthBytes, offset + length);

const encodingOf = (payload: Uint8Array, { offset, length }: TracedField): Uint8Array =>
  payload.slice(offset, offset + length);

/** The payload with a field's encoding replaced. */
const splice = (payload: Uint8Array, { offset, length }: TracedField, encoding: Uint8Array): Uint8Array =>
  concatBytes(payload.slice(0, offset), encoding, payload.slice(offset + length));

/** The payload with a field's value replaced, and its length prefix adjusted. */
const withValue = (payload: Uint8Array, field: TracedField, value: Uint8Array): Uint8Array => {
  const { offset, signBytes, lengthBytes } = field;
  const sign = payload.slice(offset, offset + signBytes);
  const length = lengthBytes === 0 ? new Uint8Array(0) : numberToBytesBE(BigInt(value.length), lengthBytes);
  return splice(payload, field, concatBytes(sign, length, value));
};

const flip = (value: Uint8Array, at: number, mask: number): Uint8Array =>
  value.map((byte, position) => (position === at ? byte ^ mask : byte));

const bytesOf = (value: bigint): Uint8Array => {
  const digits = value.toString(16);
  return numberToBytesBE(value, Math.ceil(digits.length / 2));
};

type Variant = readonly [name: string, payload: Uint8Array];

/** The one lie that every field gets. */
const lastBit = (payload: Uint8Array, field: TracedField): Variant => {
  const value = valueIn(payload, field);
  return ["its last bit flipped", withValue(payload, field, flip(value, value.length - 1, 1))];
};

const flips = (payload: Uint8Array, field: TracedField): readonly Variant[] => {
  const value = valueIn(payload, field);
  const middle = value.length >> 1;
  return [
    lastBit(payload, field),
    ["its middle byte changed", withValue(payload, field, flip(value, middle, 0x10))],
    ["its first bit flipped", withValue(payload, field, flip(value, 0, 0x80))],
  ];
};

const extremes = (payload: Uint8Array, field: TracedField): readonly Variant[] => {
  const { lengthBytes, signBytes, offset } = field;
  const value = valueIn(payload, field);
  const fixed: readonly Variant[] = [
    ["zeros", withValue(payload, field, new Uint8Array(value.length))],
    ["ones", withValue(payload, field, new Uint8Array(value.length).fill(0xff))],
  ];
  if (lengthBytes === 0) return fixed;
  const longest = new Uint8Array(lengthBytes).fill(0xff);
  const sign = payload.slice(offset, offset + signBytes);
  const counted: readonly Variant[] = [
    ["nothing", withValue(payload, field, new Uint8Array(0))],
    ["one", withValue(payload, field, Uint8Array.of(1))],
    ["a leading zero", withValue(payload, field, concatBytes(Uint8Array.of(0), value))],
    ["a byte more", withValue(payload, field, concatBytes(value, Uint8Array.of(1)))],
    ["the longest length", splice(payload, field, concatBytes(sign, longest, value))],
  ];
  const signed: readonly Variant[] = [
    ["the other sign", splice(payload, field, flip(encodingOf(payload, field), 0, 1))],
    ["an unknown sign", splice(payload, field, flip(encodingOf(payload, field), 0, 2))],
  ];
  return [...fixed, ...counted, ...(signBytes === 0 ? [] : signed)];
};

/**
 * Replaces the value by each number, and adds each to it: without a range check, a response plus its modulus
 * would verify.
 */
const numbers = (
  payload: Uint8Array,
  field: TracedField,
  integers: Elsewhere["integers"],
): readonly Variant[] => {
  const value = valueIn(payload, field);
  const fit = (number: bigint): Uint8Array | undefined => {
    const bytes = bytesOf(number);
    if (field.lengthBytes > 0) return bytes;
    if (bytes.length > value.length) return undefined;
    return concatBytes(new Uint8Array(value.length - bytes.length), bytes);
  };
  const own = value.length === 0 ? 0n : bytesToNumberBE(value);
  return [...integers].flatMap(([name, number]) => {
    const instead = fit(number);
    const more = fit(own + number);
    return [
      ...(instead === undefined ? [] : [[name, withValue(payload, field, instead)] as const]),
      ...(more === undefined ? [] : [[`${name} more`, withValue(payload, field, more)] as const]),
    ];
  });
};

/** Replaces the value by that of another field with the same encoding. */
const swapped = (
  payload: Uint8Array,
  field: TracedField,
  fields: readonly TracedField[],
): readonly Variant[] => {
  const isAlike = (other: TracedField): boolean =>
    other !== field &&
    other.signBytes === field.signBytes &&
    other.lengthBytes === field.lengthBytes &&
    (field.lengthBytes > 0 || other.length === field.length);
  const at = fields.indexOf(field);
  const other = [...fields.slice(at + 1), ...fields.slice(0, at)].find(isAlike);
  return other === undefined
    ? []
    : [[`the value of ${other.path}`, splice(payload, field, encodingOf(payload, other))]];
};

const borrowed = (
  payload: Uint8Array,
  field: TracedField,
  codec: ProtocolMessage["codec"],
  { payloads }: Elsewhere,
): readonly Variant[] =>
  [...payloads].flatMap(([name, other]) => {
    const there = fieldsOf(codec, other).find(({ path }) => path === field.path);
    return there === undefined
      ? []
      : [[`that of ${name}`, splice(payload, field, encodingOf(other, there))] as const];
  });

/** The variants that differ from the honest payload and from each other. */
const distinct = (payload: Uint8Array, variants: readonly Variant[]): readonly FieldLie[] => {
  const lies: FieldLie[] = [];
  for (const [name, changed] of variants) {
    const isKnown = [payload, ...lies.map((lie) => lie.payload)].some((known) => equalBytes(known, changed));
    if (!isKnown) lies.push({ name, payload: changed });
  }
  return lies;
};

const patternOf = ({ path }: TracedField): string => path.replace(/\b\d+\b/g, "*");

/**
 * Makes lies about every field of a message. The first and the last of several like items get every lie, the
 * others one.
 *
 * @param codec of the message, which finds the fields
 * @param payload of an honest party
 */
export const liesOfFields = (
  codec: ProtocolMessage["codec"],
  payload: Uint8Array,
  elsewhere: Elsewhere,
): readonly LiesOfField[] => {
  const fields = fieldsOf(codec, payload);
  return fields.map((field) => {
    const alike = fields.filter((other) => patternOf(other) === patternOf(field));
    const isFirst = field === alike[0];
    const isLast = field === alike.at(-1) && !isFirst;
    const isBetween = !isFirst && !isLast;
    const variants: readonly Variant[] = isBetween
      ? [lastBit(payload, field)]
      : [
          ...flips(payload, field),
          ...extremes(payload, field),
          ...numbers(payload, field, elsewhere.integers),
          ...swapped(payload, field, fields),
          ...borrowed(payload, field, codec, elsewhere),
        ];
    const isSingle = alike.length === 1;
    return { path: field.path, isSingle, isLast, isBetween, lies: distinct(payload, variants) };
  });
};
