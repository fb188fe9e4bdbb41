import { bytesToHex } from "@noble/hashes/utils.js";
import { z } from "zod";
import type { LedgerJson } from "../../json.ts";
import { bucketValue } from "../bucket-map.ts";
import type { BitcoindBlock } from "../chain/block.ts";
import { type BitcoindChain, isInChain, latestBitcoindBlock, type OlderTransaction } from "../chain/chain.ts";
import type { BitcoindState } from "../state.ts";
import { DECODE_FAILED, DEFAULT_MAX_FEE_RATE } from "../submission.ts";
import { decodeBitcoindTransaction } from "../transaction/decode.ts";
import type { BitcoindSerialisedTransaction } from "../transaction/transaction.ts";
import {
  amountParameter,
  feeRateParameter,
  hashParameter,
  transactionParameter,
  verbosityParameter,
} from "./parameters.ts";
import { RPC_CODES } from "./rpc-error.ts";
import { type BitcoindMethod, bitcoindError, bitcoindMethod, bitcoindResult } from "./rpc-method.ts";
import { transactionJson } from "./transaction-json.ts";

interface FoundTransaction {
  readonly transaction: BitcoindSerialisedTransaction;
  /** undefined while it waits */
  readonly block: (OlderTransaction["block"] & { readonly isActive: boolean }) | undefined;
}

const inBlock = (
  chain: BitcoindChain,
  block: BitcoindBlock | undefined,
  txid: string,
): FoundTransaction | undefined => {
  const transaction = block?.transactions.find((each) => each.txid === txid);
  if (transaction === undefined || block === undefined) return undefined;
  const { hash, height, header } = block;
  return { transaction, block: { hash, height, time: header.time, isActive: isInChain(chain, block) } };
};

/** Of a forgotten block, which nothing undoes. */
const inOlder = ({ older }: BitcoindChain, txid: string): FoundTransaction | undefined => {
  const found = bucketValue(older, txid);
  const transaction = found === undefined ? undefined : decodeBitcoindTransaction(found.bytes);
  return found === undefined || transaction === undefined
    ? undefined
    : { transaction, block: { ...found.block, isActive: true } };
};

/** Looks where a node with an index looks: what waits first, then the block that it last stood in, undone or not. */
const findBitcoindTransaction = (
  { chain, mempool }: BitcoindState,
  txid: string,
): FoundTransaction | undefined => {
  const waiting = mempool.entries.get(txid);
  if (waiting !== undefined) return { transaction: waiting.transaction, block: undefined };
  const hash = bucketValue(chain.transactions, txid);
  const known = hash === undefined ? undefined : bucketValue(chain.known, hash);
  return known === undefined ? inOlder(chain, txid) : inBlock(chain, known, txid);
};

/** What a transaction's block adds to it. @source Bitcoin Core, src/rpc/rawtransaction.cpp: TxToJSON */
const placeJson = (
  { chain }: BitcoindState,
  block: FoundTransaction["block"],
): Record<string, LedgerJson> => {
  if (block === undefined) return {};
  if (!block.isActive) return { blockhash: block.hash, confirmations: 0 };
  return {
    blockhash: block.hash,
    confirmations: latestBitcoindBlock(chain).height - block.height + 1,
    time: block.time,
    blocktime: block.time,
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
      named === undefined ? findBitcoindTransaction(state, txid) : inBlock(state.chain, named, txid);
    if (found === undefined) {
      const where =
        named === undefined ? "mempool or blockchain transaction" : "transaction found in the provided block";
      return bitcoindError(RPC_CODES.invalidAddressOrKey, `No such ${where}${HINT}`);
    }
    const hex = bytesToHex(found.transaction.bytes);
    if (verbosity <= 0) return bitcoindResult(hex);
    const isActive = named === undefined ? {} : { in_active_chain: isInChain(state.chain, named) };
    const decoded = transactionJson(found.transaction, state.genesis.network);
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

/** What tells of transactions, and takes them. @source Bitcoin Core 29, src/rpc/rawtransaction.cpp, src/rpc/mempool.cpp */
export const TRANSACTION_METHODS: Readonly<Record<string, BitcoindMethod>> = {
  getrawtransaction,
  decoderawtransaction,
  sendrawtransaction,
};
