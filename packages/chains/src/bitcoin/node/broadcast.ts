import { bytesToHex } from "@noble/curves/utils.js";
import type { BroadcastOutcome } from "../../chain.ts";
import { decodeTransaction, txidOf } from "../wire/transaction.ts";
import type { BitcoinRpc } from "./rpc.ts";

/** The transaction is in a block already (RPC_VERIFY_ALREADY_IN_UTXO_SET; Bitcoin Core, rpc/protocol.h). */
const ALREADY_IN_CHAIN = -27;

/** What nodes say of a transaction that they have (Bitcoin Core, validation.cpp). */
const KNOWN =
  /txn-already-in-mempool|txn-already-known|txn-same-nonwitness-data-in-mempool|already in (block )?chain/i;
/** A coin of it is spent, or the pool spends it with what cannot be replaced by this: another one takes its place. */
const DISPLACED = [
  /bad-txns-inputs-missingorspent|missing ?inputs/i,
  /txn-mempool-conflict/i,
  /insufficient fee|rejecting replacement|replacement-adds-unconfirmed|too many potential replacements/i,
] as const;
const WORDS_MAX = 300;

/**
 * Hands signed bytes to the node. A node that has them already is a success: after a crash the same bytes go out again
 * (INV-4).
 */
export const broadcastBitcoin = async (rpc: BitcoinRpc, signed: Uint8Array): Promise<BroadcastOutcome> => {
  const reply = await rpc.call("sendrawtransaction", bytesToHex(signed));
  switch (reply.kind) {
    case "answer":
      return reply.result === txidOf(decodeTransaction(signed))
        ? { kind: "accepted" }
        : { kind: "refused", reason: "the chain node does not say that it took the transaction" };
    case "away":
      return { kind: "refused", reason: `the chain node does not answer: ${reply.cause}` };
    case "error":
      return bitcoindOutcome(reply.code, reply.words);
  }
};

/** Reads a node's refusal of a signed transaction: its words before its code, for versions of nodes differ in codes. */
export const bitcoindOutcome = (code: number, words: string): BroadcastOutcome => {
  if (code === ALREADY_IN_CHAIN || KNOWN.test(words)) return { kind: "accepted" };
  if (DISPLACED.some((pattern) => pattern.test(words))) {
    return { kind: "outdated", reason: "another transaction spends one of its coins" };
  }
  return {
    kind: "refused",
    reason: `the chain node does not take the transaction: ${words.slice(0, WORDS_MAX)}`,
  };
};
