import { bytesToHex } from "@noble/curves/utils.js";
import type { BroadcastOutcome } from "../../chain.ts";
import { decodeTransaction, txidOf } from "../wire/transaction.ts";
import type { BitcoinRpc } from "./rpc.ts";

/** The transaction is in a block already (RPC_VERIFY_ALREADY_IN_UTXO_SET; Bitcoin Core, rpc/protocol.h). */
const ALREADY_IN_CHAIN = -27;

/** Nodes' words for a transaction that they have (Bitcoin Core, validation.cpp). */
const KNOWN =
  /txn-already-in-mempool|txn-already-known|txn-same-nonwitness-data-in-mempool|already in (block )?chain/i;
/** A coin of it is spent, or the pool spends it with what cannot be replaced by this: another one takes its place. */
const DISPLACED = [
  /bad-txns-inputs-missingorspent|missing ?inputs/i,
  /txn-mempool-conflict/i,
  /insufficient fee|rejecting replacement|replacement-adds-unconfirmed|too many potential replacements|bad-txns-spends-conflicting-tx/i,
] as const;
/**
 * The node's rules refuse these bytes whenever they come: consensus and policy that hang on the bytes alone (Bitcoin Core,
 * consensus/tx_check.cpp, policy/policy.cpp, validation.cpp; Bitcoin Knots has further reasons of policy). docs/refusals/bitcoin.md has the table.
 */
const FOR_GOOD = [
  /^(tx-size|tx-size-small|version|coinbase|dust|scriptpubkey|scriptsig-size|scriptsig-not-pushonly|datacarrier|multi-op-return|bare-multisig)\b/i,
  /^bad-txns-(vin-empty|vout-empty|oversize|vout-negative|vout-toolarge|txouttotal-toolarge|inputs-duplicate|prevout-null|in-belowout|inputvalues-outofrange|fee-outofrange|nonstandard-inputs|too-many-sigops)/i,
  /^bad-witness-nonstandard/i,
  /script-verify-flag-failed/i,
  /max-fee-exceeded|exceeds maximum configured by user/i,
  /^(tokens|parasite|maxscriptsize|unknown-)/i,
] as const;
/** The node asks for a higher fee than it pays: a full pool's floor falls again, the node's own does not. */
const BELOW_OWN_FLOOR = /^min relay fee not met/i;
const WORDS_MAX = 300;

/**
 * Hands signed bytes to the node. A node that has them already is a success: after a crash the same bytes go out again
 * (INV-4).
 */
export const broadcastBitcoin = async (rpc: BitcoinRpc, signed: Uint8Array): Promise<BroadcastOutcome> => {
  // the network's fee cap bounds the fee, for signers too: the node's own bound, 0.1 bitcoin a thousand virtual bytes, is not asked for
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

/** Reads a node's refusal of a signed transaction: its words before its code, for versions of nodes differ in codes. */
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
