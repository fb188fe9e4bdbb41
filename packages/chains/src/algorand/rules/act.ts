import { z } from "zod";
import { exactTransaction } from "../../rules/exact-act.ts";
import { isPositiveUint64 } from "../../rules/uint64.ts";
import { parseAlgorandAddress } from "./address.ts";

const positive = z.string().refine(isPositiveUint64, "is not a positive number of 64 bits");
const address = z.string().refine((text) => parseAlgorandAddress(text, "").ok, "is not an Algorand address");

/** the wallet's own address; named because after a rekey one key may sign for other accounts as well */
const from = address;

/** The asset that a transfer on an Algorand network moves. */
export const algorandTransferSchema = z.discriminatedUnion("kind", [
  /** @param amount microalgos */
  z.strictObject({ kind: z.literal("Native"), from, to: address, amount: positive }),
  /** @param amount in the asset's smallest unit */
  z.strictObject({ kind: z.literal("Asa"), assetId: positive, from, to: address, amount: positive }),
]);
export type AlgorandTransfer = z.infer<typeof algorandTransferSchema>;

/** A transaction on an Algorand network: the exact bytes that a caller built, canonical, lower-case hex. */
export const algorandTransactionSchema = exactTransaction(from);
