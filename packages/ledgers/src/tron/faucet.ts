import { hexToBytes } from "@noble/hashes/utils.js";
import type { JavaTronAddress } from "./address.ts";
import { javaTronReference } from "./block.ts";
import { type JavaTronState, latestJavaTronBlock } from "./state.ts";
import { encodeJavaTronRawData, encodeJavaTronTransaction, javaTronIdOf } from "./transaction/encode.ts";
import { signJavaTronId } from "./transaction/signature.ts";

/** A little less than the longest life of a waiting transaction; an operator can still delay a payment until it expires. */
const LIFE_MS = 3_600_000;

/**
 * A payment out of the faucet, signed with the faucet's key. Submit it like any other transaction.
 * @param amount sun, above 0
 * @returns the bytes to submit
 */
export const javaTronFaucetPayment = (
  state: JavaTronState,
  to: JavaTronAddress,
  amount: bigint,
): Uint8Array => {
  const { faucet } = state.genesis;
  const head = latestJavaTronBlock(state);
  const reference = javaTronReference(head);
  const act = { type: "TransferContract", to, amount } as const;
  const rawData = encodeJavaTronRawData(
    {
      owner: faucet.address,
      act,
      permissionId: 0,
      refBlockBytes: hexToBytes(reference.bytes),
      refBlockHash: hexToBytes(reference.hash),
      expiration: head.time + LIFE_MS,
      timestamp: BigInt(state.fundings),
      data: new Uint8Array(),
      feeLimit: 0n,
    },
    act,
  );
  return encodeJavaTronTransaction(rawData, [signJavaTronId(javaTronIdOf(rawData), faucet.secretKey)]);
};
