import { fail, ok, type Result, SIGNABLES_MAX, UNSIGNED_BYTES_MAX } from "@conclave/custody";
import { bytesToHex, concatBytes, equalBytes } from "@noble/curves/utils.js";
import { ByteReader, lengthAndBytes, UnreadableBytes, uint32 } from "./bytes.ts";
import {
  type BareInput,
  type BareOutput,
  type BareTransaction,
  decodeTransaction,
  decodeUnwitnessed,
  encodeOutput,
  encodeTransaction,
  type Outpoint,
  readOutput,
  txidOf,
} from "./transaction.ts";

/** "psbt" and 0xff (BIP-174). */
const MAGIC: Uint8Array = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff);
const UNSIGNED_TX = 0x00;
const NON_WITNESS_UTXO = 0x00;
const WITNESS_UTXO = 0x01;
const PARTIAL_SIG = 0x02;
const SIGHASH_TYPE = 0x03;
const TAP_KEY_SIG = 0x13;
/** Ends a map. */
const SEPARATOR: Uint8Array = Uint8Array.of(0);
const SIGHASH_BYTES = 4;

/** An input, and the coin that it spends. */
export interface PsbtInput {
  readonly outpoint: Outpoint;
  readonly sequence: number;
  /** what is spent */
  readonly coin: BareOutput;
  /** the whole transaction that made the coin: its id is the outpoint's, so that nobody can lie about the coin */
  readonly previous: Uint8Array | undefined;
  /** whether the PSBT states the coin beside the previous transaction */
  readonly isCoinStated: boolean;
  /** as the PSBT names it; undefined where it leaves the usual one */
  readonly sighashType: number | undefined;
}

/** A transaction to sign, with all that is needed to know what it spends. */
export interface Psbt {
  readonly version: number;
  readonly lockTime: number;
  readonly inputs: readonly PsbtInput[];
  readonly outputs: readonly BareOutput[];
}

/** The transaction in a PSBT, as its id is made from it. */
export const transactionOf = ({ version, lockTime, inputs, outputs }: Psbt): BareTransaction => ({
  version,
  lockTime,
  inputs: inputs.map(({ outpoint, sequence }) => ({ outpoint, sequence, script: new Uint8Array(0) })),
  outputs,
});

/** What it costs: what goes in and does not come out, satoshis; below zero for what no chain takes. */
export const feeOfPsbt = ({ inputs, outputs }: Psbt): bigint =>
  inputs.reduce((sum, { coin }) => sum + coin.amount, 0n) -
  outputs.reduce((sum, { amount }) => sum + amount, 0n);

const field = (type: number, value: Uint8Array): Uint8Array =>
  concatBytes(lengthAndBytes(Uint8Array.of(type)), lengthAndBytes(value));

/** A signature of an input, as the witness will hold it. */
export type PsbtSignature =
  | { readonly kind: "ecdsa"; readonly key: Uint8Array; readonly signature: Uint8Array }
  | { readonly kind: "taproot"; readonly signature: Uint8Array };

const encodePartial = (signature: PsbtSignature | undefined): Uint8Array =>
  signature?.kind === "ecdsa"
    ? concatBytes(
        lengthAndBytes(concatBytes(Uint8Array.of(PARTIAL_SIG), signature.key)),
        lengthAndBytes(signature.signature),
      )
    : new Uint8Array(0);

const encodeInputMap = (
  { previous, coin, isCoinStated, sighashType }: PsbtInput,
  signature: PsbtSignature | undefined,
): Uint8Array =>
  concatBytes(
    ...(previous === undefined ? [] : [field(NON_WITNESS_UTXO, previous)]),
    ...(isCoinStated ? [field(WITNESS_UTXO, encodeOutput(coin))] : []),
    encodePartial(signature),
    ...(sighashType === undefined ? [] : [field(SIGHASH_TYPE, uint32(sighashType))]),
    ...(signature?.kind === "taproot" ? [field(TAP_KEY_SIG, signature.signature)] : []),
    SEPARATOR,
  );

/**
 * The one encoding of a PSBT (BIP-174, version 0): fields in the order of their types.
 * @param signatures none, or one for each input, of ECDSA (BIP-174) or of a Taproot key (BIP-371)
 */
export const encodePsbt = (psbt: Psbt, signatures: readonly PsbtSignature[] = []): Uint8Array =>
  concatBytes(
    MAGIC,
    field(UNSIGNED_TX, encodeTransaction(transactionOf(psbt))),
    SEPARATOR,
    ...psbt.inputs.map((input, at) => encodeInputMap(input, signatures[at])),
    ...psbt.outputs.map(() => SEPARATOR),
  );

type Fields = ReadonlyMap<number, Uint8Array>;

/** Reads one map: keys of one byte, each once. */
const readMap = (reader: ByteReader, known: readonly number[], where: string): Fields => {
  const fields = new Map<number, Uint8Array>();
  for (;;) {
    const key = reader.lengthAndBytes();
    const [type, ...more] = key;
    if (type === undefined) return fields;
    if (more.length > 0 || !known.includes(type)) {
      throw new UnreadableBytes(`nobody reads the field 0x${bytesToHex(key)} of ${where} here`);
    }
    if (fields.has(type))
      throw new UnreadableBytes(`the field 0x${bytesToHex(key)} of ${where} is there twice`);
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

/** The output that an outpoint names, of the transaction that the PSBT says made it. */
const coinIn = (previous: Uint8Array, { txid, index }: Outpoint, where: string): BareOutput => {
  const transaction = decodeTransaction(previous);
  if (txidOf(transaction) !== txid) {
    throw new UnreadableBytes(`the previous transaction of ${where} is not the one that it spends`);
  }
  const coin = transaction.outputs[index];
  if (coin === undefined) throw new UnreadableBytes(`${where} spends an output that there is not`);
  return coin;
};

const readInput = (reader: ByteReader, input: BareInput, at: number): PsbtInput => {
  const where = `input ${at}`;
  const fields = readMap(reader, [NON_WITNESS_UTXO, WITNESS_UTXO, SIGHASH_TYPE], where);
  const { outpoint, sequence } = input;
  if (input.script.length > 0) throw new UnreadableBytes(`${where} has a script already`);
  const previous = fields.get(NON_WITNESS_UTXO);
  const made = previous === undefined ? undefined : coinIn(previous, outpoint, where);
  const stated = fields.get(WITNESS_UTXO);
  const coin = stated === undefined ? made : statedCoin(stated);
  if (coin === undefined) throw new UnreadableBytes(`${where} does not say which coin it spends`);
  const isSame = made === undefined || (made.amount === coin.amount && equalBytes(made.script, coin.script));
  if (!isSame) throw new UnreadableBytes(`${where} states a coin that its previous transaction did not make`);
  const type = fields.get(SIGHASH_TYPE);
  const sighashType = type === undefined ? undefined : sighashTypeIn(type);
  return { outpoint, sequence, coin, previous, isCoinStated: stated !== undefined, sighashType };
};

const judgeInputs = (inputs: readonly BareInput[]): void => {
  if (inputs.length === 0) throw new UnreadableBytes("it spends nothing");
  if (inputs.length > SIGNABLES_MAX) throw new UnreadableBytes(`it has more than ${SIGNABLES_MAX} inputs`);
  const spent = new Set(inputs.map(({ outpoint }) => `${outpoint.txid}:${outpoint.index}`));
  if (spent.size < inputs.length) throw new UnreadableBytes("it spends a coin twice");
};

const read = (bytes: Uint8Array): Psbt => {
  const reader = new ByteReader(bytes);
  if (!equalBytes(reader.take(MAGIC.length), MAGIC)) throw new UnreadableBytes("it is no PSBT");
  const unsigned = readMap(reader, [UNSIGNED_TX], "the whole").get(UNSIGNED_TX);
  if (unsigned === undefined) throw new UnreadableBytes("it holds no transaction");
  const { version, lockTime, inputs, outputs } = decodeUnwitnessed(unsigned);
  judgeInputs(inputs);
  const read = inputs.map((input, at) => readInput(reader, input, at));
  outputs.forEach((_, at) => {
    readMap(reader, [], `output ${at}`);
  });
  reader.end();
  return { version, lockTime, inputs: read, outputs };
};

const unreadable = (why: string): Result<never> =>
  fail("TransactionUnreadable", {}, `The PSBT cannot be read: ${why}.`);

/**
 * Reads a PSBT (BIP-174, version 0), strictly: it holds the fields that are read here and no others, in their one encoding,
 * and no signature. A previous transaction must be the very one that its input spends.
 * @returns TransactionUnreadable, which says why
 */
export const decodePsbt = (bytes: Uint8Array): Result<Psbt> => {
  if (bytes.length > UNSIGNED_BYTES_MAX) return unreadable(`it is longer than ${UNSIGNED_BYTES_MAX} bytes`);
  try {
    const psbt = read(bytes);
    return equalBytes(encodePsbt(psbt), bytes)
      ? ok(psbt)
      : unreadable("its fields are not in the order of their types");
  } catch (error) {
    if (error instanceof UnreadableBytes) return unreadable(error.message);
    throw error;
  }
};
