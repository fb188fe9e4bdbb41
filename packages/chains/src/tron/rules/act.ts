import { z } from "zod";
import { exactTransaction } from "../../rules/exact-act.ts";
import { parseTronAddress } from "./address.ts";
import { isPositiveTronInt64, isTrc10Id, isTronWord } from "./numbers.ts";

const positive = z.string().refine(isPositiveTronInt64, "is not a positive number of 64 bits");
const word = z.string().refine(isTronWord, "is not a number of 256 bits");
const positiveWord = word.refine((digits) => digits !== "0", "is nothing");
const address = z.string().refine((text) => parseTronAddress(text, "").ok, "is not an address of TRON");
const tokenId = z.string().refine(isTrc10Id, "is not the id of a TRC-10 token");

/** the wallet's own address; named because an account's owner may give its permission to another key */
const from = address;

/** The asset that a transfer on a TRON network moves. */
export const tronTransferSchema = z.discriminatedUnion("kind", [
  /** @param amount sun */
  z.strictObject({ kind: z.literal("Native"), from, to: address, amount: positive }),
  /** @param amount in the token's smallest unit */
  z.strictObject({ kind: z.literal("Trc10"), tokenId, from, to: address, amount: positive }),
  z.strictObject({
    kind: z.literal("Trc20"),
    contract: address,
    from,
    to: address,
    amount: positiveWord,
  }),
  z.strictObject({ kind: z.literal("Trc721"), contract: address, from, to: address, tokenId: word }),
]);
export type TronTransfer = z.infer<typeof tronTransferSchema>;

/** A transaction on a TRON network: the exact bytes of raw_data that a caller built, lower-case hex. */
export const tronTransactionSchema = exactTransaction(from);
