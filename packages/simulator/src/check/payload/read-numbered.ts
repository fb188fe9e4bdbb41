import { bytesToHex } from "@noble/hashes/utils.js";
import { Transaction } from "ethers";
import type { ReadsPayload } from "./read-payload.ts";

/** Reads transactions of a chain that numbers those of an account, by ethers. @param chainId of that chain */
export const readsNumbered =
  (chainId: bigint): ReadsPayload =>
  (unsigned) => {
    const read = transactionIn(unsigned);
    if (read === undefined) return undefined;
    const { to, value, nonce, data, unsignedHash } = read;
    const isOther = read.chainId !== chainId;
    const strange = isOther ? "another chain" : data === "0x" ? undefined : "a call";
    return {
      digests: [unsignedHash.slice(2)],
      to: to ?? undefined,
      amount: value,
      strange,
      takes: [nonce.toString()],
    };
  };

const transactionIn = (unsigned: Uint8Array): Transaction | undefined => {
  try {
    return Transaction.from(`0x${bytesToHex(unsigned)}`);
  } catch {
    return undefined;
  }
};
