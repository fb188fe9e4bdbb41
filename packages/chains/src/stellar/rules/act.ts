import { z } from "zod";
import { exactTransaction } from "../../rules/exact-act.ts";
import { parseStellarAccount, parseStellarReceiver } from "./address.ts";
import { isStellarAssetCode } from "./asset.ts";
import { isPositiveInt64 } from "./int64.ts";
import { stellarMemoSchema } from "./memo.ts";

const amount = z.string().refine(isPositiveInt64, "is not a positive amount of 63 bits");
const account = z.string().refine((text) => parseStellarAccount(text, "").ok, "is not a Stellar account");
const receiver = z.string().refine((text) => parseStellarReceiver(text, "").ok, "is not a Stellar address");

/** the wallet's own address; named because a key may also sign for other accounts */
const from = account;
const memo = stellarMemoSchema.optional();

/**
 * The asset that a transfer on a Stellar network moves, to an account or to a contract. A transfer to a contract has no memo,
 * because its call could not carry one (CAP-67).
 */
export const stellarTransferSchema = z
  .discriminatedUnion("kind", [
    /** @param amount stroops */
    z.strictObject({ kind: z.literal("Native"), from, to: receiver, amount, memo }),
    /** @param amount in the asset's smallest unit */
    z.strictObject({
      kind: z.literal("Sep41"),
      assetCode: z.string().refine(isStellarAssetCode, "is not the code of an asset"),
      issuer: account,
      from,
      to: receiver,
      amount,
      memo,
    }),
  ])
  .refine(({ to, memo: said }) => said === undefined || to.startsWith("G"), "has a memo for a contract");
export type StellarTransfer = z.infer<typeof stellarTransferSchema>;

/** A transaction on a Stellar network: the exact bytes that a caller built, lower-case hex of an envelope without signatures. */
export const stellarTransactionSchema = exactTransaction(from);
