import { bytesToHex } from "@noble/hashes/utils.js";
import { RawTx } from "@scure/btc-signer/script.js";
import { withIdentity } from "./identity.ts";
import type { BitcoindSerialisedTransaction } from "./transaction.ts";

type Raw = ReturnType<typeof RawTx.decode>;

const rawOf = (bytes: Uint8Array): Raw | undefined => {
  try {
    // a copy, because the decoded values are views of the given bytes
    return RawTx.decode(Uint8Array.from(bytes));
  } catch (error) {
    // the library throws only plain Errors
    if (error instanceof Error && error.name === "Error") return undefined;
    throw error;
  }
};

/**
 * Decodes the wire form of one transaction with @scure/btc-signer: lengths in their shortest form, the marker of BIP-144
 * exactly if there is a witness, and no trailing bytes. The ids are digests of the given bytes.
 * @returns undefined if the bytes are not such a transaction, or it has no inputs
 */
export const decodeBitcoindTransaction = (bytes: Uint8Array): BitcoindSerialisedTransaction | undefined => {
  const raw = rawOf(bytes);
  if (raw === undefined || raw.inputs.length === 0) return undefined;
  return withIdentity({
    version: raw.version >>> 0,
    inputs: raw.inputs.map(({ txid, index, finalScriptSig, sequence }, at) => ({
      txid: bytesToHex(txid),
      index,
      script: finalScriptSig,
      sequence,
      witness: raw.witnesses?.[at] ?? [],
    })),
    outputs: raw.outputs.map(({ amount, script }) => ({ amount: BigInt.asIntN(64, amount), script })),
    lockTime: raw.lockTime,
  });
};
