import { concatBytes } from "@noble/hashes/utils.js";
import {
  type BinaryParser,
  makeParser,
  serializeObject,
  signingData,
} from "ripple-binary-codec/dist/binary.js";
import type { LedgerJson } from "../../json.ts";
import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { RIPPLED_ACCOUNT_ID_BYTES } from "../address.ts";
import { rippledHashPrefix, rippledHex } from "../digest.ts";
import type { RippledFields } from "./fields.ts";
import { RIPPLED_FIELD_NAMES } from "./template.ts";

/** rippled's limit on nesting; memos, the only nested fields here, need two levels. */
const MOST_LEVELS = 10;
const XRP_BYTES = 8;

/** Stands for an amount that is not XRP, which this ledger does not implement. */
const NOT_XRP: LedgerJson = {};
/** Fields that this ledger knows but does not implement: a transaction with one of them is refused in these words. */
const UNREAD: Readonly<Record<string, string>> = {
  Signers: "multisignatures (the field Signers)",
  Paths: "paths of issued currencies (the field Paths)",
  CredentialIDs: "credentials (the field CredentialIDs)",
  DomainID: "permissioned domains (the field DomainID)",
  Delegate: "delegated permissions (the field Delegate)",
};

/** Aborts decoding; the decoder converts it to a refusal. */
class BytesRefused extends Error {
  /** the bytes have a part that this ledger knows but does not implement */
  readonly isKnown: boolean;

  constructor(message: string, isKnown = false) {
    super(message);
    this.isKnown = isKnown;
  }
}

type Field = ReturnType<BinaryParser["readField"]>;

/** @param end the name of the end marker that may stand in place of a field */
const readField = (parser: BinaryParser, end: string | undefined): Field => {
  // undefined for an unknown field number, unlike the codec's type
  const field: Field | undefined = parser.readField();
  const unread = field && UNREAD[field.name];
  if (unread !== undefined) throw new BytesRefused(unread, true);
  if (field === undefined || !(field.name === end || RIPPLED_FIELD_NAMES.has(field.name)))
    throw new BytesRefused("Unknown field");
  return field;
};

const readArray = (parser: BinaryParser, level: number): LedgerJson => {
  const items: RippledFields[] = [];
  for (;;) {
    const field = readField(parser, "ArrayEndMarker");
    if (field.name === "ArrayEndMarker") return items;
    if (field.type.name !== "STObject") throw new BytesRefused("Non-object in array");
    items.push({ [field.name]: readObject(parser, level + 1) });
  }
};

const readValue = (parser: BinaryParser, field: Field, level: number): LedgerJson => {
  switch (field.type.name) {
    case "STObject":
      return readObject(parser, level + 1);
    case "STArray":
      return readArray(parser, level + 1);
    case "UInt16":
      return parser.readUInt16();
    case "AccountID":
      if (parser.readVariableLengthLength() !== RIPPLED_ACCOUNT_ID_BYTES)
        throw new BytesRefused("Invalid STAccount size");
      return String(field.associatedType.fromParser(parser, RIPPLED_ACCOUNT_ID_BYTES).toJSON());
    case "Amount": {
      const amount = parser.readFieldValue(field);
      if (amount.toBytes().length !== XRP_BYTES) return NOT_XRP;
      const drops = String(amount.toJSON());
      if (drops === "-0") throw new BytesRefused("negative zero is not canonical");
      return drops;
    }
    case "UInt8":
    case "UInt32":
      return Number(parser.readFieldValue(field).toJSON());
    default:
      return rippledHex(parser.readFieldValue(field).toBytes());
  }
};

/** Reads fields to the end of the bytes, or to an object's end marker. @param read is called for each field */
const readFields = (
  parser: BinaryParser,
  level: number,
  end?: string,
  read: (field: Field) => void = () => undefined,
): RippledFields => {
  if (level > MOST_LEVELS) throw new BytesRefused("Maximum nesting depth of STVar exceeded");
  const fields: Record<string, LedgerJson> = {};
  let last: Field | undefined;
  while (end !== undefined || !parser.end()) {
    const field = readField(parser, end);
    if (field.name === end) break;
    if (Object.hasOwn(fields, field.name)) throw new BytesRefused("Duplicate field detected");
    if (last !== undefined && last.ordinal > field.ordinal) {
      throw new BytesRefused(`the field ${field.name} stands behind ${last.name}: not the canonical order`);
    }
    fields[field.name] = readValue(parser, field, level);
    read(field);
    last = field;
  }
  return fields;
};

const readObject = (parser: BinaryParser, level: number): RippledFields =>
  readFields(parser, level, "ObjectEndMarker");

/** The decoded content, or the part that this ledger knows but does not implement. */
export type RippledDecoded =
  | {
      readonly kind: "fields";
      readonly fields: RippledFields;
      /** the signing data, cut out of the received bytes, because the codec cannot encode negative amounts */
      readonly toSign: Uint8Array;
      /** the length of the field Memos */
      readonly memosBytes: number;
    }
  | { readonly kind: "not-simulated"; readonly what: string };

/**
 * Translates the codec's errors to rippled's: it rejects non-canonical field numbers and invalid lengths, and fails at
 * reads beyond the end.
 */
const refusalOf = (message: string): string => {
  if (message.includes("Cannot read FieldOrdinal")) return "the encoding is not canonical";
  return message.includes("variable length") ? "Invalid VL length" : "invalid SerialIter get";
};

/**
 * Decodes a whole serialised object with the official codec.
 *
 * A node accepts fields in any order, but signs and hashes them sorted. This ledger refuses unsorted fields, so that the
 * sender notices at once.
 * @source rippled, src/libxrpl/protocol/STObject.cpp: set
 */
export const decodeRippledFields = (bytes: Uint8Array): Ruling<RippledDecoded> => {
  const parser = makeParser(bytes);
  const toSign = [rippledHashPrefix("STX")];
  let [at, memosBytes] = [0, 0];
  try {
    const fields = readFields(parser, 0, undefined, ({ name, isSigningField }) => {
      const field = bytes.subarray(at, bytes.length - parser.size());
      at += field.length;
      if (isSigningField) toSign.push(field);
      if (name === "Memos") memosBytes = field.length;
    });
    return granted({ kind: "fields", fields, toSign: concatBytes(...toSign), memosBytes });
  } catch (error) {
    // the codec throws only plain Errors
    if (!(error instanceof Error) || error.name !== "Error") throw error;
    if (!(error instanceof BytesRefused)) return refusedWith(refusalOf(error.message));
    return error.isKnown
      ? granted({ kind: "not-simulated", what: error.message })
      : refusedWith(error.message);
  }
};

type OwnFields = Readonly<Record<string, string | number>>;

/** Encodes a transaction that this ledger makes itself. */
export const encodeRippledFields = (fields: OwnFields): Uint8Array => serializeObject(fields);
/** The bytes that a single signature signs. */
export const rippledBytesToSign = (fields: OwnFields): Uint8Array => signingData(fields);
