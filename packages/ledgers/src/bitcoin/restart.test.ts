import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bitcoinTestKey, signedPayment, startBitcoinWorld } from "../testing/bitcoin-world.ts";

const [ALICE, BOB] = [bitcoinTestKey(1), bitcoinTestKey(2)];

const inFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-ledger-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

it("a ledger that starts again has its blocks, its coins, what waits, its fees, its faults and its time", () =>
  inFolder(async (folder) => {
    const first = await startBitcoinWorld({ folder });
    const coin = await first.fund(ALICE.p2wpkh, 1_000_000);
    const raw = signedPayment(ALICE, [coin], BOB.p2wpkh);
    const txid = await first.rpc("sendrawtransaction", raw);
    await first.admin("set-fees", { minimumRelay: 2_000 });
    await first.admin("refuse", { message: "not now", count: 1 });
    await first.admin("shift-clock", { seconds: 3_600 });
    const before = await first.rpc("getblock", await first.rpc("getblockhash", 1), 2);
    const info = await first.rpc("getblockchaininfo");
    await first[Symbol.asyncDispose]();

    await using second = await startBitcoinWorld({ folder });
    expect(await second.rpc("getblockchaininfo")).toEqual(info);
    expect(await second.rpc("getblock", await second.rpc("getblockhash", 1), 2)).toEqual(before);
    expect(await second.rpc("getrawmempool")).toEqual([txid]);
    expect(await second.rpc("getnetworkinfo")).toMatchObject({ relayfee: 0.00002 });
    expect(await second.refusal("sendrawtransaction", raw)).toMatchObject({ message: "not now" });
    await second.mine();
    expect(await second.rpc("gettxout", txid, 0)).toMatchObject({ value: 0.00999, confirmations: 1 });
    expect(await second.rpc("gettxout", coin.txid, coin.index)).toBeNull();
    const { body } = await second.admin("mine");
    expect(body).toMatchObject({ now: Math.floor(second.clock.now() / 1_000) + 3_600 });
  }));

it("a ledger that starts again can still undo its blocks", () =>
  inFolder(async (folder) => {
    const first = await startBitcoinWorld({ folder });
    const coin = await first.fund(ALICE.p2wpkh, 1_000_000);
    const txid = await first.rpc("sendrawtransaction", signedPayment(ALICE, [coin], BOB.p2wpkh));
    await first.mine();
    const undone = await first.rpc("getbestblockhash");
    await first[Symbol.asyncDispose]();

    await using second = await startBitcoinWorld({ folder });
    expect((await second.admin("reorg", { depth: 1 })).status).toBe(200);
    expect(await second.rpc("getblock", undone)).toMatchObject({ confirmations: -1 });
    expect(await second.rpc("getrawmempool")).toEqual([txid]);
    expect(await second.rpc("gettxout", coin.txid, coin.index, false)).toMatchObject({ value: 0.01 });
  }));
