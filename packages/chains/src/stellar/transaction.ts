import { fail, ok, type Result } from "@conclave/custody";
import { bytesToHex, concatBytes, equalBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { type CallResources, readResources, writeResources } from "./soroban/resources.ts";
import { readAccount, writeAccount } from "./xdr/account.ts";
import { readMemo, type StellarMemo, writeMemo } from "./xdr/memo.ts";
import { readOperation, type StellarOperation, writeOperation } from "./xdr/operation.ts";
import { XdrReader, XdrUnreadable } from "./xdr/xdr-reader.ts";
import { longXdr, wordXdr } from "./xdr/xdr-write.ts";

/** Upper bound in bytes: no transaction that is read here is longer. */
const TRANSACTION_BYTES_MAX = 4 * 1024;
/** EnvelopeType */
const TRANSACTION = 2;
const FEE_BUMP = 5;
/** PreconditionType */
const TIME_BOUNDS = 1;
/** TransactionExt: empty, or with the resources of a contract call. */
const PLAIN = 0;
const WITH_RESOURCES = 1;
const NO_SIGNATURES = 0;
/** Upper bound in seconds, after the year 36000: later values cannot be shown as dates. */
const TIME_MAX = 2n ** 40n;

export interface StellarDraft {
  /** the source account, which also pays the fee */
  readonly from: string;
  /** stroops: the highest fee */
  readonly fee: bigint;
  /** the account's sequence number: the transaction lands only after the previous number */
  readonly sequence: bigint;
  /** Unix seconds: it lands in no ledger that closes earlier; 0: no lower limit */
  readonly minTime: bigint;
  /** it lands in no ledger that closes later */
  readonly maxTime: bigint;
  readonly memo: StellarMemo;
  readonly operation: StellarOperation;
  /** of a contract call; without them a call can only be simulated */
  readonly resources?: CallResources;
}

const extensionOf = (resources: CallResources | undefined): Uint8Array =>
  resources === undefined ? wordXdr(PLAIN) : concatBytes(wordXdr(WITH_RESOURCES), writeResources(resources));

const bodyOf = (draft: StellarDraft): Uint8Array => {
  const { from, fee, sequence, minTime, maxTime, memo, operation, resources } = draft;
  return concatBytes(
    writeAccount(from),
    wordXdr(Number(fee)),
    longXdr(sequence),
    wordXdr(TIME_BOUNDS),
    longXdr(minTime),
    longXdr(maxTime),
    writeMemo(memo),
    writeOperation(operation),
    extensionOf(resources),
  );
};

/**
 * The unsigned bytes of a transaction: the XDR of its envelope (TransactionEnvelope, version 1) without signatures, as clients
 * send it.
 * @throws TypeError for addresses that were not validated, RangeError for a fee of more than 32 bits
 */
export const encodeStellar = (draft: StellarDraft): Uint8Array =>
  concatBytes(wordXdr(TRANSACTION), bodyOf(draft), wordXdr(NO_SIGNATURES));

const readBounds = (reader: XdrReader): Pick<StellarDraft, "minTime" | "maxTime"> => {
  if (reader.uint32() !== TIME_BOUNDS) {
    throw new XdrUnreadable("it has no time bounds, or preconditions beyond them");
  }
  const [minTime, maxTime] = [reader.uint64(), reader.uint64()];
  if (maxTime === 0n || maxTime > TIME_MAX) throw new XdrUnreadable("it has no time after which it is void");
  if (minTime > maxTime) throw new XdrUnreadable("its last time is before its first");
  return { minTime, maxTime };
};

const readEnvelope = (reader: XdrReader): StellarDraft => {
  const type = reader.uint32();
  if (type === FEE_BUMP) throw new XdrUnreadable("it is a fee bump of another transaction");
  if (type !== TRANSACTION) throw new XdrUnreadable("it is not the envelope of a transaction of version 1");
  const from = readAccount(reader, "account");
  const fee = BigInt(reader.uint32());
  const sequence = reader.int64();
  if (sequence <= 0n) throw new XdrUnreadable("its sequence number is none of an account");
  const bounds = readBounds(reader);
  const memo = readMemo(reader);
  const operation = readOperation(reader);
  const draft = { from, fee, sequence, ...bounds, memo, operation };
  const resources = readExtension(reader, draft);
  if (reader.uint32() !== NO_SIGNATURES) throw new XdrUnreadable("it is signed already");
  reader.end();
  return { ...draft, ...resources };
};

/** Reads the resources that a contract call must have, and other operations must not have. */
const readExtension = (
  reader: XdrReader,
  { from, fee, memo, operation }: StellarDraft,
): Pick<StellarDraft, "resources"> => {
  const isCall = operation.kind === "invokeHostFunction";
  if (reader.uint32() !== (isCall ? WITH_RESOURCES : PLAIN)) {
    throw new XdrUnreadable("it has not the data of what it does");
  }
  if (!isCall) return {};
  const resources = readResources(reader);
  if (operation.from !== from) throw new XdrUnreadable("its call moves what is another account's");
  if (memo.kind !== "none") throw new XdrUnreadable("a contract call takes no memo (CAP-67)");
  if (resources.fee > fee) throw new XdrUnreadable("its fee does not pay for its contract call");
  return { resources };
};

const unreadable = (why: string): Result<never> =>
  fail("TransactionUnreadable", {}, `The transaction cannot be read: ${why}.`);

const decoded = (unsigned: Uint8Array): StellarDraft | string => {
  if (unsigned.length > TRANSACTION_BYTES_MAX) return "it is too long";
  try {
    return readEnvelope(new XdrReader(unsigned));
  } catch (error) {
    if (error instanceof XdrUnreadable) return error.message;
    throw error;
  }
};

/**
 * Reads unsigned bytes: exactly one payment, new account, trustline or transfer to a contract. Encoding the result must give
 * the same bytes, so that each transaction has one encoding, and no byte stays unread.
 * @returns TransactionUnreadable
 */
export const decodeStellar = (unsigned: Uint8Array): Result<StellarDraft> => {
  const draft = decoded(unsigned);
  if (typeof draft === "string") return unreadable(draft);
  return equalBytes(encodeStellar(draft), unsigned) ? ok(draft) : unreadable("it is not canonical XDR");
};

/** The chain's id in all signed hashes. @param passphrase such as "Test SDF Network ; September 2015" */
export const networkIdOf = (passphrase: string): Uint8Array => sha256(utf8ToBytes(passphrase));

/**
 * The bytes to sign: SHA-256 of the chain's id, the envelope's type and the transaction. This hash is also the transaction's
 * id, so the id does not depend on signatures.
 * @param unsigned bytes that `decodeStellar` accepted
 */
export const stellarHash = (passphrase: string, unsigned: Uint8Array): Uint8Array =>
  sha256(concatBytes(networkIdOf(passphrase), unsigned.slice(0, -wordXdr(NO_SIGNATURES).length)));

/** The transaction's id on the chain, lower-case hex. */
export const stellarId = (passphrase: string, unsigned: Uint8Array): string =>
  bytesToHex(stellarHash(passphrase, unsigned));
