import { concatBytes } from "@noble/hashes/utils.js";
import {
  type BitcoindOutpoint,
  type BitcoindOutput,
  type BitcoindTransaction,
  hasWitness,
} from "./transaction.ts";
import { wireCount, wireHash, wireLengthened, wireNumber } from "./wire-writer.ts";

export const wireOutpoint = ({ txid, index }: BitcoindOutpoint): Uint8Array =>
  concatBytes(wireHash(txid), wireNumber(index, 4));

export const wireOutput = ({ amount, script }: BitcoindOutput): Uint8Array =>
  concatBytes(wireNumber(amount, 8), wireLengthened(script));

const encodeBody = ({ inputs, outputs }: BitcoindTransaction): Uint8Array =>
  concatBytes(
    wireCount(inputs.length),
    ...inputs.map((input) =>
      concatBytes(wireOutpoint(input), wireLengthened(input.script), wireNumber(input.sequence, 4)),
    ),
    wireCount(outputs.length),
    ...outputs.map(wireOutput),
  );

/** The form that a txid is the digest of. */
export const wireWithoutWitness = (transaction: BitcoindTransaction): Uint8Array =>
  concatBytes(
    wireNumber(transaction.version, 4),
    encodeBody(transaction),
    wireNumber(transaction.lockTime, 4),
  );

/** The form of BIP-144, if there is a witness at all. */
export const wireTransaction = (transaction: BitcoindTransaction): Uint8Array => {
  if (!hasWitness(transaction)) return wireWithoutWitness(transaction);
  const witnesses = transaction.inputs.map(({ witness }) =>
    concatBytes(wireCount(witness.length), ...witness.map(wireLengthened)),
  );
  return concatBytes(
    wireNumber(transaction.version, 4),
    Uint8Array.of(0, 1),
    encodeBody(transaction),
    ...witnesses,
    wireNumber(transaction.lockTime, 4),
  );
};
