import { concatBytes } from "@noble/curves/utils.js";

/** The encoding of a field's value. */
type Form =
  /** this many bytes, big-endian */
  | { readonly kind: "number"; readonly bytes: number }
  /** drops: 8 bytes, whose first two bits mark XRP and a positive amount */
  | { readonly kind: "drops" }
  /** bytes after their length in one byte */
  | { readonly kind: "bytes"; readonly most: number };

interface Field {
  readonly name: string;
  readonly type: number;
  readonly nth: number;
  readonly form: Form;
}

const u16: Form = { kind: "number", bytes: 2 };
const u32: Form = { kind: "number", bytes: 4 };
const drops: Form = { kind: "drops" };
const KEY: Form = { kind: "bytes", most: 33 };
/** 64 bytes for Ed25519; at most 72 in DER for secp256k1 */
const SIGNATURE: Form = { kind: "bytes", most: 72 };
const ACCOUNT: Form = { kind: "bytes", most: 20 };

const field = <const Name extends string>(name: Name, type: number, nth: number, form: Form) =>
  ({ name, type, nth, form }) satisfies Field;

/**
 * The fields that the decoder accepts, in canonical order: by type, then by number (XRP Ledger docs, "Binary format", and the
 * definitions of rippled).
 */
const FIELDS = [
  field("TransactionType", 1, 2, u16),
  field("NetworkID", 2, 1, u32),
  field("Flags", 2, 2, u32),
  field("SourceTag", 2, 3, u32),
  field("Sequence", 2, 4, u32),
  field("DestinationTag", 2, 14, u32),
  field("LastLedgerSequence", 2, 27, u32),
  field("Amount", 6, 1, drops),
  field("Fee", 6, 8, drops),
  field("SigningPubKey", 7, 3, KEY),
  field("TxnSignature", 7, 4, SIGNATURE),
  field("Account", 8, 1, ACCOUNT),
  field("Destination", 8, 3, ACCOUNT),
] as const;

/** Names, for refusals, of well-known fields that are not accepted. */
const REFUSED: Readonly<Record<string, string>> = {
  "2.41": "TicketSequence",
  "5.9": "AccountTxnID",
  "5.17": "InvoiceID",
  "5.34": "DomainID",
  "6.9": "SendMax",
  "6.10": "DeliverMin",
  "8.12": "Delegate",
  "15.3": "Signers",
  "15.9": "Memos",
  "18.1": "Paths",
  "19.5": "CredentialIDs",
};

type Named = (typeof FIELDS)[number]["name"];
type NumberName =
  | "TransactionType"
  | "NetworkID"
  | "Flags"
  | "SourceTag"
  | "Sequence"
  | "DestinationTag"
  | "LastLedgerSequence";
type DropsName = "Amount" | "Fee";
type BytesName = Exclude<Named, NumberName | DropsName>;

/** A transaction by its field names on the wire; undefined fields are not written. */
export type XrplFields = { readonly [Name in NumberName]?: number | undefined } & {
  readonly [Name in DropsName]?: bigint | undefined;
} & { readonly [Name in BytesName]?: Uint8Array | undefined };

const DROPS_BYTES = 8;
/** The second bit of an amount marks it as positive; the first would mark a token's amount. */
const POSITIVE = 1n << 62n;
/** Upper bound: no transaction that is read here is longer. */
const TRANSACTION_BYTES_MAX = 256;
/** From this number on, it does not fit the half byte of a header, and takes a byte of its own. */
const FIRST_LONG = 16;

const headerOf = ({ type, nth }: Field): Uint8Array =>
  Uint8Array.of((type << 4) | (nth < FIRST_LONG ? nth : 0), ...(nth < FIRST_LONG ? [] : [nth]));

const numberBytes = (value: bigint, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => Number((value >> BigInt(8 * (length - 1 - at))) & 0xffn));

const valueBytes = ({ form }: Field, value: number | bigint | Uint8Array): Uint8Array => {
  if (value instanceof Uint8Array) return concatBytes(Uint8Array.of(value.length), value);
  return form.kind === "number"
    ? numberBytes(BigInt(value), form.bytes)
    : numberBytes(BigInt(value) | POSITIVE, DROPS_BYTES);
};

/** The canonical encoding of a transaction's fields. */
export const encodeXrplWire = (fields: XrplFields): Uint8Array =>
  concatBytes(
    ...FIELDS.flatMap((each) => {
      const value = fields[each.name];
      return value === undefined ? [] : [headerOf(each), valueBytes(each, value)];
    }),
  );

/** The decoded transaction, or the reason why decoding failed, in words. */
export type DecodedXrplWire =
  | { readonly ok: true; readonly fields: XrplFields }
  | { readonly ok: false; readonly why: string };

const refuse = (why: string): DecodedXrplWire => ({ ok: false, why });

/** Bytes with a read position. */
interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** @returns undefined when fewer bytes are left */
const take = (cursor: Cursor, length: number): Uint8Array | undefined => {
  const taken = cursor.bytes.slice(cursor.at, cursor.at + length);
  cursor.at += length;
  return taken.length === length ? taken : undefined;
};

const numberIn = (bytes: Uint8Array): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** The type and number of the next field, such as "8.1". */
const nextHeader = (cursor: Cursor): string => {
  const [first = 0] = take(cursor, 1) ?? [];
  const type = first >> 4 || (take(cursor, 1)?.[0] ?? 0);
  const nth = first & 0xf || (take(cursor, 1)?.[0] ?? 0);
  return `${type}.${nth}`;
};

const nextValue = (cursor: Cursor, { form }: Field): number | bigint | Uint8Array | undefined => {
  switch (form.kind) {
    case "number": {
      const found = take(cursor, form.bytes);
      return found === undefined ? undefined : Number(numberIn(found));
    }
    case "drops": {
      const found = take(cursor, DROPS_BYTES);
      if (found === undefined) return undefined;
      const value = numberIn(found);
      return value >> 62n === 1n ? value ^ POSITIVE : undefined;
    }
    case "bytes": {
      const [length = 0] = take(cursor, 1) ?? [];
      return length > form.most ? undefined : take(cursor, length);
    }
  }
};

/**
 * Decodes a transaction strictly: it accepts only known fields, and encoding the result must give the same bytes. So each
 * transaction has one encoding, and no byte stays unread. This refuses fields out of order, repeated, or with a longer header
 * than needed.
 */
export const decodeXrplWire = (bytes: Uint8Array): DecodedXrplWire => {
  if (bytes.length > TRANSACTION_BYTES_MAX) return refuse("it is too long");
  const cursor: Cursor = { bytes, at: 0 };
  const fields: Record<string, number | bigint | Uint8Array> = {};
  while (cursor.at < bytes.length) {
    const header = nextHeader(cursor);
    const known = FIELDS.find(({ type, nth }) => `${type}.${nth}` === header);
    if (known === undefined) return refuse(`nobody reads its field ${REFUSED[header] ?? header} here`);
    const value = nextValue(cursor, known);
    if (value === undefined) return refuse(`its field ${known.name} is not of the form that is read here`);
    fields[known.name] = value;
  }
  const encoded = encodeXrplWire(fields);
  const isSame = encoded.length === bytes.length && encoded.every((byte, at) => byte === bytes[at]);
  return isSame
    ? { ok: true, fields }
    : refuse("it is not canonical: fields out of order, twice, or too long");
};
