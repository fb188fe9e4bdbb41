import { concatBytes } from "@noble/hashes/utils.js";
import { wireLengthened, wireNumber, wireOutpoint, wireOutput } from "../transaction/encode.ts";
import { twiceSha256 } from "../transaction/identity.ts";
import type { BitcoindTransaction } from "../transaction/transaction.ts";
import { hashTypeOf } from "./hash-type.ts";

const NOTHING = new Uint8Array(32);

/**
 * The digest that the signature of a witness v0 input signs.
 * @param scriptCode for P2WPKH: the P2PKH script of the same hash
 * @param amount of the output that is spent, in satoshis
 * @param hashType the signature's last byte, defined or not
 * @source BIP-143
 */
export const segwitSpendDigest = (
  { version, inputs, outputs, lockTime }: BitcoindTransaction,
  signed: number,
  scriptCode: Uint8Array,
  amount: bigint,
  hashType: number,
): Uint8Array => {
  const input = inputs[signed];
  if (input === undefined) throw new RangeError("a transaction has the input that is signed");
  const type = hashTypeOf(hashType);
  const coversSequences = !type.anyoneCanPay && type.outputs === "all";
  const single = outputs[signed];
  const singleDigest = single === undefined ? NOTHING : twiceSha256(wireOutput(single));
  const outputsDigest = {
    all: () => twiceSha256(concatBytes(...outputs.map(wireOutput))),
    none: () => NOTHING,
    single: () => singleDigest,
  };
  return twiceSha256(
    concatBytes(
      wireNumber(version, 4),
      type.anyoneCanPay ? NOTHING : twiceSha256(concatBytes(...inputs.map(wireOutpoint))),
      coversSequences
        ? twiceSha256(concatBytes(...inputs.map(({ sequence }) => wireNumber(sequence, 4))))
        : NOTHING,
      wireOutpoint(input),
      wireLengthened(scriptCode),
      wireNumber(amount, 8),
      wireNumber(input.sequence, 4),
      outputsDigest[type.outputs](),
      wireNumber(lockTime, 4),
      wireNumber(hashType, 4),
    ),
  );
};
