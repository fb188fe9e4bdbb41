import { bytesToHex } from "@noble/hashes/utils.js";
import { JsonDecimal, type LedgerJson } from "../../json.ts";
import { type BitcoindBlock, blockSizes } from "../chain/block.ts";
import { blockAtHeight, isInChain, latestBitcoindBlock } from "../chain/chain.ts";
import { coinsSpentBy } from "../found-transaction.ts";
import type { BitcoindState } from "../state.ts";
import { spendingTransactionJson } from "./transaction-json.ts";

type JsonObject = { readonly [key: string]: LedgerJson };

/** The lowest difficulty, which every block has. */
export const DIFFICULTY = new JsonDecimal("4.656542373906925e-10");
export const TARGET = `7fffff${"0".repeat(58)}`;

const hex32 = (value: number): string => value.toString(16).padStart(8, "0");

export const chainWorkText = ({ chainWork }: BitcoindBlock): string =>
  chainWork.toString(16).padStart(64, "0");

/** @returns -1 for a block that was undone */
const confirmationsOf = ({ chain }: BitcoindState, block: BitcoindBlock): number =>
  isInChain(chain, block) ? latestBitcoindBlock(chain).height - block.height + 1 : -1;

/** @source Bitcoin Core, src/rpc/blockchain.cpp: blockheaderToJSON */
export const blockHeaderJson = (state: BitcoindState, block: BitcoindBlock): JsonObject => {
  const { hash, height, header, medianTime, transactions } = block;
  const next = isInChain(state.chain, block) ? blockAtHeight(state.chain, height + 1) : undefined;
  return {
    hash,
    confirmations: confirmationsOf(state, block),
    height,
    version: header.version,
    versionHex: hex32(header.version),
    merkleroot: header.merkleRoot,
    time: header.time,
    mediantime: medianTime,
    nonce: header.nonce,
    bits: hex32(header.bits),
    target: TARGET,
    difficulty: DIFFICULTY,
    chainwork: chainWorkText(block),
    nTx: transactions.length,
    previousblockhash: height === 0 ? undefined : header.previous,
    nextblockhash: next?.hash,
  };
};

/** @param verbosity 1: the ids of its transactions; 2: whole transactions; 3: also the outputs that they spend */
export const blockJson = (state: BitcoindState, block: BitcoindBlock, verbosity: number): JsonObject => {
  const { stripped, whole, weight } = blockSizes(block);
  const { network } = state.genesis;
  return {
    ...blockHeaderJson(state, block),
    strippedsize: stripped,
    size: whole,
    weight,
    tx: block.transactions.map((transaction) => {
      if (verbosity === 1) return transaction.txid;
      const spent = coinsSpentBy(state, { transaction, block });
      const json = spendingTransactionJson(transaction, spent, network, verbosity > 2);
      return { ...json, hex: bytesToHex(transaction.bytes) };
    }),
  };
};
