import { NODES } from "@conclave/chains/node";
import { SOLANA_RECIPIENT, solanaBytes, solanaId, withOtherSolanaSignature } from "@conclave/chains/testing";
import {
  openSolanaLedger,
  type ScriptedSolanaLedger,
  SOLANA_FINAL,
  solanaRefusal,
  WALLET_SAMPLES,
} from "@conclave/chains/testing/ledgers";
import type { ChainRequest } from "@conclave/custody";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followOnce } from "../testing/follow-once.ts";
import { contentOf, describeTransfers, outageOf } from "../testing/transfer-suite.ts";
import { startWalletWorld, type WalletWorld } from "../testing/wallet-world.ts";

const sample = WALLET_SAMPLES.Solana;
const lamports = contentOf(sample, sample.native);
/** How many blocks after the one of its blockhash a transaction may land. */
const LANDS_WITHIN = 151;

let world: WalletWorld;
let ledger: ScriptedSolanaLedger;

beforeEach(async () => {
  ledger = await openSolanaLedger();
  world = await startWalletWorld(sample, ledger.node.url);
});
afterEach(async () => {
  await Promise.all([world.close(), ledger.stop()]);
});

/** Puts what the chain accepted into a final block. */
const lands = async ({ txHash = "" }: Pick<ChainRequest, "txHash">) => {
  await ledger.mine(SOLANA_FINAL);
  return { fee: sample.fee, blockNumber: await ledger.slotWith(txHash) };
};
/** Makes the chain report that it executed a transaction and reverted it. */
const reverts = ({ txHash }: ChainRequest, err: unknown): void =>
  ledger.changes("getTransaction", (found, [id]) => {
    const { meta, ...record } = Object(found);
    return id === txHash ? { ...record, meta: { ...meta, err } } : undefined;
  });
const UNSTORABLE = `\0x${"\u{1f600}".repeat(300)}`;

describeTransfers({
  sample,
  world: () => world,
  landings: [{ title: "lamports", transfer: lamports, signables: [["FROST-Ed25519", expect.any(Number)]] }],
  posted: () => ledger.posted(),
  appear: () => ledger.mine(2),
  land: lands,
  isIndependent: true,
  impossible: {
    transfer: { ...lamports, amount: "890879" },
    reason: expect.stringContaining("send at least 890880"),
  },
  outage: outageOf(() => ledger.node),
  resendings: [
    {
      title: "the node's answer was lost",
      failures: [() => ledger.admin("lose-replies")],
      takes: () => ledger.mine(2),
      posts: 2,
    },
  ],
  expiry: {
    title: "its blockhash is over and nothing of it landed",
    approach: async () => {
      await ledger.admin("drop");
      await ledger.mine(LANDS_WITHIN);
    },
    pass: () => ledger.mine(),
  },
  reverting: {
    title: "the chain executed and reverted",
    transfer: lamports,
    land: async (request) => {
      await lands(request);
      reverts(request, { InstructionError: [2, { Custom: 1 }] });
    },
    failed: {
      fee: sample.fee,
      reason: 'the chain executed it and reverted it: {"InstructionError":[2,{"Custom":1}]}',
    },
  },
  lateLanding: {
    title: "its message landed with another signature",
    land: async ({ txHash, unsignedTransaction = new Uint8Array(0) }) => {
      await ledger.admin("drop");
      const other = Buffer.from(withOtherSolanaSignature(unsignedTransaction));
      expect(await NODES.connect(sample.entryAt(ledger.url)).broadcast(other)).toEqual({ kind: "accepted" });
      await ledger.mine(LANDS_WITHIN + 50);
      const otherHash = solanaId(other);
      expect(otherHash).not.toBe(txHash);
      return { ...(await lands({ txHash: otherHash })), signedTransaction: other, txHash: otherHash };
    },
  },
  hostileWords: {
    transfer: lamports,
    revert: (request) => reverts(request, UNSTORABLE),
    reason: "reverted",
    failures: [
      () =>
        ledger.node.spoilt.set("", {
          status: 200,
          text: JSON.stringify(solanaRefusal(-32_005, UNSTORABLE)),
        }),
    ],
  },
});

describe("a caller's own bytes on Solana", () => {
  it("INV-4 that two requests hold are one transaction, of the first request alone", async () => {
    await ledger.fund(SOLANA_RECIPIENT, 1_000_000_000);
    await ledger.mine();
    const bytes = solanaBytes({ blockhash: await ledger.blockhashOf(await ledger.lastSlot()) });
    const [first, second] = [await world.enterBytes(bytes), await world.enterBytes(bytes)];
    expect(await world.carry(first)).toEqual({ kind: "Done" });
    await world.carry(second);
    expect(await world.read(second)).toMatchObject({
      status: "Failed",
      reason: "another request of the wallet has this very transaction",
    });
    await ledger.mine(SOLANA_FINAL);
    await followOnce(world.handler);
    const third = await world.enterBytes(bytes);
    await world.carry(third);
    expect([(await world.read(first)).status, await world.read(third)]).toMatchObject([
      "Confirmed",
      { status: "Failed", reason: expect.stringContaining("the chain has this very transaction already") },
    ]);
    expect(world.asked.length).toBe(1);
  });
});
