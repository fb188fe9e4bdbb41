import { z } from "zod";
import { exactToSignSchema, exactTransaction } from "../../rules/exact-act.ts";
import { parseXrplAddress } from "./address.ts";
import { DROPS_MAX } from "./native-asset.ts";
import { UINT32_MAX } from "./uint32.ts";

const drops = z
  .string()
  .refine(
    (text) => /^[1-9][0-9]{0,17}$/.test(text) && BigInt(text) <= DROPS_MAX,
    "is not an amount of drops",
  );
const address = z
  .string()
  .refine((text) => parseXrplAddress(text, "").ok, "is not an address of the XRP Ledger");

/** the wallet's own address: a key may sign for another account too, as its regular key */
const from = address;

/** The asset that a transfer on an XRP Ledger network moves. */
export const xrplTransferSchema = z.strictObject({
  kind: z.literal("Native"),
  from,
  to: address,
  /** drops */
  amount: drops,
  /** which of those behind the recipient's account it is for (DestinationTag); zero is a tag, and not none */
  tag: z.int().min(0).max(UINT32_MAX).optional(),
});
export type XrplTransfer = z.infer<typeof xrplTransferSchema>;

/** the key that signs, as the ledger writes it, lower-case hex: it goes into bytes that leave it out */
const signingPubKey = z
  .string()
  .regex(/^(ed|02|03)[0-9a-f]{64}$/)
  .optional();

/** A transaction on an XRP Ledger network: the very bytes that a caller built, canonical, lower-case hex. */
export const xrplTransactionSchema = exactTransaction(from).extend({ signingPubKey });
export type XrplTransaction = z.infer<typeof xrplTransactionSchema>;

/**
 * The content that a key signs for the XRP Ledger without sending it: canonical unsigned bytes, for the chain
 * of this network.
 */
export const xrplContentSchema = exactToSignSchema.extend({ signingPubKey });
export type XrplContent = z.infer<typeof xrplContentSchema>;
