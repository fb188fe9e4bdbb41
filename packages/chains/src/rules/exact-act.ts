import { lowerHexOf, UNSIGNED_BYTES_MAX } from "@conclave/custody";
import { z } from "zod";

const bytes = lowerHexOf(UNSIGNED_BYTES_MAX);

/**
 * A transaction that a caller built, to be sent: its exact bytes, unsigned and canonical.
 * @param from the schema of the wallet's own address
 */
export const exactTransaction = (from: z.ZodString) =>
  z.strictObject({ kind: z.literal("Exact"), from, unsigned: bytes });
export type ExactTransaction = z.infer<ReturnType<typeof exactTransaction>>;

/** The content that a key signs without sending it: canonical unsigned bytes, for the chain of this network. */
export const exactToSignSchema = z.strictObject({
  kind: z.literal("transaction"),
  network: z.string(),
  transaction: bytes,
});
export type ExactToSign = z.infer<typeof exactToSignSchema>;
