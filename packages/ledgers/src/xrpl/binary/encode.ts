import { concatBytes } from "@noble/hashes/utils.js";
import { rippledAccountId } from "../address.ts";
import { rippledUint32 } from "../digest.ts";
import { encodeRippledDrops } from "./amount.ts";
import { compareFields, type RippledField, rippledFieldNamed } from "./field-table.ts";
import { isRippledArray, type RippledFields, type RippledValue } from "./value.ts";

export const OBJECT_END = 0xe1;
export const ARRAY_END = 0xf1;
const LENGTH_1_MAX = 192;
const LENGTH_2_MAX = 12_480;

const headerOf = ({ typeCode, nth }: RippledField): Uint8Array => {
  if (typeCode < 16 && nth < 16) return Uint8Array.of((typeCode << 4) | nth);
  if (typeCode < 16) return Uint8Array.of(typeCode << 4, nth);
  return nth < 16 ? Uint8Array.of(nth, typeCode) : Uint8Array.of(0, typeCode, nth);
};

const lengthOf = (length: number): Uint8Array => {
  if (length <= LENGTH_1_MAX) return Uint8Array.of(length);
  if (length <= LENGTH_2_MAX) {
    const rest = length - LENGTH_1_MAX - 1;
    return Uint8Array.of(193 + (rest >> 8), rest & 0xff);
  }
  const rest = length - LENGTH_2_MAX - 1;
  return Uint8Array.of(241 + (rest >> 16), (rest >> 8) & 0xff, rest & 0xff);
};

const withLength = (bytes: Uint8Array): Uint8Array => concatBytes(lengthOf(bytes.length), bytes);

const numberBytes = (field: RippledField, value: number): Uint8Array => {
  if (field.type === "UInt8") return Uint8Array.of(value);
  return field.type === "UInt16" ? Uint8Array.of(value >> 8, value & 0xff) : rippledUint32(value);
};

const valueBytes = (field: RippledField, value: RippledValue): Uint8Array => {
  if (typeof value === "number") return numberBytes(field, value);
  if (typeof value === "bigint") return encodeRippledDrops(value);
  if (typeof value === "string") return withLength(rippledAccountId(value));
  if (value instanceof Uint8Array) return field.type === "Blob" ? withLength(value) : value;
  return isRippledArray(value)
    ? concatBytes(...value.map(encodeRippledFields), Uint8Array.of(ARRAY_END))
    : concatBytes(encodeRippledFields(value), Uint8Array.of(OBJECT_END));
};

/**
 * The one canonical encoding of an object's fields.
 * @source https://xrpl.org/docs/references/protocol/binary-format
 */
export const encodeRippledFields = (fields: RippledFields): Uint8Array => {
  const sorted = [...fields]
    .map(([name, value]) => ({ field: rippledFieldNamed(name), value }))
    .sort((one, other) => compareFields(one.field, other.field));
  return concatBytes(...sorted.flatMap(({ field, value }) => [headerOf(field), valueBytes(field, value)]));
};
