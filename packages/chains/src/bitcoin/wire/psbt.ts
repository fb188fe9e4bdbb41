import { fail, ok, type Result, SIGNABLES_MAX } from "@conclave/custody";
import { bytesToHex, concatBytes, equalBytes } from "@noble/curves/utils.js";
import { BUILT_BYTES_MAX } from "../coins/limits.ts";
import { ByteReader, lengthAndBytes, UnreadableBytes, uint32 } from "./bytes.ts";
import { PreviousOutputs } from "./previous-outputs.ts";
import {
  type BareInput,
  type BareOutput,
  type BareTransaction,
  decodeUnwitnessed,
  encodeOutput,
  encodeTransaction,
  type Outpoint,
  readOutput,
} from "./transaction.ts";

/** "psbt" and 0xff (BIP-174). */
export const PSBT_MAGIC: Uint8Array = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff);
export const UNSIGNED_TX = 0x00;
export const NON_WITNESS_UTXO = 0x00;
export const WITNESS_UTXO = 0x01;
const PARTIAL_SIG = 0x02;
export const SIGHASH_TYPE = 0x03;
const TAP_KEY_SIG = 0x13;
/** Ends a map. */
const SEPARATOR: Uint8Array = Uint8Array.of(0);
const SIGHASH_BYTES = 4;

/** An input with the coin that it spends. */
export interface PsbtInput {
  readonly outpoint: Outpoint;
  readonly sequence: number;
  /** the spent coin */
  readonly coin: BareOutput;
  /**
   * The whole transaction that made the coin, without witnesses. Its hash must be the outpoint's txid, so that nobody can lie
   * about the coin. Inputs that spend outputs of one transaction share these bytes.
   */
  readonly previous: Uint8Array | undefined;
  /** the PSBT's hash type; undefined means the default */
  readonly sighashType: number | undefined;
}

/** A transaction to sign, with the coins that it spends. */
export interface Psbt {
  readonly version: number;
  readonly lockTime: number;
  readonly inputs: readonly PsbtInput[];
  readonly outputs: readonly BareOutput[];
}

/** The bare transaction of a PSBT, from which its id is computed. */
export const transactionOf = ({ version, lockTime, inputs, outputs }: Psbt): BareTransaction => ({
  version,
  lockTime,
  inputs: inputs.map(({ outpoint, sequence }) => ({ outpoint, sequence, script: new Uint8Array(0) })),
  outputs,
});

/** The fee in satoshis: inputs less outputs; negative for a transaction that the chain would refuse. */
export const feeOfPsbt = ({ inputs, outputs }: Psbt): bigint =>
  inputs.reduce((sum, { coin }) => sum + coin.amount, 0n) -
  outputs.reduce((sum, { amount }) => sum + amount, 0n);

/** Encodes one field of a map: a key, which begins with its type, and a value. */
export const psbtField = (key: Uint8Array, value: Uint8Array): Uint8Array =>
  concatBytes(lengthAndBytes(key), lengthAndBytes(value));

const field = (type: number, value: Uint8Array): Uint8Array => psbtField(Uint8Array.of(type), value);

/** A signature of an input, in the form for the witness. */
export type PsbtSignature =
  | { readonly kind: "ecdsa"; readonly key: Uint8Array; readonly signature: Uint8Array }
  | { readonly kind: "taproot"; readonly signature: Uint8Array };

/** A signature's key and value in an input's map (BIP-174, BIP-371). */
export const psbtSignatureField = (
  signature: PsbtSignature,
): readonly [key: Uint8Array, value: Uint8Array] => {
  switch (signature.kind) {
    case "ecdsa":
      return [concatBytes(Uint8Array.of(PARTIAL_SIG), signature.key), signature.signature];
    case "taproot":
      return [Uint8Array.of(TAP_KEY_SIG), signature.signature];
  }
};

const encodeInputMap = (
  { coin, sighashType }: PsbtInput,
  previous: Uint8Array | undefined,
  signature: PsbtSignature | undefined,
): Uint8Array =>
  concatBytes(
    ...(previous === undefined ? [] : [field(NON_WITNESS_UTXO, previous)]),
    field(WITNESS_UTXO, encodeOutput(coin)),
    ...(signature?.kind === "ecdsa" ? [psbtField(...psbtSignatureField(signature))] : []),
    ...(sighashType === undefined ? [] : [field(SIGHASH_TYPE, uint32(sighashType))]),
    ...(signature?.kind === "taproot" ? [psbtField(...psbtSignatureField(signature))] : []),
    SEPARATOR,
  );

/**
 * The previous transaction for each input, left out of all but the first input that spends it: one copy proves all its outputs.
 */
const previousOnce = (inputs: readonly PsbtInput[]): readonly (Uint8Array | undefined)[] => {
  const there = new Set<string>();
  return inputs.map(({ outpoint, previous }) => {
    if (previous === undefined || there.has(outpoint.txid)) return undefined;
    there.add(outpoint.txid);
    return previous;
  });
};

/**
 * The one encoding of a PSBT to sign (BIP-174, version 0): fields in the order of their types; each input states its coin; each
 * previous transaction stands only at the first input that spends it.
 * @param signatures none, or one for each input, of ECDSA (BIP-174) or of a Taproot key (BIP-371)
 */
export const encodePsbt = (psbt: Psbt, signatures: readonly PsbtSignature[] = []): Uint8Array => {
  const previous = previousOnce(psbt.inputs);
  return concatBytes(
    PSBT_MAGIC,
    field(UNSIGNED_TX, encodeTransaction(transactionOf(psbt))),
    SEPARATOR,
    ...psbt.inputs.map((input, at) => encodeInputMap(input, previous[at], signatures[at])),
    ...psbt.outputs.map(() => SEPARATOR),
  );
};

type Fields = ReadonlyMap<number, Uint8Array>;

/** Reads one map: keys of one byte, each at most once, in ascending order. */
const readMap = (reader: ByteReader, known: readonly number[], where: string): Fields => {
  const fields = new Map<number, Uint8Array>();
  let last = -1;
  for (;;) {
    const key = reader.lengthAndBytes();
    const [type, ...more] = key;
    if (type === undefined) return fields;
    if (more.length > 0 || !known.includes(type)) {
      throw new UnreadableBytes(`nobody reads the field 0x${bytesToHex(key)} of ${where} here`);
    }
    if (fields.has(type))
      throw new UnreadableBytes(`the field 0x${bytesToHex(key)} of ${where} is there twice`);
    if (type < last) throw new UnreadableBytes("its fields are not in the order of their types");
    last = type;
    fields.set(type, reader.lengthAndBytes());
  }
};

const statedCoin = (bytes: Uint8Array): BareOutput => {
  const reader = new ByteReader(bytes);
  const coin = readOutput(reader);
  reader.end();
  return coin;
};

const sighashTypeIn = (bytes: Uint8Array): number => {
  if (bytes.length !== SIGHASH_BYTES) throw new UnreadableBytes("a signature hash type takes 4 bytes");
  return new ByteReader(bytes).uint32();
};

/** An input's fields about its coin and signature. */
export interface SpendingFields {
  readonly previous: Uint8Array | undefined;
  readonly stated: Uint8Array | undefined;
  readonly sighashType: Uint8Array | undefined;
}

const inputOfFields = (
  { outpoint, sequence, script }: BareInput,
  { stated, sighashType }: SpendingFields,
  known: PreviousOutputs,
  where: string,
): PsbtInput => {
  if (script.length > 0) throw new UnreadableBytes(`${where} has a script already`);
  const made = known.coin(outpoint, where);
  const coin = stated === undefined ? made : statedCoin(stated);
  if (coin === undefined) throw new UnreadableBytes(`${where} does not say which coin it spends`);
  const isSame = made === undefined || (made.amount === coin.amount && equalBytes(made.script, coin.script));
  if (!isSame) throw new UnreadableBytes(`${where} states a coin that its previous transaction did not make`);
  return {
    outpoint,
    sequence,
    coin,
    previous: known.bytesOf(outpoint.txid),
    sighashType: sighashType === undefined ? undefined : sighashTypeIn(sighashType),
  };
};

/**
 * The inputs with their coins. A previous transaction proves each of its outputs, even if another input carries it.
 * @param fields of the inputs, in their order
 * @throws UnreadableBytes
 */
export const inputsOfFields = (
  inputs: readonly BareInput[],
  fields: readonly SpendingFields[],
): readonly PsbtInput[] => {
  const known = new PreviousOutputs();
  for (const [at, { outpoint }] of inputs.entries()) {
    const previous = fields[at]?.previous;
    if (previous !== undefined) known.learn(outpoint.txid, previous, `input ${at}`);
  }
  return inputs.map((input, at) => {
    const own = fields[at];
    if (own === undefined) throw new UnreadableBytes("it ends too early");
    return inputOfFields(input, own, known, `input ${at}`);
  });
};

const readSpending = (reader: ByteReader, where: string): SpendingFields => {
  const fields = readMap(reader, [NON_WITNESS_UTXO, WITNESS_UTXO, SIGHASH_TYPE], where);
  return {
    previous: fields.get(NON_WITNESS_UTXO),
    stated: fields.get(WITNESS_UTXO),
    sighashType: fields.get(SIGHASH_TYPE),
  };
};

const judgeInputs = (inputs: readonly BareInput[]): void => {
  if (inputs.length === 0) throw new UnreadableBytes("it spends nothing");
  if (inputs.length > SIGNABLES_MAX) throw new UnreadableBytes(`it has more than ${SIGNABLES_MAX} inputs`);
  const spent = new Set(inputs.map(({ outpoint }) => `${outpoint.txid}:${outpoint.index}`));
  if (spent.size < inputs.length) throw new UnreadableBytes("it spends a coin twice");
};

/** Reads a PSBT's transaction: at least one input, no coin twice, no more coins than can be signed. @throws UnreadableBytes */
export const readUnsignedTransaction = (bytes: Uint8Array): BareTransaction => {
  const transaction = decodeUnwitnessed(bytes);
  judgeInputs(transaction.inputs);
  return transaction;
};

const read = (bytes: Uint8Array): Psbt => {
  const reader = new ByteReader(bytes);
  if (!equalBytes(reader.take(PSBT_MAGIC.length), PSBT_MAGIC)) throw new UnreadableBytes("it is no PSBT");
  const unsigned = readMap(reader, [UNSIGNED_TX], "the whole").get(UNSIGNED_TX);
  if (unsigned === undefined) throw new UnreadableBytes("it holds no transaction");
  const { version, lockTime, inputs, outputs } = readUnsignedTransaction(unsigned);
  const fields = inputs.map((_, at) => readSpending(reader, `input ${at}`));
  outputs.forEach((_, at) => {
    readMap(reader, [], `output ${at}`);
  });
  reader.end();
  return { version, lockTime, inputs: inputsOfFields(inputs, fields), outputs };
};

/** @returns TransactionUnreadable with the reason */
export const unreadablePsbt = (why: string): Result<never> =>
  fail("TransactionUnreadable", { field: "psbt" }, `The PSBT cannot be read: ${why}.`);

/** Runs a decoder of PSBT bytes. @returns TransactionUnreadable when `read` throws UnreadableBytes */
export const readingPsbt = <T>(read: () => T): Result<T> => {
  try {
    return ok(read());
  } catch (error) {
    if (error instanceof UnreadableBytes) return unreadablePsbt(error.message);
    throw error;
  }
};

/**
 * Reads a PSBT that was built or authorised (BIP-174, version 0), strictly: it has only the fields read here, in their order,
 * and no signature. A previous transaction must be the one whose output its input spends.
 *
 * Requests of earlier versions repeat a previous transaction at each input, with its witnesses; this function reads them too.
 * Signers sign only the one encoding: `isCanonicalPsbt`.
 * @returns TransactionUnreadable with the reason
 */
export const decodePsbt = (bytes: Uint8Array): Result<Psbt> =>
  bytes.length > BUILT_BYTES_MAX
    ? unreadablePsbt(`it is longer than ${BUILT_BYTES_MAX} bytes`)
    : readingPsbt(() => read(bytes));

/** Whether the bytes are the one encoding of the PSBT that was read from them. */
export const isCanonicalPsbt = (psbt: Psbt, bytes: Uint8Array): boolean =>
  equalBytes(encodePsbt(psbt), bytes);
