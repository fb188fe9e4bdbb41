import { withIdentity } from "./identity.ts";
import type { BitcoindInput, BitcoindOutput, BitcoindSerialisedTransaction } from "./transaction.ts";
import { hasWitness } from "./transaction.ts";
import { UnreadableWire, WireReader } from "./wire-reader.ts";

const INPUT_BYTES_MIN = 41;
const OUTPUT_BYTES_MIN = 9;

const readInputs = (reader: WireReader): readonly BitcoindInput[] =>
  Array.from({ length: reader.count(INPUT_BYTES_MIN) }, () => ({
    txid: reader.hash(),
    index: reader.number(4),
    script: reader.lengthened(),
    sequence: reader.number(4),
    witness: [],
  }));

const readOutputs = (reader: WireReader): readonly BitcoindOutput[] =>
  Array.from({ length: reader.count(OUTPUT_BYTES_MIN) }, () => ({
    amount: reader.amount(),
    script: reader.lengthened(),
  }));

const readWitness = (reader: WireReader): readonly Uint8Array[] =>
  Array.from({ length: reader.count(1) }, () => reader.lengthened());

const readTransaction = (reader: WireReader): BitcoindSerialisedTransaction => {
  const version = reader.number(4);
  const first = readInputs(reader);
  if (first.length > 0) {
    return withIdentity({
      version,
      inputs: first,
      outputs: readOutputs(reader),
      lockTime: reader.number(4),
    });
  }
  // no inputs: the marker of BIP-144, after which the flag has to stand
  if (reader.number(1) !== 1) throw new UnreadableWire("Unknown transaction optional data");
  const bare = readInputs(reader);
  const outputs = readOutputs(reader);
  const inputs = bare.map((input) => ({ ...input, witness: readWitness(reader) }));
  const transaction = { version, inputs, outputs, lockTime: reader.number(4) };
  if (!hasWitness(transaction)) throw new UnreadableWire("Superfluous witness record");
  return withIdentity(transaction);
};

/**
 * Reads the wire form of one transaction, with or without witnesses. Lengths are in their shortest form, nothing stands
 * behind it: the ids are digests of the very bytes.
 * @returns undefined if they are no such thing
 * @source Bitcoin Core, src/primitives/transaction.h: UnserializeTransaction
 */
export const decodeBitcoindTransaction = (bytes: Uint8Array): BitcoindSerialisedTransaction | undefined => {
  const reader = new WireReader(bytes);
  try {
    const transaction = readTransaction(reader);
    return reader.left === 0 ? transaction : undefined;
  } catch (error) {
    if (error instanceof UnreadableWire) return undefined;
    throw error;
  }
};
