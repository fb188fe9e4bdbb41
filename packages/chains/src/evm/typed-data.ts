import { fail, ok, type Result, type TypedData, type TypedDataField } from "@conclave/custody";
import { hashTypedData, hexToBytes, isHex, size } from "viem/utils";
import { parseEvmAddress } from "./rules/address.ts";

type Types = TypedData["types"];
type Struct = Readonly<Record<string, unknown>>;

/**
 * Limit on the work of hashing, in hashed characters of type strings: a struct's type is hashed again for each of its values.
 * Hashing at this limit takes 2 to 25 ms (docs/benchmarks.md, "The most expensive bodies", has whole requests).
 */
const WORK_MAX = 128 * 1024;
/** The cost of encoding one struct, and one value, in equivalent characters. */
const STRUCT_WORK = 600;
const VALUE_WORK = 50;
/** Struct types may be recursive; this bounds the depth of their values. */
const DEPTH_MAX = 16;
const DOMAIN_TYPE = "EIP712Domain";

/** EIP-712's definition of the domain: exactly these fields, each of this type. */
const DOMAIN_FIELDS = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
] as const satisfies readonly TypedDataField[];

const INTEGER = /^(u?int)([1-9][0-9]{0,2})$/;
const FIXED_BYTES = /^bytes([1-9][0-9]?)$/;
const ARRAY = /^(.*)\[([0-9]*)\]$/;
const INTEGER_TEXT = /^(-?[0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/;

/** The state of a reader of typed data, with the first defect; reading stops at it. */
interface Reading {
  readonly types: Types;
  /** characters of all types: no type string is longer */
  readonly textLength: number;
  workLeft: number;
  misfit: { readonly field: string; readonly why: string } | undefined;
}

const reject = (reading: Reading, field: string, why: string): undefined => {
  reading.misfit ??= { field, why };
};

interface IntegerType {
  readonly isSigned: boolean;
  readonly bits: bigint;
}

const integerType = (type: string): IntegerType | undefined => {
  const [, base, width] = INTEGER.exec(type) ?? [];
  const bits = Number(width);
  return base === undefined || bits % 8 !== 0 || bits > 256
    ? undefined
    : { isSigned: base === "int", bits: BigInt(bits) };
};

const fixedLength = (type: string): number | undefined => {
  const length = Number(FIXED_BYTES.exec(type)?.[1]);
  return length >= 1 && length <= 32 ? length : undefined;
};

const isAtomic = (type: string): boolean =>
  ["bool", "address", "string", "bytes"].includes(type) ||
  integerType(type) !== undefined ||
  fixedLength(type) !== undefined;

const structOf = (types: Types, type: string): readonly TypedDataField[] | undefined =>
  Object.hasOwn(types, type) ? types[type] : undefined;

/** Names that all wallet libraries parse alike in any position. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * A name such as `HyperliquidTransaction:UsdSend` is safe only for the primary struct, and only if that contains no other
 * struct: in a reference to such a name, viem reads only the letters before the mark, and ethers the whole name.
 */
const checkMarkedNames = (reading: Reading, primaryType: string): void => {
  const { types } = reading;
  for (const [struct, fields] of Object.entries(types)) {
    if (PLAIN_NAME.test(struct)) continue;
    const begins = /^\w*/.exec(struct)?.[0] ?? "";
    const holdsStructs = fields.some(({ type }) => !isAtomic(type.replace(/\[.*$/, "")));
    if (struct !== primaryType || holdsStructs || structOf(types, begins) !== undefined) {
      reject(
        reading,
        `types.${struct}`,
        "has a mark in its name: such a struct is signed by itself, and holds no other",
      );
    }
  }
};

/** Every type must be defined, no struct may have an atomic type's name, and no struct may name a field twice. */
const checkTypes = (reading: Reading): void => {
  const { types } = reading;
  for (const [struct, fields] of Object.entries(types)) {
    if (isAtomic(struct)) reject(reading, `types.${struct}`, "is the name of an atomic type");
    if (new Set(fields.map(({ name }) => name)).size !== fields.length) {
      reject(reading, `types.${struct}`, "names a field twice");
    }
    for (const { name, type } of fields) {
      const base = type.replace(/\[.*$/, "");
      const isKnown = isAtomic(base) || (base !== DOMAIN_TYPE && structOf(types, base) !== undefined);
      if (!isKnown) reject(reading, `types.${struct}.${name}`, `has the type ${type}, which is not defined`);
    }
  }
};

/** The domain's fields: those that have values; in the order of the declared type, if there is one. */
const domainFields = (reading: Reading, domain: Struct): readonly TypedDataField[] => {
  const standard = DOMAIN_FIELDS.filter(({ name }) => Object.hasOwn(domain, name));
  const declared = structOf(reading.types, DOMAIN_TYPE);
  if (declared === undefined) return standard;
  const isStandard =
    declared.length === standard.length &&
    standard.every(({ name, type }) => declared.some((field) => field.name === name && field.type === type));
  if (!isStandard) reject(reading, `types.${DOMAIN_TYPE}`, "does not list the fields of the domain");
  return declared;
};

/** The value in the form to hash; undefined after the first defect. */
const read = (reading: Reading, type: string, value: unknown, path: string, depth: number): unknown => {
  if (reading.misfit !== undefined) return undefined;
  if (depth > DEPTH_MAX) return reject(reading, path, "is nested too deep");
  const [, element, length = ""] = ARRAY.exec(type) ?? [];
  if (element !== undefined) {
    if (!Array.isArray(value)) return reject(reading, path, "is not a list");
    if (length !== "" && value.length !== Number(length)) {
      return reject(reading, path, `does not have ${length} members`);
    }
    return value.map((item: unknown, at) => read(reading, element, item, `${path}[${at}]`, depth + 1));
  }
  const fields = structOf(reading.types, type);
  return fields === undefined
    ? readAtom(reading, type, value, path)
    : readStruct(reading, fields, value, path, depth);
};

const isStruct = (value: unknown): value is Struct =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const readStruct = (
  reading: Reading,
  fields: readonly TypedDataField[],
  value: unknown,
  path: string,
  depth: number,
): Struct | undefined => {
  if (!isStruct(value)) return reject(reading, path, "is not a struct");
  reading.workLeft -= reading.textLength + STRUCT_WORK + VALUE_WORK * fields.length;
  if (reading.workLeft < 0) return reject(reading, path, "takes too long to hash: use fewer structs");
  const stray = Object.keys(value).find((key) => !fields.some(({ name }) => name === key));
  if (stray !== undefined)
    return reject(reading, `${path}.${stray}`, "is in no type: it would not be signed");
  const missing = fields.find(({ name }) => !Object.hasOwn(value, name));
  if (missing !== undefined) return reject(reading, `${path}.${missing.name}`, "is missing");
  return Object.fromEntries(
    fields.map(({ name, type }) => [name, read(reading, type, value[name], `${path}.${name}`, depth + 1)]),
  );
};

const readAtom = (reading: Reading, type: string, value: unknown, path: string): unknown => {
  const form = integerType(type);
  if (form !== undefined) return readInteger(reading, form, value, path);
  if (type === "bool") {
    return typeof value === "boolean" ? value : reject(reading, path, "is not a boolean");
  }
  if (typeof value !== "string") return reject(reading, path, `is not a text of the type ${type}`);
  if (type === "string") return value;
  if (type === "address") {
    const address = parseEvmAddress(value, path);
    return address.ok ? address.value : reject(reading, path, "is not an address, or has a wrong checksum");
  }
  if (!isHex(value) || value.length % 2 !== 0) return reject(reading, path, "is not hexadecimal with 0x");
  const length = fixedLength(type);
  return length === undefined || size(value) === length
    ? value
    : reject(reading, path, `does not have ${length} bytes`);
};

const readInteger = (
  reading: Reading,
  { isSigned, bits }: IntegerType,
  value: unknown,
  path: string,
): bigint | undefined => {
  const isText = typeof value === "string" && INTEGER_TEXT.test(value);
  const isNumber = typeof value === "number" && Number.isSafeInteger(value);
  if (!isText && !isNumber) return reject(reading, path, "is not a whole number");
  const exact = BigInt(value);
  const [low, high] = isSigned ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n];
  return exact >= low && exact <= high ? exact : reject(reading, path, "is out of the range of its type");
};

/**
 * The signed digest of EIP-712 typed data: keccak256 of 0x1901, the domain's hash and the message's. The values must be exactly
 * those that the types list, each present and of its type, so that the signed data are the shown data.
 *
 * @param typedData as `typedDataSchema` parses it, which bounds its size
 * @returns 32 bytes, or TypedDataInvalid with details.field
 */
export const hashTyped = ({ primaryType, types, domain, message }: TypedData): Result<Uint8Array> => {
  const textLength = JSON.stringify(types).length;
  const reading: Reading = { types, textLength, workLeft: WORK_MAX, misfit: undefined };
  checkTypes(reading);
  checkMarkedNames(reading, primaryType);
  const fields = primaryType === DOMAIN_TYPE ? undefined : structOf(types, primaryType);
  if (fields === undefined) reject(reading, "primaryType", "is not one of the types");
  const given = Object.fromEntries(Object.entries(domain).filter(([, value]) => value !== undefined));
  const ofDomain = domainFields(reading, given);
  const readDomain = readStruct(reading, ofDomain, given, "domain", 0);
  const readMessage = readStruct(reading, fields ?? [], message, "message", 0);
  if (reading.misfit !== undefined || readDomain === undefined || readMessage === undefined) {
    const { field = "message", why = "does not fit" } = reading.misfit ?? {};
    return fail("TypedDataInvalid", { field }, `The typed data are not valid: ${field} ${why}.`);
  }
  const all: Types = { ...types, [DOMAIN_TYPE]: [...ofDomain] };
  return hashed({ primaryType, types: all, domain: readDomain, message: readMessage });
};

/**
 * Calls viem, and turns its errors into a result: viem has further rules, such as that no struct's name begins like an integer
 * type.
 */
const hashed = (typedData: Parameters<typeof hashTypedData>[0]): Result<Uint8Array> => {
  try {
    return ok(hexToBytes(hashTypedData(typedData)));
  } catch {
    return fail(
      "TypedDataInvalid",
      { field: "types" },
      "The typed data are not valid: types has a name that is not hashed.",
    );
  }
};
