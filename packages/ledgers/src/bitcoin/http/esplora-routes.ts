import { bytesToHex } from "@noble/hashes/utils.js";
import { Hono } from "hono";
import { jsonResponse } from "../../http/json-response.ts";
import type { ConnectionBindings } from "../../http/lost-reply.ts";
import { scriptPaying } from "../address.ts";
import { blockAtHeight, latestBitcoindBlock } from "../chain/chain.ts";
import { esploraCoins, esploraHistory } from "../esplora/address.ts";
import { esploraFeeEstimates } from "../esplora/fees.ts";
import { esploraStatus, esploraTransaction } from "../esplora/transaction.ts";
import { type FoundTransaction, findBitcoindTransaction } from "../found-transaction.ts";
import type { BitcoindHost } from "./running.ts";

const HEIGHT_DIGITS_MAX = 9;

const text = (words: string, status = 200): Response => new Response(words, { status });

/** Finds the transaction that a path names, and answers about it. */
const ofTransaction =
  (host: BitcoindHost, answer: (found: FoundTransaction) => Response) =>
  (id: string): Response => {
    if (!/^[0-9a-f]{64}$/.test(id)) return text("Invalid hex string", 400);
    const found = findBitcoindTransaction(host.state, id);
    return found === undefined ? text("Transaction not found", 404) : answer(found);
  };

const transactions = (host: BitcoindHost): Hono<ConnectionBindings> => {
  const whole = ofTransaction(host, (found) => jsonResponse(esploraTransaction(host.state, found)));
  const status = ofTransaction(host, (found) => jsonResponse(esploraStatus(host.state, found)));
  const hex = ofTransaction(host, ({ transaction }) => text(bytesToHex(transaction.bytes)));
  return new Hono<ConnectionBindings>()
    .get("/:id", (context) => whole(context.req.param("id")))
    .get("/:id/status", (context) => status(context.req.param("id")))
    .get("/:id/hex", (context) => hex(context.req.param("id")));
};

const addresses = (host: BitcoindHost): Hono<ConnectionBindings> => {
  const ofAddress = (address: string, answer: (script: Uint8Array) => Response): Response => {
    const script = scriptPaying(address, host.state.genesis.network);
    return script === undefined ? text("Invalid Bitcoin address", 400) : answer(script);
  };
  const history = (address: string, after: string | undefined): Response =>
    ofAddress(address, (script) => jsonResponse(esploraHistory(host.state, script, after)));
  return new Hono<ConnectionBindings>()
    .get("/:address/utxo", (context) =>
      ofAddress(context.req.param("address"), (script) => jsonResponse(esploraCoins(host.state, script))),
    )
    .get("/:address/txs", (context) => history(context.req.param("address"), undefined))
    .get("/:address/txs/chain/:after", (context) =>
      history(context.req.param("address"), context.req.param("after")),
    );
};

/**
 * The part of Esplora's interface that reads unspent outputs, transactions, fees and the tip. It needs no credentials.
 * @source Esplora, API.md
 */
export const esploraRoutes = (host: BitcoindHost): Hono<ConnectionBindings> =>
  new Hono<ConnectionBindings>()
    .route("/tx", transactions(host))
    .route("/address", addresses(host))
    .get("/fee-estimates", () => jsonResponse(esploraFeeEstimates(host.state)))
    .get("/blocks/tip/height", () => text(`${latestBitcoindBlock(host.state.chain).height}`))
    .get("/blocks/tip/hash", () => text(latestBitcoindBlock(host.state.chain).hash))
    .get("/block-height/:height", (context) => {
      const height = context.req.param("height");
      const isNumber = /^\d+$/.test(height) && height.length <= HEIGHT_DIGITS_MAX;
      const block = isNumber ? blockAtHeight(host.state.chain, Number(height)) : undefined;
      return block === undefined ? text("Block not found", 404) : text(block.hash);
    });
