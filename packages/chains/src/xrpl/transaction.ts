import { fail, ok, type Result, type Signable } from "@conclave/custody";
import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { isXrplEd25519, xrplAccountId, xrplAddressOf } from "./rules/address.ts";
import { DROPS_MAX } from "./rules/native-asset.ts";
import { decodeXrplWire, encodeXrplWire, type XrplFields } from "./wire.ts";

/** The type number of a payment (rippled, TxFormats.h), and its field, which comes first in a transaction. */
const PAYMENT = 0;
const PAYMENT_HEAD: Uint8Array = Uint8Array.of(0x12, 0, PAYMENT);
/**
 * The flag that demands canonical signatures: with secp256k1 the lower s. Any other flag would change the effect of a payment.
 */
export const FULLY_CANONICAL = 0x8000_0000;
const ACCOUNT_BYTES = 20;
const KEY_BYTES = 33;
const HALF_BYTES = 32;

/** Domain prefixes: for signing, and for hashing to the id (rippled, HashPrefix.h). */
const SIGNING_DOMAIN: Uint8Array = utf8ToBytes("STX\0");
const ID_DOMAIN: Uint8Array = utf8ToBytes("TXN\0");

/** An unsigned payment of XRP. */
export interface XrplDraft {
  /** set on networks whose id is above 1024, which must be named */
  readonly networkId: number | undefined;
  /** an absent field is encoded differently from zero */
  readonly flags: number | undefined;
  readonly sourceTag: number | undefined;
  /** its place among the account's transactions */
  readonly sequence: number;
  readonly destinationTag: number | undefined;
  /** the last ledger in which it may land */
  readonly lastLedger: number;
  /** drops */
  readonly amount: bigint;
  /** drops */
  readonly fee: bigint;
  /** 33 bytes */
  readonly signingPubKey: Uint8Array;
  readonly from: string;
  readonly to: string;
}

const fieldsOf = (draft: XrplDraft): XrplFields => ({
  TransactionType: PAYMENT,
  NetworkID: draft.networkId,
  Flags: draft.flags,
  SourceTag: draft.sourceTag,
  Sequence: draft.sequence,
  DestinationTag: draft.destinationTag,
  LastLedgerSequence: draft.lastLedger,
  Amount: draft.amount,
  Fee: draft.fee,
  SigningPubKey: draft.signingPubKey,
  Account: xrplAccountId(draft.from),
  Destination: xrplAccountId(draft.to),
});

/** The unsigned bytes of a transaction. @throws TypeError for addresses that were not validated */
export const encodeXrpl = (draft: XrplDraft): Uint8Array => encodeXrplWire(fieldsOf(draft));

const unreadable = (why: string): Result<never> =>
  fail("TransactionUnreadable", {}, `The transaction cannot be read: ${why}.`);

const lacks = (field: string): Result<never> => unreadable(`its field ${field} is missing or not valid`);

const isAccount = (id: Uint8Array | undefined): id is Uint8Array => id?.length === ACCOUNT_BYTES;

const isKey = (key: Uint8Array | undefined): key is Uint8Array =>
  key?.length === KEY_BYTES && (key[0] === 2 || key[0] === 3 || isXrplEd25519(key));

const isPositive = (drops: bigint | undefined): drops is bigint =>
  drops !== undefined && drops > 0n && drops <= DROPS_MAX;

/**
 * Reads unsigned bytes: direct payments of XRP only.
 * @returns TransactionUnreadable for anything but the canonical encoding of one, for one that can never land, and for one that
 * never expires
 */
export const decodeXrpl = (unsigned: Uint8Array): Result<XrplDraft> => {
  if (!PAYMENT_HEAD.every((byte, at) => byte === unsigned[at]))
    return unreadable("it is no payment (Payment)");
  const decoded = decodeXrplWire(unsigned);
  if (!decoded.ok) return unreadable(decoded.why);
  const { fields } = decoded;
  if (fields.TxnSignature !== undefined) return unreadable("it is signed already (TxnSignature)");
  if (((fields.Flags ?? 0) | FULLY_CANONICAL) >>> 0 !== FULLY_CANONICAL) {
    return unreadable("its Flags ask for more than a direct payment, such as a partial one");
  }
  // zero means that a ticket is used
  if (fields.Sequence === undefined || fields.Sequence === 0) return lacks("Sequence");
  if (fields.LastLedgerSequence === undefined) {
    return unreadable("it has no LastLedgerSequence, so that it could land at any time");
  }
  if (!isPositive(fields.Amount)) return lacks("Amount");
  if (!isPositive(fields.Fee)) return lacks("Fee");
  if (!isKey(fields.SigningPubKey)) return lacks("SigningPubKey");
  if (!isAccount(fields.Account)) return lacks("Account");
  if (!isAccount(fields.Destination)) return lacks("Destination");
  const draft: XrplDraft = {
    networkId: fields.NetworkID,
    flags: fields.Flags,
    sourceTag: fields.SourceTag,
    sequence: fields.Sequence,
    destinationTag: fields.DestinationTag,
    lastLedger: fields.LastLedgerSequence,
    amount: fields.Amount,
    fee: fields.Fee,
    signingPubKey: fields.SigningPubKey,
    from: xrplAddressOf(fields.Account),
    to: xrplAddressOf(fields.Destination),
  };
  return draft.from === draft.to ? unreadable("it pays its own account (temREDUNDANT)") : ok(draft);
};

/**
 * Inserts the signing key (SigningPubKey) into a caller's own bytes that lack it, as users of the official SDK build them who
 * do not sign themselves. Other bytes stay as they are.
 * @param key 33 bytes
 */
export const withXrplKey = (unsigned: Uint8Array, key: Uint8Array): Uint8Array => {
  const decoded = decodeXrplWire(unsigned);
  return decoded.ok && decoded.fields.SigningPubKey === undefined
    ? encodeXrplWire({ ...decoded.fields, SigningPubKey: key })
    : unsigned;
};

/** The first half of SHA-512. */
const sha512Half = (...parts: readonly Uint8Array[]): Uint8Array =>
  sha512(concatBytes(...parts)).slice(0, HALF_BYTES);

/**
 * The message to sign: the transaction after its domain prefix. An ECDSA key signs its hash, an Ed25519 key the bytes
 * themselves.
 */
export const xrplSignable = (
  unsigned: Uint8Array,
  { signingPubKey }: Pick<XrplDraft, "signingPubKey">,
): Signable =>
  isXrplEd25519(signingPubKey)
    ? { scheme: "FROST-Ed25519", bytes: concatBytes(SIGNING_DOMAIN, unsigned) }
    : { scheme: "CGGMP24", bytes: sha512Half(SIGNING_DOMAIN, unsigned) };

/** The transaction's id on the chain: a hash of all its bytes, so each signature gives another id. */
export const xrplId = (signed: Uint8Array): string => bytesToHex(sha512Half(ID_DOMAIN, signed)).toUpperCase();

/**
 * Encodes a signed transaction.
 * @param unsigned bytes that `decodeXrpl` accepted
 * @param signature 64 bytes of Ed25519, or DER
 */
export const signedXrpl = (unsigned: Uint8Array, signature: Uint8Array): Uint8Array => {
  const decoded = decodeXrplWire(unsigned);
  if (!decoded.ok) throw new TypeError(`a transaction was not read before: ${decoded.why}`);
  return encodeXrplWire({ ...decoded.fields, TxnSignature: signature });
};

/**
 * Reads a signed transaction for submission to a node.
 * @throws TypeError for anything but the output of `signedXrpl`
 */
export const readSignedXrpl = (
  signed: Uint8Array,
): { readonly signed: Uint8Array; readonly id: string; readonly lastLedger: number } => {
  const decoded = decodeXrplWire(signed);
  const lastLedger = decoded.ok ? decoded.fields.LastLedgerSequence : undefined;
  if (lastLedger === undefined) throw new TypeError("a transaction was not written here");
  return { signed, id: xrplId(signed), lastLedger };
};
