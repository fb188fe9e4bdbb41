import { concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { CompactSizeLen, RawOldTx, RawOutput, RawTx, VarBytes } from "@scure/btc-signer/script.js";
import {
  type BitcoindOutpoint,
  type BitcoindOutput,
  type BitcoindTransaction,
  hasWitness,
} from "./transaction.ts";

/** A number in little-endian bytes. */
export const wireNumber = (value: number | bigint, length: number): Uint8Array => {
  const bits = BigInt.asUintN(length * 8, BigInt(value));
  return Uint8Array.from({ length }, (_, at) => Number((bits >> BigInt(8 * at)) & 0xffn));
};

/** A CompactSize. */
export const wireCount = (value: number): Uint8Array => CompactSizeLen.encode(value);

/** Bytes with their length in front. */
export const wireLengthened = (bytes: Uint8Array): Uint8Array => VarBytes.encode(bytes);

/** The wire bytes of a digest, whose text form is reversed. */
export const wireHash = (text: string): Uint8Array => hexToBytes(text).reverse();

export const wireOutpoint = ({ txid, index }: BitcoindOutpoint): Uint8Array =>
  concatBytes(wireHash(txid), wireNumber(index, 4));

const rawOutput = ({ amount, script }: BitcoindOutput) => ({ amount: BigInt.asUintN(64, amount), script });

export const wireOutput = (output: BitcoindOutput): Uint8Array => RawOutput.encode(rawOutput(output));

const rawOf = ({ version, inputs, outputs, lockTime }: BitcoindTransaction) => ({
  version: version | 0,
  inputs: inputs.map(({ txid, index, script, sequence }) => ({
    txid: hexToBytes(txid),
    index,
    finalScriptSig: script,
    sequence,
  })),
  outputs: outputs.map(rawOutput),
  lockTime,
});

/** The serialisation without witnesses, of which the txid is the digest. */
export const wireWithoutWitness = (transaction: BitcoindTransaction): Uint8Array =>
  RawOldTx.encode(rawOf(transaction));

/** The serialisation of BIP-144, if there is a witness. */
export const wireTransaction = (transaction: BitcoindTransaction): Uint8Array => {
  if (!hasWitness(transaction)) return wireWithoutWitness(transaction);
  const witnesses = transaction.inputs.map(({ witness }) => [...witness]);
  return RawTx.encode({ ...rawOf(transaction), segwitFlag: true, witnesses });
};
