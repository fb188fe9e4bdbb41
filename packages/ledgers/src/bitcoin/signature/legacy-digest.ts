import { concatBytes } from "@noble/hashes/utils.js";
import { wireNumber, wireWithoutWitness } from "../transaction/encode.ts";
import { twiceSha256 } from "../transaction/identity.ts";
import type { BitcoindInput, BitcoindOutput, BitcoindTransaction } from "../transaction/transaction.ts";
import { type BitcoindHashType, hashTypeOf } from "./hash-type.ts";

const NO_SCRIPT = new Uint8Array();
/** The digest for SINGLE if there is no output with the input's index: an early bug that became consensus. */
const ONE = Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 1 : 0));
const NO_OUTPUT: BitcoindOutput = { amount: -1n, script: NO_SCRIPT };

const coveredInputs = (
  { inputs }: BitcoindTransaction,
  signed: number,
  scriptCode: Uint8Array,
  { anyoneCanPay, outputs }: BitcoindHashType,
): readonly BitcoindInput[] => {
  const blanked = inputs.map((input, at) => ({
    ...input,
    script: at === signed ? scriptCode : NO_SCRIPT,
    sequence: at === signed || outputs === "all" ? input.sequence : 0,
  }));
  return anyoneCanPay ? blanked.slice(signed, signed + 1) : blanked;
};

const coveredOutputs = (
  { outputs }: BitcoindTransaction,
  signed: number,
  type: BitcoindHashType,
): readonly BitcoindOutput[] => {
  switch (type.outputs) {
    case "all":
      return outputs;
    case "none":
      return [];
    case "single":
      return outputs.slice(0, signed + 1).map((output, at) => (at === signed ? output : NO_OUTPUT));
  }
};

/**
 * The digest that the signature of a legacy input signs. OP_CODESEPARATOR needs no handling, because this ledger spends
 * only P2PKH.
 * @param scriptCode the script of the output that is spent
 * @param hashType the signature's last byte, defined or not
 * @source Bitcoin Core, src/script/interpreter.cpp: SignatureHash, SigVersion::BASE
 */
export const legacySpendDigest = (
  transaction: BitcoindTransaction,
  signed: number,
  scriptCode: Uint8Array,
  hashType: number,
): Uint8Array => {
  const type = hashTypeOf(hashType);
  if (type.outputs === "single" && signed >= transaction.outputs.length) return ONE;
  const covered = {
    ...transaction,
    inputs: coveredInputs(transaction, signed, scriptCode, type),
    outputs: coveredOutputs(transaction, signed, type),
  };
  return twiceSha256(concatBytes(wireWithoutWitness(covered), wireNumber(hashType, 4)));
};
