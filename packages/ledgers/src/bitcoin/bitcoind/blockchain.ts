import { bytesToHex } from "@noble/hashes/utils.js";
import { z } from "zod";
import { bucketValue } from "../bucket-map.ts";
import { type BitcoindBlock, wireBlock, wireHeader } from "../chain/block.ts";
import { blockAtHeight, latestBitcoindBlock } from "../chain/chain.ts";
import type { BitcoindState } from "../state.ts";
import { blockHeaderJson, blockJson, chainWorkText, DIFFICULTY, TARGET } from "./block-json.ts";
import { hashParameter, verbosityParameter } from "./parameters.ts";
import { RPC_CODES } from "./rpc-error.ts";
import {
  type BitcoindAnswer,
  type BitcoindMethod,
  type BitcoindView,
  bitcoindError,
  bitcoindMethod,
  bitcoindResult,
} from "./rpc-method.ts";

const blockHash = hashParameter("blockhash");

const ofBlock = (
  { state }: BitcoindView,
  hash: string,
  answer: (block: BitcoindBlock, state: BitcoindState) => BitcoindAnswer,
): BitcoindAnswer => {
  const block = bucketValue(state.chain.known, hash);
  return block === undefined
    ? bitcoindError(RPC_CODES.invalidAddressOrKey, "Block not found")
    : answer(block, state);
};

const getblockchaininfo = bitcoindMethod("getblockchaininfo", {}, ({ state }) => {
  const block = latestBitcoindBlock(state.chain);
  return bitcoindResult({
    chain: state.genesis.network.chain,
    blocks: block.height,
    headers: block.height,
    bestblockhash: block.hash,
    bits: block.header.bits.toString(16),
    target: TARGET,
    difficulty: DIFFICULTY,
    time: block.header.time,
    mediantime: block.medianTime,
    verificationprogress: 1,
    initialblockdownload: false,
    chainwork: chainWorkText(block),
    size_on_disk: 0,
    pruned: false,
    warnings: [],
  });
});

const getblockhash = bitcoindMethod("getblockhash", { height: z.int() }, ({ state }, { height }) => {
  const block = height < 0 ? undefined : blockAtHeight(state.chain, height);
  return block === undefined
    ? bitcoindError(RPC_CODES.invalidParameter, "Block height out of range")
    : bitcoindResult(block.hash);
});

const getblockheader = bitcoindMethod(
  "getblockheader",
  { blockhash: hashParameter("hash"), verbose: z.boolean().default(true) },
  (ledger, { blockhash, verbose }) =>
    ofBlock(ledger, blockhash, (block, state) =>
      bitcoindResult(verbose ? blockHeaderJson(state, block) : bytesToHex(wireHeader(block.header))),
    ),
);

const getblock = bitcoindMethod(
  "getblock",
  { blockhash: blockHash, verbosity: verbosityParameter(1) },
  (ledger, { blockhash, verbosity }) =>
    ofBlock(ledger, blockhash, (block, state) =>
      bitcoindResult(verbosity <= 0 ? bytesToHex(wireBlock(block)) : blockJson(state, block, verbosity)),
    ),
);

const judgement = (kind: "invalidate" | "reconsider"): BitcoindMethod =>
  bitcoindMethod(`${kind}block`, { blockhash: blockHash }, (ledger, { blockhash }) => {
    const refusal = ledger
      .apply({ kind, hash: blockhash, time: ledger.now })
      .find((effect) => effect.kind === "refused");
    return refusal === undefined ? bitcoindResult(null) : bitcoindError(refusal.code, refusal.message);
  });

/** The RPC methods that show blocks, or invalidate them. @source Bitcoin Core 29, src/rpc/blockchain.cpp */
export const BLOCKCHAIN_METHODS: Readonly<Record<string, BitcoindMethod>> = {
  getblockchaininfo,
  getblockhash,
  getblockheader,
  getblock,
  getblockcount: bitcoindMethod("getblockcount", {}, ({ state }) =>
    bitcoindResult(latestBitcoindBlock(state.chain).height),
  ),
  getbestblockhash: bitcoindMethod("getbestblockhash", {}, ({ state }) =>
    bitcoindResult(latestBitcoindBlock(state.chain).hash),
  ),
  invalidateblock: judgement("invalidate"),
  reconsiderblock: judgement("reconsider"),
};
