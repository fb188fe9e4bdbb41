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

/** the wallet's own address: all inputs are its coins, and change goes back to it */
const from = address;

/** The asset that a transfer on a Bitcoin network moves. */
export const bitcoinTransferSchema = z.strictObject({ kind: z.literal("Native"), from, to: address, amount });
export type BitcoinTransfer = z.infer<typeof bitcoinTransferSchema>;

/** A transaction on a Bitcoin network. */
export const bitcoinTransactionSchema = z.discriminatedUnion("kind", [
  /** the exact bytes of a PSBT that a caller built, lower-case hex */
  z.strictObject({ kind: z.literal("Exact"), from, unsigned: psbt }),
  /** the payment of a waiting transaction again, with a higher fee, as its replacement */
  z.strictObject({
    kind: z.literal("SpeedUp"),
    from,
    to: address,
    amount,
    /** satoshis: the highest fee, if the gateway bounds it below the network's cap; signers refuse more */
    maxFee: amount.optional(),
  }),
  /** returns all coins of the waiting transaction to the wallet */
  z.strictObject({ kind: z.literal("Cancel"), from }),
  /** merges many coins of the wallet into one */
  z.strictObject({
    kind: z.literal("Consolidate"),
    from,
    /** satoshis: the highest fee, if the caller bounds it below the network's cap; signers refuse more */
    maxFee: amount.optional(),
    /** satoshis a virtual byte: the highest fee rate; each coin must hold more than it costs at this rate. Signers check both */
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
