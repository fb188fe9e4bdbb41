import { z } from "zod";
import { exactTransaction } from "../../rules/exact-act.ts";
import { isPositiveUint64 } from "../../rules/uint64.ts";
import { parseSolanaAddress } from "./address.ts";

const amount = z.string().refine(isPositiveUint64, "is not a positive number of 64 bits");
const address = z.string().refine((text) => parseSolanaAddress(text, "").ok, "is not a Solana address");

/** the wallet's own address */
const from = address;

const token = {
  mint: address,
  from,
  /** the owner of the receiving account, which is the owner's associated account */
  to: address,
  /** in the token's smallest unit */
  amount,
  /** whether the wallet pays for that account if it does not exist */
  createDestinationAccount: z.boolean(),
};

/** The asset that a transfer on a Solana network moves. */
export const solanaTransferSchema = z.discriminatedUnion("kind", [
  /** @param amount lamports */
  z.strictObject({ kind: z.literal("Native"), from, to: address, amount }),
  /** of the Token program */
  z.strictObject({ kind: z.literal("Spl"), ...token }),
  /** of the Token-2022 program */
  z.strictObject({ kind: z.literal("Spl2022"), ...token }),
]);
export type SolanaTransfer = z.infer<typeof solanaTransferSchema>;

/**
 * A transaction on a Solana network: the exact bytes that a caller built, lower-case hex of a transaction with one all-zero
 * signature, as the chain's libraries serialise it.
 */
export const solanaTransactionSchema = exactTransaction(from);
