import { fail, ok, type ReadableContent, type Result } from "@conclave/custody";
import { hashMessage, hexToBytes, keccak256 } from "viem/utils";
import type { EvmNetwork } from "../network.ts";
import { decodeAnyUnsigned } from "./decode-any.ts";
import { hashTyped } from "./typed-data.ts";

/** What a signer learns from something that it was asked to sign and not to send. */
export interface ReadContentResult {
  /** 32 bytes: what is signed */
  readonly digest: Uint8Array;
  /** the account nonce of a transaction */
  readonly nonce: bigint | undefined;
}

/** What reading needs of a network. */
export type ReadableNetwork = Pick<EvmNetwork, "network" | "chainId" | "feeCap">;

/**
 * The signer's own reading of what was authorised (INV-3): it computes the digest from the whole of it.
 *
 * @param networks the entries of the reader's own networks file
 * @returns the digest; TypedDataInvalid, NetworkNotEnabled, TransactionUnreadable, TransactionMismatch (details.field) or
 *   FeeAboveCap
 */
export const readContent = (
  networks: readonly ReadableNetwork[],
  content: ReadableContent,
): Result<ReadContentResult> => {
  switch (content.kind) {
    case "message": {
      const digest = hashMessage({ raw: `0x${content.message}` }, "bytes");
      return ok({ digest, nonce: undefined });
    }
    case "eip712": {
      const digest = hashTyped(content.typedData);
      return digest.ok ? ok({ digest: digest.value, nonce: undefined }) : digest;
    }
    case "transaction":
      return readUnsigned(networks, content.network, hexToBytes(`0x${content.transaction}`));
  }
};

const readUnsigned = (
  networks: readonly ReadableNetwork[],
  name: string,
  unsigned: Uint8Array,
): Result<ReadContentResult> => {
  const network = networks.find((entry) => entry.network === name);
  if (network === undefined) {
    return fail("NetworkNotEnabled", { networks: networks.map((entry) => entry.network) });
  }
  const decoded = decodeAnyUnsigned(unsigned);
  if (!decoded.ok) return decoded;
  const { chainId, gasLimit, maxFeePerGas, nonce } = decoded.value;
  if (chainId !== BigInt(network.chainId)) {
    return fail(
      "TransactionMismatch",
      { field: "chainId", is: String(chainId), authorised: String(network.chainId) },
      "The transaction is for another chain than its network's.",
    );
  }
  const fee = gasLimit * maxFeePerGas;
  if (fee > BigInt(network.feeCap)) return fail("FeeAboveCap", { fee: String(fee), feeCap: network.feeCap });
  return ok({ digest: keccak256(unsigned, "bytes"), nonce });
};
