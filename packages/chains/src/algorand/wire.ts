import { decode, encode, IntMode } from "algorand-msgpack";
import { z } from "zod";

const WORD_BYTES = 32;
/** Upper bound: no transaction that is read here is longer. */
const TRANSACTION_BYTES_MAX = 512;

/** Decoder limits: no accepted transaction has longer texts or byte strings, more fields, or any list. */
const BOUNDS = {
  intMode: IntMode.BIGINT,
  maxStrLength: 64,
  maxBinLength: WORD_BYTES,
  maxMapLength: 16,
  maxArrayLength: 0,
  maxExtLength: 0,
} as const;

/** The canonical encoding omits zeros, so a number that is present is positive. */
const positive = z.bigint().positive();
const word = z
  .instanceof(Uint8Array)
  .refine((bytes) => bytes.length === WORD_BYTES && bytes.some((byte) => byte !== 0), "is not 32 bytes");

const frame = {
  fee: positive,
  fv: positive.optional(),
  lv: positive,
  gen: z.string().min(1).optional(),
  gh: word,
  /** the lease */
  lx: word.optional(),
  snd: word,
};

/**
 * A transaction by its field names on the wire (Algorand Developer Docs, "Transaction reference"). Any field not named here is
 * refused, as it could have any meaning (INV-3): for example closing the account (close, aclose), rekeying it (rekey), a
 * clawback (asnd), a group (grp) or a note.
 */
const wireSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("pay"), ...frame, amt: positive.optional(), rcv: word }),
  z.strictObject({
    type: z.literal("axfer"),
    ...frame,
    aamt: positive.optional(),
    arcv: word,
    xaid: positive,
  }),
]);
export type WireTransaction = z.infer<typeof wireSchema>;

/** Canonical msgpack (ARC-1 and the reference above): fields in alphabetical order, numbers in their shortest form. */
export const encodeWire = (wire: object): Uint8Array =>
  encode(wire, { sortKeys: true, ignoreUndefined: true });

/** The decoded transaction, or the reason why decoding failed, in words. */
export type DecodedWire =
  | { readonly ok: true; readonly wire: WireTransaction }
  | { readonly ok: false; readonly why: string };

const refuse = (why: string): DecodedWire => ({ ok: false, why });

const decodedMap = (bytes: Uint8Array): unknown => {
  try {
    return decode(bytes, BOUNDS);
  } catch {
    return undefined;
  }
};

/**
 * Decodes an unsigned transaction strictly: encoding the result must give the same bytes. So each transaction has one encoding,
 * and no byte stays unread.
 */
export const decodeWire = (bytes: Uint8Array): DecodedWire => {
  if (bytes.length > TRANSACTION_BYTES_MAX) return refuse("it is too long");
  const map = decodedMap(bytes);
  if (map === undefined) return refuse("it is not the msgpack of a transaction");
  const parsed = wireSchema.safeParse(map);
  if (!parsed.success) return refuse(whyNot(parsed.error));
  const encoded = encodeWire(parsed.data);
  const isSame = encoded.length === bytes.length && encoded.every((byte, at) => byte === bytes[at]);
  return isSame ? { ok: true, wire: parsed.data } : refuse("it is not canonical msgpack");
};

const whyNot = ({ issues: [issue] }: z.ZodError): string => {
  switch (issue?.code) {
    case "unrecognized_keys":
      return `nobody reads its field ${issue.keys[0]} here`;
    case "invalid_union":
      return "it is neither a payment (pay) nor a transfer of an asset (axfer)";
    default:
      return `its field ${issue?.path.join(".") || "at the top"} is missing or not valid`;
  }
};
