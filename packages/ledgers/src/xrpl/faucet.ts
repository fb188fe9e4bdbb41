import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { RippledAddress } from "./address.ts";
import { rippledAccountIn } from "./books.ts";
import { rippledDigest, rippledHex } from "./digest.ts";
import { openLedgerCost } from "./rules/fees.ts";
import type { RippledState } from "./state.ts";
import { encodeRippledFields, rippledBytesToSign } from "./transaction/codec.ts";

const LEGACY_NETWORK_ID_MAX = 1_024;

/**
 * A payment out of the faucet, signed with the faucet's key. Submit it like any other transaction.
 * @param amount drops, above 0
 * @returns the bytes to submit
 */
export const rippledFaucetPayment = (state: RippledState, to: RippledAddress, amount: bigint): Uint8Array => {
  const { genesis, fees, open } = state;
  const { faucet, networkId } = genesis;
  const fields = {
    TransactionType: "Payment",
    ...(networkId > LEGACY_NETWORK_ID_MAX ? { NetworkID: networkId } : {}),
    Sequence: rippledAccountIn(open.books, faucet.address)?.sequence ?? 0,
    Amount: amount.toString(),
    Fee: openLedgerCost(fees).toString(),
    SigningPubKey: rippledHex(faucet.publicKey),
    Account: faucet.address,
    Destination: to,
  };
  const signature = secp256k1.sign(rippledDigest(rippledBytesToSign(fields)), faucet.secretKey, {
    prehash: false,
    lowS: true,
    format: "der",
  });
  return encodeRippledFields({ ...fields, TxnSignature: rippledHex(signature) });
};
