import { type ContentReading, networkSchema, ok, type Result } from "@conclave/custody";
import { mustEqual, refuseMismatch } from "./mismatch.ts";
import type { FamilyRegistry } from "./registry.ts";

/**
 * Judges whether the key can sign the transaction validly. Otherwise its signature could be attached to nothing, and the
 * request would be signed again and again without an answer.
 * @param publicKey of the signing key, in its family's form
 * @returns TransactionMismatch, with both addresses
 */
export const judgeSigner = (
  families: FamilyRegistry,
  { signer, transaction }: ContentReading,
  publicKey: Uint8Array,
): Result<void> => {
  if (signer === undefined || transaction === undefined) return ok(undefined);
  const network = networkSchema.parse(transaction.network);
  const mismatch = mustEqual("from", signer, families.familyOf(network).addressOf(network, publicKey));
  return mismatch === undefined ? ok(undefined) : refuseMismatch(mismatch);
};
