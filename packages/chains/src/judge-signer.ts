import { type ContentReading, networkSchema, ok, type Result } from "@conclave/custody";
import { mustEqual, refuseMismatch } from "./mismatch.ts";
import type { FamilyRegistry } from "./registry.ts";

/**
 * Whether the key can make valid what it is asked to sign. A signature that can be attached to nothing would be made again and
 * again, and never be answered.
 * @param publicKey of the key that is asked, as its family has it
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
