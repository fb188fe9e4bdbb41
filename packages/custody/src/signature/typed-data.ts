import { utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import { isPlainText, plainText } from "../text.ts";

/** The limits of EIP-712 data. A Seaport order, which is large for a wallet, takes some 200 values and 4 KB. */
const STRUCTS_MAX = 64;
const FIELDS_PER_STRUCT_MAX = 64;
const NAME_LENGTH_MAX = 64;
const TYPE_LENGTH_MAX = 96;
const DEPTH_MAX = 16;
const VALUES_MAX = 2_048;
/** bytes of all keys and texts of the message in JSON */
const MESSAGE_BYTES_MAX = 48 * 1024;
/** characters of the types in JSON */
const TYPES_LENGTH_MAX = 16 * 1024;
const DOMAIN_TEXT_MAX = 256;

/** Names that every JavaScript object has, or that change its prototype: refused as names. */
const RESERVED = new Set([...Object.getOwnPropertyNames(Object.prototype), "prototype"]);

/**
 * The name of a struct. EIP-712 requires an identifier; wallets (ethers, viem, MetaMask's eth-sig-util)
 * accept any text, and exchanges use names such as `HyperliquidTransaction:UsdSend`. This pattern excludes
 * parentheses, commas, brackets and spaces, which delimit the encoding, so that no encoding has two meanings.
 */
const STRUCT_NAME = /^[A-Za-z_$][A-Za-z0-9_$:.@/-]*$/;
const structName = z
  .string()
  .max(NAME_LENGTH_MAX)
  .regex(STRUCT_NAME, "is not the name of a type")
  .refine((text) => !RESERVED.has(text), { error: "is a reserved name" });

/** An identifier: other characters, between commas and brackets, could give one encoding two meanings. */
const name = z
  .string()
  .max(NAME_LENGTH_MAX)
  .regex(/^[A-Za-z_$][A-Za-z0-9_$]*$/)
  .refine((text) => !RESERVED.has(text), { error: "is a reserved name" });

const field = z.strictObject({
  name,
  /** an atomic type, bytes, string, or a struct of `types`; brackets after it make an array */
  type: z
    .string()
    .max(TYPE_LENGTH_MAX)
    .regex(/^[A-Za-z_$][A-Za-z0-9_$:.@/-]*(\[([1-9][0-9]{0,3})?\]){0,4}$/),
});
export type TypedDataField = z.infer<typeof field>;

/** Numbers that JavaScript does not hold exactly must be written as text. */
const isExactNumber = (value: number): boolean => Number.isSafeInteger(value) && !Object.is(value, -0);

interface Room {
  values: number;
  bytes: number;
}

/** Says why a JSON value cannot be signed; undefined if it can. Subtracts the value's size from the room. */
const whyUnfit = (value: unknown, depth: number, room: Room): string | undefined => {
  room.values -= 1;
  if (room.values < 0) return `holds more than ${VALUES_MAX} values`;
  if (typeof value === "boolean") return undefined;
  if (typeof value === "number")
    return isExactNumber(value) ? undefined : "holds a number that is not exact: write it as text";
  if (typeof value === "string") return whyUnfitText(value, room);
  if (typeof value !== "object" || value === null)
    return "holds a value that is neither text, number nor boolean";
  if (depth >= DEPTH_MAX) return `is nested deeper than ${DEPTH_MAX}`;
  if (Array.isArray(value)) return firstUnfit(value, depth, room);
  for (const key of Object.keys(value)) {
    if (RESERVED.has(key)) return "holds a reserved name";
    const why = whyUnfitText(key, room);
    if (why !== undefined) return why;
  }
  return firstUnfit(Object.values(value), depth, room);
};

/** Printable ASCII that JSON does not escape. */
const VERBATIM = /^[ !#-[\]-~]*$/;
const QUOTES = 2;

const bytesAsJson = (text: string): number =>
  VERBATIM.test(text) ? text.length + QUOTES : utf8ToBytes(JSON.stringify(text)).length;

const whyUnfitText = (text: string, room: Room): string | undefined => {
  room.bytes -= bytesAsJson(text);
  if (room.bytes < 0) return `holds more than ${MESSAGE_BYTES_MAX} bytes of text`;
  return isPlainText(text) ? undefined : "holds characters that cannot be stored";
};

const firstUnfit = (values: readonly unknown[], depth: number, room: Room): string | undefined => {
  for (const value of values) {
    const why = whyUnfit(value, depth + 1, room);
    if (why !== undefined) return why;
  }
  return undefined;
};

const domainText = plainText(DOMAIN_TEXT_MAX);
const uint256Text = z.string().regex(/^([0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/);

/**
 * EIP-712 data as clients send it: bounded in every dimension, and without names that JavaScript objects
 * already have. The hashing code judges whether the message fits the types.
 */
export const typedDataFields = {
  types: z.preprocess(
    // checked before the fields, since checking all fields of too long a value takes time
    (types, context) => {
      if (types === undefined || JSON.stringify(types).length <= TYPES_LENGTH_MAX) return types;
      context.addIssue({ code: "custom", message: `is longer than ${TYPES_LENGTH_MAX} characters` });
      return z.NEVER;
    },
    z
      .record(structName, z.array(field).max(FIELDS_PER_STRUCT_MAX))
      .refine((types) => Object.keys(types).length <= STRUCTS_MAX, {
        error: `has more than ${STRUCTS_MAX} types`,
      })
      .meta({ maxProperties: STRUCTS_MAX }),
  ),
  domain: z.strictObject({
    name: domainText.optional(),
    version: domainText.optional(),
    chainId: z.union([z.int().nonnegative(), uint256Text]).optional(),
    verifyingContract: z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/)
      .optional(),
    salt: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/)
      .optional(),
  }),
  message: z
    .record(z.string(), z.unknown())
    .superRefine((message, context) => {
      const why = whyUnfit(message, 0, { values: VALUES_MAX, bytes: MESSAGE_BYTES_MAX });
      if (why !== undefined) context.addIssue({ code: "custom", message: why });
    })
    .meta({ maxProperties: VALUES_MAX }),
} as const;

/** The same fields with the name of the signed struct. */
export const typedDataSchema = z.strictObject({ primaryType: structName, ...typedDataFields });
export type TypedData = z.infer<typeof typedDataSchema>;
