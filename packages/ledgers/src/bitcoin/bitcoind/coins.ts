import { bytesToHex } from "@noble/hashes/utils.js";
import { z } from "zod";
import type { LedgerJson } from "../../json.ts";
import { bucketEntries, bucketValue } from "../bucket-map.ts";
import { blockAtHeight, latestBitcoindBlock } from "../chain/chain.ts";
import type { BitcoindCoin } from "../chain/coin.ts";
import { spenderOf } from "../mempool/mempool.ts";
import { coinIn } from "../mempool/spendable.ts";
import type { BitcoindState } from "../state.ts";
import { outpointKey } from "../transaction/transaction.ts";
import { bitcoinJson } from "./amount.ts";
import { descriptorOfScript, scriptOfDescriptor } from "./descriptor.ts";
import { hashParameter } from "./parameters.ts";
import { RPC_CODES } from "./rpc-error.ts";
import {
  type BitcoindAnswer,
  type BitcoindMethod,
  bitcoindError,
  bitcoindMethod,
  bitcoindResult,
} from "./rpc-method.ts";
import { scriptJson } from "./transaction-json.ts";

const MOST_DESCRIPTORS = 1_000;

const gettxout = bitcoindMethod(
  "gettxout",
  { txid: hashParameter("txid"), n: z.int().min(0), include_mempool: z.boolean().default(true) },
  ({ state }, { txid, n, include_mempool: withMempool }) => {
    const { chain, mempool, genesis } = state;
    const outpoint = { txid, index: n };
    const isSpent = withMempool && spenderOf(mempool, outpoint) !== undefined;
    const coin = withMempool
      ? coinIn(chain, mempool, outpoint)
      : bucketValue(chain.coins, outpointKey(outpoint));
    if (coin === undefined || isSpent) return bitcoindResult(null);
    const latest = latestBitcoindBlock(chain);
    return bitcoindResult({
      bestblock: latest.hash,
      confirmations: latest.height - coin.height + 1,
      value: bitcoinJson(coin.amount),
      scriptPubKey: scriptJson(coin.script, genesis.network),
      coinbase: coin.isReward,
    });
  },
);

const unspentJson = (state: BitcoindState, key: string, coin: BitcoindCoin): LedgerJson => {
  const [txid = "", index = ""] = key.split(":");
  return {
    txid,
    vout: Number(index),
    scriptPubKey: bytesToHex(coin.script),
    desc: descriptorOfScript(coin.script, state.genesis.network),
    amount: bitcoinJson(coin.amount),
    coinbase: coin.isReward,
    height: coin.height,
    blockhash: blockAtHeight(state.chain, coin.height)?.hash,
    confirmations: latestBitcoindBlock(state.chain).height - coin.height + 1,
  };
};

const scanned = (state: BitcoindState, descriptors: readonly string[]): BitcoindAnswer => {
  const wanted = new Set<string>();
  for (const text of descriptors) {
    const script = scriptOfDescriptor(text, state.genesis.network);
    if (!script.ok) return bitcoindError(RPC_CODES.invalidAddressOrKey, script.message);
    wanted.add(bytesToHex(script.value));
  }
  const found = [...bucketEntries(state.chain.coins)].filter(([, { script }]) =>
    wanted.has(bytesToHex(script)),
  );
  const { height, hash } = latestBitcoindBlock(state.chain);
  return bitcoindResult({
    success: true,
    txouts: state.chain.coins.size,
    height,
    bestblock: hash,
    unspents: found.map(([key, coin]) => unspentJson(state, key, coin)),
    total_amount: bitcoinJson(found.reduce((sum, [, { amount }]) => sum + amount, 0n)),
  });
};

const scanObject = z.union([z.string(), z.looseObject({ desc: z.string() }).transform(({ desc }) => desc)]);

const scantxoutset = bitcoindMethod(
  "scantxoutset",
  { action: z.string(), scanobjects: z.array(scanObject).max(MOST_DESCRIPTORS).optional() },
  ({ state }, { action, scanobjects }) => {
    switch (action) {
      case "start":
        return scanobjects === undefined
          ? bitcoindError(RPC_CODES.misc, "scanobjects argument is required for the start action")
          : scanned(state, scanobjects);
      case "status":
        return bitcoindResult(null); // a scan finishes within its request, so none is ever running
      case "abort":
        return bitcoindResult(false);
      default:
        return bitcoindError(RPC_CODES.invalidParameter, `Invalid action '${action}'`);
    }
  },
);

/** @source Bitcoin Core 29, src/rpc/mempool.cpp: gettxspendingprevout */
const gettxspendingprevout = bitcoindMethod(
  "gettxspendingprevout",
  { outputs: z.array(z.object({ txid: hashParameter("txid"), vout: z.int().min(0) })).min(1) },
  ({ state: { mempool } }, { outputs }) =>
    bitcoindResult(
      outputs.map(({ txid, vout }) => {
        const spendingtxid = spenderOf(mempool, { txid, index: vout });
        return { txid, vout, ...(spendingtxid !== undefined && { spendingtxid }) };
      }),
    ),
);

/** The RPC methods that show unspent outputs. @source Bitcoin Core 29, src/rpc/blockchain.cpp */
export const COIN_METHODS: Readonly<Record<string, BitcoindMethod>> = {
  gettxout,
  gettxspendingprevout,
  scantxoutset,
};
