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

/** the wallet's own address; named because a key may also sign for other accounts, as their regular key */
const from = address;

/** The asset that a transfer on an XRP Ledger network moves. */
export const xrplTransferSchema = z.strictObject({
  kind: z.literal("Native"),
  from,
  to: address,
  /** drops */
  amount: drops,
  /** the destination tag, which names a customer behind the recipient's account; zero is a tag, different from none */
  tag: z.int().min(0).max(UINT32_MAX).optional(),
});
export type XrplTransfer = z.infer<typeof xrplTransferSchema>;

/** the signing key in the ledger's form, lower-case hex, inserted into bytes that lack it */
const signingPubKey = z
  .string()
  .regex(/^(ed|02|03)[0-9a-f]{64}$/)
  .optional();

/** A transaction on an XRP Ledger network: the exact bytes that a caller built, canonical, lower-case hex. */
export const xrplTransactionSchema = exactTransaction(from).extend({ signingPubKey });
export type XrplTransaction = z.infer<typeof xrplTransactionSchema>;

/**
 * The content that a key signs for the XRP Ledger without sending it: canonical unsigned bytes, for the chain
 * of this network.
 */
export const xrplContentSchema = exactToSignSchema.extend({ signingPubKey });
export type XrplContent = z.infer<typeof xrplContentSchema>;
