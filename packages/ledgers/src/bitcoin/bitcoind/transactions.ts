import { bytesToHex } from "@noble/hashes/utils.js";
import { z } from "zod";
import type { LedgerJson } from "../../json.ts";
import { bucketValue } from "../bucket-map.ts";
import type { BitcoindBlock } from "../chain/block.ts";
import { isInChain, latestBitcoindBlock } from "../chain/chain.ts";
import { coinsSpentBy, findBitcoindTransaction, transactionInBlock } from "../found-transaction.ts";
import type { BitcoindState } from "../state.ts";
import { DECODE_FAILED, DEFAULT_MAX_FEE_RATE } from "../submission.ts";
import { decodeBitcoindTransaction } from "../transaction/decode.ts";
import {
  amountParameter,
  feeRateParameter,
  hashParameter,
  transactionParameter,
  verbosityParameter,
} from "./parameters.ts";
import { RPC_CODES } from "./rpc-error.ts";
import { type BitcoindMethod, bitcoindError, bitcoindMethod, bitcoindResult } from "./rpc-method.ts";
import { spendingTransactionJson, transactionJson } from "./transaction-json.ts";

/** The fields that a confirmed transaction has in addition. @source Bitcoin Core, src/rpc/rawtransaction.cpp: TxToJSON */
const placeJson = (
  { chain }: BitcoindState,
  block: BitcoindBlock | undefined,
): Record<string, LedgerJson> => {
  if (block === undefined) return {};
  if (!isInChain(chain, block)) return { blockhash: block.hash, confirmations: 0 };
  return {
    blockhash: block.hash,
    confirmations: latestBitcoindBlock(chain).height - block.height + 1,
    time: block.header.time,
    blocktime: block.header.time,
  };
};

const HINT = ". Use gettransaction for wallet transactions.";

const getrawtransaction = bitcoindMethod(
  "getrawtransaction",
  {
    txid: hashParameter("txid"),
    verbosity: verbosityParameter(0),
    blockhash: hashParameter("blockhash").optional(),
  },
  ({ state }, { txid, verbosity, blockhash }) => {
    const named = blockhash === undefined ? undefined : bucketValue(state.chain.known, blockhash);
    if (blockhash !== undefined && named === undefined) {
      return bitcoindError(RPC_CODES.invalidAddressOrKey, "Block hash not found");
    }
    const found =
      named === undefined ? findBitcoindTransaction(state, txid) : transactionInBlock(named, txid);
    if (found === undefined) {
      const where =
        named === undefined ? "mempool or blockchain transaction" : "transaction found in the provided block";
      return bitcoindError(RPC_CODES.invalidAddressOrKey, `No such ${where}${HINT}`);
    }
    const hex = bytesToHex(found.transaction.bytes);
    if (verbosity <= 0) return bitcoindResult(hex);
    const isActive = named === undefined ? {} : { in_active_chain: isInChain(state.chain, named) };
    const spent = coinsSpentBy(state, found);
    const decoded =
      verbosity > 1
        ? spendingTransactionJson(found.transaction, spent, state.genesis.network, true)
        : transactionJson(found.transaction, state.genesis.network);
    return bitcoindResult({ ...isActive, ...decoded, hex, ...placeJson(state, found.block) });
  },
);

const decoderawtransaction = bitcoindMethod(
  "decoderawtransaction",
  { hexstring: transactionParameter, iswitness: z.boolean().optional() },
  ({ state }, { hexstring }) => {
    const transaction = decodeBitcoindTransaction(hexstring);
    return transaction === undefined
      ? bitcoindError(RPC_CODES.deserialization, DECODE_FAILED)
      : bitcoindResult(transactionJson(transaction, state.genesis.network));
  },
);

const sendrawtransaction = bitcoindMethod(
  "sendrawtransaction",
  {
    hexstring: transactionParameter,
    maxfeerate: feeRateParameter.default(DEFAULT_MAX_FEE_RATE),
    maxburnamount: amountParameter.default(0n),
  },
  (ledger, { hexstring, maxfeerate, maxburnamount }) => {
    const submission = { bytes: hexstring, maxFeeRate: maxfeerate, maxBurn: maxburnamount, time: ledger.now };
    const [effect] = ledger.apply({ kind: "submit", submission });
    if (effect === undefined || effect.kind === "mined") throw new Error("a submission has an outcome");
    if (effect.replyIsLost) return { kind: "lost" };
    return effect.kind === "pooled"
      ? bitcoindResult(effect.txid)
      : bitcoindError(effect.code, effect.message);
  },
);

/**
 * The RPC methods that show transactions, and submit them. @source Bitcoin Core 29, src/rpc/rawtransaction.cpp,
 * src/rpc/mempool.cpp
 */
export const TRANSACTION_METHODS: Readonly<Record<string, BitcoindMethod>> = {
  getrawtransaction,
  decoderawtransaction,
  sendrawtransaction,
};
