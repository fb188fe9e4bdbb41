import { z } from "zod";
import { UNSIGNED_BYTES_MAX } from "../../chain-request/reading.ts";
import { isPositiveUint64 } from "../../uint64.ts";
import { parseAlgorandAddress } from "./address.ts";

const positive = z.string().refine(isPositiveUint64, "is not a positive number of 64 bits");
const address = z.string().refine((text) => parseAlgorandAddress(text, "").ok, "is not an Algorand address");
const bytes = z
  .string()
  .max(2 * UNSIGNED_BYTES_MAX)
  .regex(/^([0-9a-f]{2})*$/);

/** the wallet's own address: a key may hold the authority over another account too, by a rekey of that one */
const from = address;

/** The asset that a transfer on an Algorand network moves. */
export const algorandTransferSchema = z.discriminatedUnion("kind", [
  /** @param amount microalgos */
  z.strictObject({ kind: z.literal("Native"), from, to: address, amount: positive }),
  /** @param amount in the asset's smallest unit */
  z.strictObject({ kind: z.literal("Asa"), assetId: positive, from, to: address, amount: positive }),
]);
export type AlgorandTransfer = z.infer<typeof algorandTransferSchema>;

/** A transaction on an Algorand network: the very bytes that a caller built, canonical, lower-case hex. */
export const algorandTransactionSchema = z.strictObject({
  kind: z.literal("Exact"),
  from,
  unsigned: bytes,
});
export type AlgorandTransaction = z.infer<typeof algorandTransactionSchema>;

/**
 * The content that an Ed25519 key signs for Algorand without sending it: canonical unsigned bytes, for the
 * chain of this network.
 */
export const algorandContentSchema = z.strictObject({
  kind: z.literal("transaction"),
  network: z.string(),
  transaction: bytes,
});
export type AlgorandContent = z.infer<typeof algorandContentSchema>;
