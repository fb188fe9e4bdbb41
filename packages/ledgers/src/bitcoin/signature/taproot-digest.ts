import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { wireLengthened, wireNumber, wireOutpoint, wireOutput } from "../transaction/encode.ts";
import type { BitcoindOutput, BitcoindTransaction } from "../transaction/transaction.ts";
import { type BitcoindHashType, hashTypeOf } from "./hash-type.ts";

const taggedHash = (tag: string, message: Uint8Array): Uint8Array => {
  const tagHash = sha256(utf8ToBytes(tag));
  return sha256(concatBytes(tagHash, tagHash, message));
};

const listDigest = (parts: readonly Uint8Array[]): Uint8Array => sha256(concatBytes(...parts));

/** The hashes over all inputs and all outputs, unless the hash type leaves them out. */
const sharedPart = (
  { inputs, outputs }: BitcoindTransaction,
  spent: readonly BitcoindOutput[],
  type: BitcoindHashType,
): Uint8Array => {
  const allInputs = [
    listDigest(inputs.map(wireOutpoint)),
    listDigest(spent.map(({ amount }) => wireNumber(amount, 8))),
    listDigest(spent.map(({ script }) => wireLengthened(script))),
    listDigest(inputs.map(({ sequence }) => wireNumber(sequence, 4))),
  ];
  return concatBytes(
    ...(type.anyoneCanPay ? [] : allInputs),
    ...(type.outputs === "all" ? [listDigest(outputs.map(wireOutput))] : []),
  );
};

/**
 * The digest that the signature of a Taproot key path signs, without annex.
 * @param spent the outputs that all inputs spend, in their order
 * @param hashType 0 (DEFAULT), or a defined one
 * @returns undefined if SINGLE is signed and no output has the input's index
 * @source BIP-341, Common signature message
 */
export const taprootSpendDigest = (
  transaction: BitcoindTransaction,
  signed: number,
  spent: readonly BitcoindOutput[],
  hashType: number,
): Uint8Array | undefined => {
  const type = hashTypeOf(hashType);
  const [input, output, single] = [transaction.inputs[signed], spent[signed], transaction.outputs[signed]];
  if (input === undefined || output === undefined) throw new RangeError("the signed input spends an output");
  if (type.outputs === "single" && single === undefined) return undefined;
  const own = type.anyoneCanPay
    ? concatBytes(wireOutpoint(input), wireOutput(output), wireNumber(input.sequence, 4))
    : wireNumber(signed, 4);
  return taggedHash(
    "TapSighash",
    concatBytes(
      Uint8Array.of(0, hashType),
      wireNumber(transaction.version, 4),
      wireNumber(transaction.lockTime, 4),
      sharedPart(transaction, spent, type),
      Uint8Array.of(0), // no annex, the key path
      own,
      ...(type.outputs === "single" && single !== undefined ? [sha256(wireOutput(single))] : []),
    ),
  );
};
