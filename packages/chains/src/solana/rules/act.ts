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
  /** the owner of the account that the tokens go to, which is the one associated with it */
  to: address,
  /** in the token's smallest unit */
  amount,
  /** whether the wallet pays for that account where there is none */
  createDestinationAccount: z.boolean(),
};

/** The asset that a transfer on a Solana network moves. */
export const solanaTransferSchema = z.discriminatedUnion("kind", [
  /** @param amount lamports */
  z.strictObject({ kind: z.literal("Native"), from, to: address, amount }),
  /** of the Token program */
  z.strictObject({ kind: z.literal("Spl"), ...token }),
  /** of the program Token-2022 */
  z.strictObject({ kind: z.literal("Spl2022"), ...token }),
]);
export type SolanaTransfer = z.infer<typeof solanaTransferSchema>;

/**
 * A transaction on a Solana network: the very bytes that a caller built, lower-case hex of a transaction whose one signature is
 * empty, as the chain's libraries serialise it.
 */
export const solanaTransactionSchema = exactTransaction(from);
