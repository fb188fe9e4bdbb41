import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  BITCOIN_START_MS,
  bitcoinTestKey,
  outputOfPayment,
  signedPayment,
} from "../testing/bitcoin-world.ts";
import { type MemoryBitcoind, openMemoryBitcoind } from "./memory-bitcoind.ts";

const [payer, payee] = [bitcoinTestKey(1), bitcoinTestKey(2)];

let node: MemoryBitcoind;
beforeEach(() => {
  node = openMemoryBitcoind({ nowMs: () => BITCOIN_START_MS, chain: "regtest", seed: "memory" });
});

const replySchema = z.object({ result: z.unknown(), error: z.object({ message: z.string() }).nullable() });
const ask = (method: string, ...params: readonly unknown[]) =>
  replySchema.parse(JSON.parse(node.answer(JSON.stringify({ id: 1, method, params })).text));

/** Funds the payer with two coins, and returns a payment of the first one. */
const fundedPayment = (): string => {
  node.fund(payer.p2wpkh, [50_000n, 60_000n]);
  const [txid = ""] = node.waiting();
  const { result } = ask("getrawtransaction", txid);
  node.mine();
  return signedPayment(payer, [outputOfPayment(String(result), 0)], payee.p2wpkh);
};
const paidTo = (address: string) =>
  node.paid().flatMap((output) => (output.address === address ? [output.amount] : []));

describe("a Bitcoin node in memory", () => {
  it("pays several coins by one transaction of its faucet", () => {
    fundedPayment();
    expect(paidTo(payer.p2wpkh)).toEqual([50_000n, 60_000n]);
    expect(node.height()).toBe(1);
  });

  it("takes transactions, and refuses as many of them as it was set to", () => {
    const payment = fundedPayment();
    node.refuse(1, "not now");
    expect(ask("sendrawtransaction", payment).error?.message).toBe("not now");
    expect(ask("sendrawtransaction", payment).error).toBeNull();
    expect(node.waiting()).toHaveLength(1);
    node.mine();
    expect(paidTo(payee.p2wpkh)).toEqual([49_000n]);
  });

  it("undoes blocks, whose transactions wait again unless the pool is forgotten", () => {
    ask("sendrawtransaction", fundedPayment());
    node.mine();
    node.reorganise(1);
    expect([node.height(), paidTo(payee.p2wpkh), node.waiting().length]).toEqual([3, [], 1]);
    node.drop();
    node.mine();
    expect([paidTo(payee.p2wpkh), node.waiting()]).toEqual([[], []]);
    expect(() => node.reorganise(99)).toThrow("can be undone");
  });

  it("shows what it showed some time ago where it is behind, and takes submissions at once", () => {
    let nowMs = BITCOIN_START_MS;
    node = openMemoryBitcoind({ nowMs: () => nowMs, chain: "regtest", seed: "memory", keptMs: 2_000 });
    const heightAgo = (behindMs: number): unknown => {
      const { text } = node.answer(JSON.stringify({ id: 1, method: "getblockcount", params: [] }), behindMs);
      return replySchema.parse(JSON.parse(text)).result;
    };
    const payment = fundedPayment();
    for (let made = 0; made < 3; made += 1) {
      nowMs += 1_000;
      node.mine();
    }
    expect([0, 1, 1_000, 1_001, 2_000, 60_000].map(heightAgo)).toEqual([4, 3, 3, 2, 2, 2]);
    const sent = JSON.stringify({ id: 1, method: "sendrawtransaction", params: [payment] });
    expect(replySchema.parse(JSON.parse(node.answer(sent, 1_000).text)).error).toBeNull();
    const pool = JSON.stringify({ id: 1, method: "getrawmempool", params: [] });
    const poolAgo = (behindMs: number) =>
      replySchema.parse(JSON.parse(node.answer(pool, behindMs).text)).result;
    expect([poolAgo(0), poolAgo(1)]).toEqual([node.waiting(), []]);
  });

  it("answers a text that is no JSON as a node does", () => {
    expect(node.answer("{").status).toBe(500);
    expect(() => node.fund("nobody", [1n])).toThrow("cannot pay nobody");
  });
});
