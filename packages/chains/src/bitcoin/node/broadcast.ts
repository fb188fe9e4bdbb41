import { bytesToHex } from "@noble/curves/utils.js";
import type { BroadcastOutcome } from "../../chain.ts";
import { decodeTransaction, txidOf } from "../wire/transaction.ts";
import type { BitcoinRpc } from "./rpc.ts";

/** The transaction is in a block already (RPC_VERIFY_ALREADY_IN_UTXO_SET; Bitcoin Core, rpc/protocol.h). */
const ALREADY_IN_CHAIN = -27;

/** Messages of nodes that already have the transaction (Bitcoin Core, validation.cpp). */
const KNOWN =
  /txn-already-in-mempool|txn-already-known|txn-same-nonwitness-data-in-mempool|already in (block )?chain/i;
/**
 * Messages for a transaction displaced by another: one of its coins is spent, or a pool transaction that it cannot
 * replace spends it.
 */
const DISPLACED = [
  /bad-txns-inputs-missingorspent|missing ?inputs/i,
  /txn-mempool-conflict/i,
  /insufficient fee|rejecting replacement|replacement-adds-unconfirmed|too many potential replacements|bad-txns-spends-conflicting-tx/i,
] as const;
/**
 * Messages of permanent refusals: consensus and policy rules that depend on the bytes alone (Bitcoin Core,
 * consensus/tx_check.cpp, policy/policy.cpp, validation.cpp; Bitcoin Knots has further policy rules).
 * docs/refusals/bitcoin.md has the table.
 */
const FOR_GOOD = [
  /^(tx-size|tx-size-small|version|coinbase|dust|scriptpubkey|scriptsig-size|scriptsig-not-pushonly|datacarrier|multi-op-return|bare-multisig)\b/i,
  /^bad-txns-(vin-empty|vout-empty|oversize|vout-negative|vout-toolarge|txouttotal-toolarge|inputs-duplicate|prevout-null|in-belowout|inputvalues-outofrange|fee-outofrange|nonstandard-inputs|too-many-sigops)/i,
  /^bad-witness-nonstandard/i,
  /script-verify-flag-failed/i,
  /max-fee-exceeded|exceeds maximum configured by user/i,
  /^(tokens|parasite|maxscriptsize|unknown-)/i,
] as const;
/** The fee is below the node's own minimum, which does not fall; a full pool's minimum falls again. */
const BELOW_OWN_FLOOR = /^min relay fee not met/i;
const WORDS_MAX = 300;

/**
 * Sends signed bytes to the node. It is a success if the node has them already: after a crash the same bytes are sent
 * again (INV-4).
 */
export const broadcastBitcoin = async (rpc: BitcoinRpc, signed: Uint8Array): Promise<BroadcastOutcome> => {
  // 0 turns off the node's own fee limit, 0.1 bitcoin per thousand virtual bytes: the network's fee cap, which signers
  // check too, bounds the fee
  const reply = await rpc.call("sendrawtransaction", bytesToHex(signed), 0);
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

/**
 * Reads a node's refusal of a signed transaction. The message counts before the code, because codes differ between
 * versions.
 */
export const bitcoindOutcome = (code: number, words: string): BroadcastOutcome => {
  if (code === ALREADY_IN_CHAIN || KNOWN.test(words)) return { kind: "accepted" };
  if (DISPLACED.some((pattern) => pattern.test(words))) {
    return { kind: "outdated", reason: "another transaction spends one of its coins" };
  }
  const reason = `the chain node does not take the transaction: ${words.slice(0, WORDS_MAX)}`;
  if (BELOW_OWN_FLOOR.test(words)) return { kind: "unacceptable", reason, byFee: true };
  return FOR_GOOD.some((pattern) => pattern.test(words))
    ? { kind: "unacceptable", reason }
    : { kind: "refused", reason };
};
