import { FEE_RATE, lowerHexOf, PSBT_BYTES_MAX } from "@conclave/custody";
import { z } from "zod";
import { isBitcoinAddress } from "./address.ts";
import { BITCOIN_AMOUNT_MAX } from "./parameters.ts";

const isAmount = (digits: string): boolean =>
  /^[1-9][0-9]{0,15}$/.test(digits) && BigInt(digits) <= BITCOIN_AMOUNT_MAX;

/** satoshis */
const amount = z.string().refine(isAmount, "is not a number of satoshis");
const address = z.string().refine(isBitcoinAddress, "is not an address of Bitcoin");
const psbt = lowerHexOf(PSBT_BYTES_MAX);

/** the wallet's own address: all inputs are its coins, and what is left over comes back to it */
const from = address;

/** The asset that a transfer on a Bitcoin network moves. */
export const bitcoinTransferSchema = z.strictObject({ kind: z.literal("Native"), from, to: address, amount });
export type BitcoinTransfer = z.infer<typeof bitcoinTransferSchema>;

/** A transaction on a Bitcoin network. */
export const bitcoinTransactionSchema = z.discriminatedUnion("kind", [
  /** the very bytes of a PSBT that a caller built, lower-case hex */
  z.strictObject({ kind: z.literal("Exact"), from, unsigned: psbt }),
  /** a payment again, with a higher fee, in the place of what waits */
  z.strictObject({
    kind: z.literal("SpeedUp"),
    from,
    to: address,
    amount,
    /** satoshis: the most that it may cost, where the gateway bounds it below the network's cap; signers refuse more */
    maxFee: amount.optional(),
  }),
  /** all coins of what waits, back to the wallet */
  z.strictObject({ kind: z.literal("Cancel"), from }),
  /** many coins of the wallet, back to it in one */
  z.strictObject({
    kind: z.literal("Consolidate"),
    from,
    /** satoshis: the most that it may cost, where its caller bounds it below the network's cap; signers refuse more */
    maxFee: amount.optional(),
    /** satoshis a virtual byte: the most that it may pay, and no coin holds less than that costs; signers refuse all else */
    maxFeeRate: z.string().regex(FEE_RATE).optional(),
  }),
]);
export type BitcoinTransaction = z.infer<typeof bitcoinTransactionSchema>;

/**
 * The content that a key signs for Bitcoin without sending it: a PSBT whose coins are all paid to its own
 * address on this network.
 */
export const bitcoinContentSchema = z.strictObject({
  kind: z.literal("psbt"),
  network: z.string(),
  from,
  psbt,
});
export type BitcoinContent = z.infer<typeof bitcoinContentSchema>;
