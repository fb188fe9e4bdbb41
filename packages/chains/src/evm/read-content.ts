import { type ContentReading, type FamilyContent, fail, ok, type Result } from "@conclave/custody";
import { hashAuthorization, hashMessage, hexToBytes } from "viem/utils";
import { ownEntry, readingOfContent } from "../content-reading.ts";
import { decodeAnyUnsigned } from "./decode-any.ts";
import type { ReadableNetwork } from "./network.ts";
import { parseContent } from "./parse-content.ts";
import { readDecoded } from "./read.ts";
import { hashTyped } from "./typed-data.ts";

/**
 * The signer's own reading of content that is signed and not sent (INV-3): it computes the digest from the whole content.
 *
 * @param networks the entries of the reader's own networks file
 * @returns the digest; TypedDataInvalid, NetworkNotEnabled, TransactionUnreadable, TransactionMismatch (details.field) or
 * FeeAboveCap
 */
export const readContent = (
  networks: readonly ReadableNetwork[],
  familyContent: FamilyContent,
): Result<ContentReading> => {
  const parsed = parseContent(familyContent);
  if (!parsed.ok) return parsed;
  const content = parsed.value;
  switch (content.kind) {
    case "message":
      return ok(digestAlone(hashMessage({ raw: `0x${content.message}` }, "bytes")));
    case "eip712": {
      const digest = hashTyped(content.typedData);
      return digest.ok ? ok(digestAlone(digest.value)) : digest;
    }
    case "eip7702": {
      const { address, chainId, nonce } = content;
      const contractAddress = `0x${address.slice(2)}` as const;
      return ok(digestAlone(hashAuthorization({ contractAddress, chainId, nonce, to: "bytes" })));
    }
    case "transaction":
      return readUnsigned(networks, content.network, hexToBytes(`0x${content.transaction}`));
  }
};

const digestAlone = (digest: Uint8Array): ContentReading => ({
  signables: [{ scheme: "CGGMP24", bytes: digest }],
  transaction: undefined,
});

const readUnsigned = (
  networks: readonly ReadableNetwork[],
  name: string,
  unsigned: Uint8Array,
): Result<ContentReading> => {
  const entry = ownEntry(networks, name);
  if (!entry.ok) return entry;
  const network = entry.value;
  const decoded = decodeAnyUnsigned(unsigned);
  if (!decoded.ok) return decoded;
  const { chainId } = decoded.value;
  if (chainId !== BigInt(network.chainId)) {
    return fail(
      "TransactionMismatch",
      { field: "chainId", is: String(chainId), authorised: String(network.chainId) },
      "The transaction is for another chain than its network's.",
    );
  }
  const read = readDecoded(network, unsigned, decoded.value);
  return read.ok ? ok(readingOfContent(network.network, unsigned, read.value)) : read;
};
