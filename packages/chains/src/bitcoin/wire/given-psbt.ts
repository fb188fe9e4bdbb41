import { PSBT_BYTES_MAX, type Result } from "@conclave/custody";
import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex, bytesToNumberBE, concatBytes, equalBytes } from "@noble/curves/utils.js";
import { bitcoinScriptBody, bitcoinScriptType } from "../rules/script.ts";
import { ByteReader, UnreadableBytes } from "./bytes.ts";
import {
  inputsOfFields,
  NON_WITNESS_UTXO,
  PSBT_MAGIC,
  type Psbt,
  type PsbtInput,
  type PsbtSignature,
  psbtField,
  psbtSignatureField,
  readingPsbt,
  readUnsignedTransaction,
  SIGHASH_TYPE,
  UNSIGNED_TX,
  unreadablePsbt,
  WITNESS_UTXO,
} from "./psbt.ts";
import {
  judgePsbtField,
  PSBT_VERSION,
  type PsbtField,
  type PsbtMapKind,
  TAP_INTERNAL_KEY,
} from "./psbt-fields.ts";

type PsbtMap = readonly PsbtField[];

/** A PSBT as a caller gave it. */
interface GivenPsbt {
  /** the part that is signed */
  readonly psbt: Psbt;
  /** all fields as the caller sent them, including those not read here */
  readonly global: PsbtMap;
  readonly inputs: readonly PsbtMap[];
  readonly outputs: readonly PsbtMap[];
}

const readMap = (reader: ByteReader, kind: PsbtMapKind, where: string): PsbtMap => {
  const fields: PsbtField[] = [];
  const there = new Set<string>();
  for (;;) {
    const key = reader.lengthAndBytes();
    const [type] = key;
    if (type === undefined) return fields;
    const name = bytesToHex(key);
    if (there.has(name)) throw new UnreadableBytes(`the field 0x${name} of ${where} is there twice`);
    there.add(name);
    const field = { type, key, value: reader.lengthAndBytes() };
    judgePsbtField(kind, field, where);
    fields.push(field);
  }
};

const fieldOf = (map: PsbtMap, type: number): Uint8Array | undefined =>
  map.find((field) => field.type === type)?.value;

/** The output key for an internal key without scripts (BIP-341, BIP-86). @throws for bytes that are no key */
const outputKeyOf = (internalKey: Uint8Array): Uint8Array => {
  const point = schnorr.utils.lift_x(bytesToNumberBE(internalKey));
  const tweak = bytesToNumberBE(schnorr.utils.taggedHash("TapTweak", internalKey));
  const tweaked = point.add(secp256k1.Point.BASE.multiply(secp256k1.Point.Fn.create(tweak)));
  return schnorr.utils.pointToBytes(tweaked);
};

/** Whether a Taproot coin pays to this internal key without any script. */
const isInternalKeyOf = ({ coin: { script } }: PsbtInput, internalKey: Uint8Array): boolean => {
  if (bitcoinScriptType(script) !== "P2TR") return false;
  try {
    return equalBytes(outputKeyOf(internalKey), bitcoinScriptBody(script));
  } catch {
    return false;
  }
};

/**
 * Checks the coins' internal keys. All coins of a wallet share one script and key, so any input costs at most one curve
 * multiplication.
 */
const judgeInternalKeys = (inputs: readonly PsbtInput[], maps: readonly PsbtMap[]): void => {
  let judged: { readonly script: Uint8Array; readonly key: Uint8Array } | undefined;
  for (const [at, input] of inputs.entries()) {
    const key = fieldOf(maps[at] ?? [], TAP_INTERNAL_KEY);
    if (key === undefined) continue;
    const { script } = input.coin;
    if (judged !== undefined && !equalBytes(judged.script, script)) {
      throw new UnreadableBytes(
        `input ${at} spends a coin of another script than the inputs before it: a wallet signs coins of its own alone`,
      );
    }
    const isKnown = judged !== undefined && equalBytes(judged.key, key);
    if (!isKnown && (judged !== undefined || !isInternalKeyOf(input, key))) {
      throw new UnreadableBytes(
        `the Taproot internal key (field 0x17) of input ${at} is not the one of the coin that it spends`,
      );
    }
    judged = { script, key };
  }
};

const judgeVersion = (global: PsbtMap): void => {
  const version = fieldOf(global, PSBT_VERSION);
  if (version === undefined) return;
  if (version.length !== 4) throw new UnreadableBytes("the version of the PSBT takes 4 bytes");
  const number = new ByteReader(version).uint32();
  if (number !== 0) throw new UnreadableBytes(`it is of version ${number}: version 0 is read (BIP-174)`);
};

const read = (bytes: Uint8Array): GivenPsbt => {
  const reader = new ByteReader(bytes);
  if (!equalBytes(reader.take(PSBT_MAGIC.length), PSBT_MAGIC)) throw new UnreadableBytes("it is no PSBT");
  const global = readMap(reader, "global", "the whole");
  judgeVersion(global);
  const unsigned = fieldOf(global, UNSIGNED_TX);
  if (unsigned === undefined) throw new UnreadableBytes("it holds no transaction");
  const transaction = readUnsignedTransaction(unsigned);
  const inputs = transaction.inputs.map((_, at) => readMap(reader, "input", `input ${at}`));
  const outputs = transaction.outputs.map((_, at) => readMap(reader, "output", `output ${at}`));
  reader.end();
  const spent = inputsOfFields(
    transaction.inputs,
    inputs.map((map) => ({
      previous: fieldOf(map, NON_WITNESS_UTXO),
      stated: fieldOf(map, WITNESS_UTXO),
      sighashType: fieldOf(map, SIGHASH_TYPE),
    })),
  );
  judgeInternalKeys(spent, inputs);
  const { version, lockTime } = transaction;
  return {
    psbt: { version, lockTime, inputs: spent, outputs: transaction.outputs },
    global,
    inputs,
    outputs,
  };
};

/**
 * Reads a PSBT from a caller (BIP-174, version 0) as wallets write it: with key derivations, extended keys and unknown fields.
 * These do not affect the signed bytes, and are skipped. A Taproot internal key must be that of its coin.
 * @returns TransactionUnreadable, which names the field that would affect the signed bytes, such as a signature or a script
 */
export const readGivenPsbt = (bytes: Uint8Array): Result<GivenPsbt> =>
  bytes.length > PSBT_BYTES_MAX
    ? unreadablePsbt(`it is longer than ${PSBT_BYTES_MAX} bytes`)
    : readingPsbt(() => read(bytes));

const MAP_END: Uint8Array = Uint8Array.of(0);

const encodeMap = (fields: PsbtMap): Uint8Array =>
  concatBytes(...fields.map(({ key, value }) => psbtField(key, value)), MAP_END);

/** Inserts the signature's field after those of lower types, where wallets write it. */
const withSignature = (map: PsbtMap, signature: PsbtSignature | undefined): PsbtMap => {
  if (signature === undefined) return map;
  const [key, value] = psbtSignatureField(signature);
  const [type = 0] = key;
  const found = map.findIndex((field) => field.type > type);
  const at = found < 0 ? map.length : found;
  return [...map.slice(0, at), { type, key, value }, ...map.slice(at)];
};

/** Encodes the caller's PSBT with all its fields, and adds the signatures of its inputs, in their order. */
export const encodeGivenPsbt = (
  { global, inputs, outputs }: GivenPsbt,
  signatures: readonly PsbtSignature[],
): Uint8Array =>
  concatBytes(
    PSBT_MAGIC,
    encodeMap(global),
    ...inputs.map((map, at) => encodeMap(withSignature(map, signatures[at]))),
    ...outputs.map(encodeMap),
  );
