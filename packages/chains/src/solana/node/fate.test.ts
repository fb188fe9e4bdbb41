import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import { testEdwardsKey } from "../../testing/account.ts";
import { got } from "../../testing/conformance/plain-wallet.ts";
import {
  openSolanaLedger,
  type ScriptedSolanaLedger,
  SOLANA_FINAL,
  solanaEntryAt,
  solanaRefusal,
} from "../../testing/ledgers/solana-ledger.ts";
import { jsonAnswer, rpcCallOf } from "../../testing/scripted-node.ts";
import {
  authorisedSolana,
  SOL_TRANSFER,
  SOLANA_DEVNET,
  SOLANA_SENDER,
  solanaBytes,
  solanaIntent,
  withOtherSolanaSignature,
  withSolanaSignature,
} from "../../testing/solana-samples.ts";
import { solanaId } from "../attach.ts";
import { solanaAddress } from "../rules/address.ts";
import { LANDS_WITHIN_BLOCKS } from "./fate.ts";
import { solanaNode } from "./node.ts";

const LAST = Number(LANDS_WITHIN_BLOCKS);
const OVER = LAST + 1;
/** lamports that somebody else pays the sender */
const DUST = 1_000_000;

let ledger: ScriptedSolanaLedger;
let node: ChainNode;
beforeEach(async () => {
  ledger = await openSolanaLedger();
  node = solanaNode(solanaEntryAt(ledger.node.url));
});
afterEach(() => ledger.stop());

type Sent = ReturnType<typeof withSolanaSignature>;
/** Builds and signs a transaction with the blockhash of the last final block, without sending it. */
const sent = async (amount = SOL_TRANSFER.amount): Promise<Sent> =>
  withSolanaSignature(
    got(await node.build(solanaIntent(authorisedSolana({ ...SOL_TRANSFER, amount })))).unsigned,
  );
const send = async (signed: Uint8Array): Promise<void> =>
  expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
/** The slots of blocks from this one on. */
const slotsSince = async (first: bigint) => (await ledger.slots()).filter((slot) => slot >= first);
/** Makes the node lag behind the ledger by this many slots. */
const isBehind = (slots: number): void =>
  ledger.changes("getSlot", (slot, [config]) =>
    Object(config).commitment === "finalized" ? Number(slot) - slots : undefined,
  );
/** Makes the node list at most this many transactions at once. */
const listsAtMost = (many: number): void =>
  ledger.changes("getSignaturesForAddress", (listed) => Object(listed).slice(0, many));

const verdict = async (...transactions: readonly Sent[]): Promise<string> => {
  const fate = await node.fateOf(SOLANA_SENDER, transactions);
  return fate.ok ? fate.value.kind : fate.problem.code;
};

describe("INV-4 whether a transaction of Solana is dead", () => {
  it("is open until the last block in which it could land is final, and dead behind it", async () => {
    const one = await sent();
    expect(await verdict(one)).toBe("open");
    await ledger.mine(LAST);
    expect(await verdict(one)).toBe("open");
    await ledger.mine();
    const fate = await node.fateOf(SOLANA_SENDER, [one]);
    expect(fate).toMatchObject({
      ok: true,
      value: { kind: "dead", reason: expect.stringContaining("too old") },
    });
  });

  it("K11 is decided by finalized blocks alone, however often the node takes the same bytes", async () => {
    const one = await sent();
    // the node reports success, and does nothing
    ledger.node.says("sendTransaction", () => ({ jsonrpc: "2.0", id: 1, result: one.txHash }));
    for (let blocks = 0; blocks < 150; blocks += 30) {
      await send(one.signed);
      expect(await verdict(one)).toBe("open");
      await ledger.mine(30);
    }
    await send(one.signed);
    await ledger.mine(OVER - 150);
    // it still reports success, for an expired blockhash
    await send(one.signed);
    expect(await verdict(one)).toBe("dead");
    await send(one.signed);
    expect(await verdict(one)).toBe("dead");
    // a status "processed", as from an abandoned fork, is no block either
    ledger.changes("getSignatureStatuses", (found) => ({
      ...Object(found),
      value: [{ slot: 60, confirmations: 0, err: null, confirmationStatus: "processed" }],
    }));
    expect(await node.sight(one.txHash)).toEqual({ ok: true, value: { kind: "waiting" } });
    expect(await verdict(one)).toBe("dead");
  });

  it("counts blocks and not slots", async () => {
    const one = await sent();
    const from = await ledger.lastSlot();
    await ledger.mine(LAST);
    // more slots than blocks, because leaders missed some
    expect(Number((await ledger.lastSlot()) - from)).toBeGreaterThan(OVER);
    expect(await verdict(one)).toBe("open");
    await ledger.mine();
    expect(await verdict(one)).toBe("dead");
  });

  it("is open when it has landed, failed or not, and with a signature that nobody has on record", async () => {
    const [plain, other, failed] = [await sent("1000001"), await sent("1000002"), await sent("1000003")];
    const [, , failedId] = await Promise.all(
      [plain.signed, ...[other, failed].map(({ unsigned }) => withOtherSolanaSignature(unsigned))].map(
        async (signed) => {
          await send(signed);
          return solanaId(signed);
        },
      ),
    );
    await ledger.mine(OVER + 100);
    ledger.changes("getSignaturesForAddress", (listed) =>
      [...Object(listed)].map((each) => (each.signature === failedId ? { ...each, err: "X" } : each)),
    );
    ledger.changes("getTransaction", (found, [id]) => {
      const { meta, ...record } = Object(found);
      return id === failedId ? { ...record, meta: { ...meta, err: "X" } } : undefined;
    });
    expect([await verdict(plain), await verdict(other), await verdict(failed)]).toEqual(
      Array(3).fill("open"),
    );
    // nothing has landed under its own id
    expect(await node.sight(other.txHash)).toEqual({ ok: true, value: { kind: "unknown" } });
  });

  it("looks at nothing that is newer than the last block in which it could land", async () => {
    const one = await sent();
    const { length } = await slotsSince(await ledger.lastSlot());
    // one more block exists, unconfirmed, so the first payment is in the last block in which the transaction could land
    await ledger.mine(LAST - length - 1);
    await ledger.fund(SOLANA_SENDER, DUST);
    await ledger.fund(SOLANA_SENDER, DUST);
    await ledger.mine(OVER);
    expect(await verdict(one)).toBe("dead");
    expect(ledger.calls("getTransaction").length).toBe(1);
  });

  it("looks at all that the wallet has done in that time, page after page, and at nothing older", async () => {
    const [one, landed] = [await sent("1000001"), await sent("1000002")];
    await send(landed.signed);
    await ledger.mine(OVER);
    // more than two pages of newer transactions, which are listed but not read
    for (let stranger = 0; stranger < 12; stranger += 1) {
      await ledger.admin("fund", { address: SOLANA_SENDER, amount: DUST });
    }
    await ledger.mine(OVER);
    listsAtMost(5);
    expect(await verdict(one)).toBe("dead");
    // the payment that opened the ledger is not read either
    expect(ledger.calls("getTransaction").map(([id]) => id)).toEqual([landed.txHash]);
    expect(await verdict(landed)).toBe("open");
  });

  it("needs all of several to be dead", async () => {
    const one = await sent();
    await ledger.mine(100);
    const two = await sent();
    await ledger.mine(OVER - 100);
    expect([await verdict(one), await verdict(one, two)]).toEqual(["dead", "open"]);
    await ledger.mine(100);
    expect(await verdict(one, two)).toBe("dead");
  });

  it("gives no verdict by a node that is of another chain, or has forgotten, or shows another block at its slot", async () => {
    const one = await sent();
    const from = await ledger.lastSlot();
    await ledger.mine(OVER);
    const slots = await slotsSince(from);
    ledger.changes("getGenesisHash", () => SOLANA_DEVNET.genesisHash);
    expect(await verdict(one)).toBe("ServiceUnavailable");
    for (const at of [0, 32, LAST]) {
      ledger.node.reset();
      ledger.loses(slots[at]);
      expect(await verdict(one)).toBe("ServiceUnavailable");
    }
    ledger.node.reset();
    ledger.loses(...(await ledger.slots()).filter((slot) => slot <= from));
    ledger.changes("getFirstAvailableBlock", () => slots[1]);
    const fresh = solanaNode(solanaEntryAt(ledger.node.url));
    const fate = await fresh.fateOf(SOLANA_SENDER, [one]);
    expect(!fate.ok && fate.problem.message).toContain("no verdict");
  });

  it("gives no verdict when the node has forgotten blocks of the range after they were found", async () => {
    const one = await sent();
    const from = await ledger.lastSlot();
    await ledger.mine(OVER);
    expect(await verdict(one)).toBe("dead");
    ledger.changes("getFirstAvailableBlock", () => from + 1n);
    expect(await verdict(one)).toBe("ServiceUnavailable");
  });

  // a node restarted from a snapshot has the blocks before and after it, reports the rest as skipped, and lists nothing
  // from there
  it.each([0, 22, LAST])(
    "gives no verdict when the node has lost the block %s behind the one of the blockhash, in which it could land, and has older ones",
    async (at) => {
      const one = await sent();
      const from = await ledger.lastSlot();
      await ledger.mine(OVER);
      ledger.loses((await slotsSince(from))[at]);
      expect(await verdict(one)).toBe("ServiceUnavailable");
      ledger.node.reset();
      expect(await verdict(one)).toBe("dead");
    },
  );

  it("reads no further page from a node that lags behind the last one: it would answer that there is no more", async () => {
    const one = await sent();
    await send(one.signed);
    await ledger.mine(OVER + 20);
    for (const _ of ["late", "later"]) {
      await ledger.admin("fund", { address: SOLANA_SENDER, amount: DUST });
    }
    await ledger.mine(SOLANA_FINAL);
    isBehind(20);
    listsAtMost(2);
    // a second node behind the same address answers for every page but the first
    const last = (await ledger.lastSlot()) - 20n;
    ledger.node.says("getSignaturesForAddress", (request) => {
      const { before, minContextSlot } = Object(rpcCallOf(request).params[1]);
      if (before === undefined) return undefined;
      return minContextSlot > last
        ? solanaRefusal(-32016, "Minimum context slot has not been reached")
        : { jsonrpc: "2.0", id: 1, result: [] };
    });
    expect(await verdict(one)).toBe("ServiceUnavailable");
    ledger.node.reset();
    isBehind(20);
    listsAtMost(2);
    expect(await verdict(one)).toBe("open");
  });

  it("is decided once the node is past the block of the blockhash, though it was behind it when it was first asked", async () => {
    await ledger.mine(100);
    const one = await sent();
    isBehind(100);
    expect(await verdict(one)).toBe("ServiceUnavailable");
    ledger.node.reset();
    await ledger.mine(OVER);
    expect(await verdict(one)).toBe("dead");
  });

  it.each([
    "getBlocksWithLimit",
    "getSignaturesForAddress",
    "getTransaction",
    "getFirstAvailableBlock",
    "getBlocks",
    "getBlock",
    "getSlot",
    "getGenesisHash",
  ])("gives no verdict when the node does not answer %s", async (method) => {
    const one = await sent();
    await ledger.fund(SOLANA_SENDER, DUST);
    await ledger.mine(OVER);
    expect(await verdict(one)).toBe("dead");
    ledger.node.spoilt.set(method, jsonAnswer({ jsonrpc: "2.0", id: 1, result: null }));
    expect(await verdict(one)).toBe("ServiceUnavailable");
  });

  it("asks no node that is behind the slot by which the blockhash is over", async () => {
    const one = await sent();
    await ledger.mine(OVER);
    await verdict(one);
    const [[, config] = []] = ledger.calls("getSignaturesForAddress");
    expect(config).toMatchObject({
      commitment: "finalized",
      minContextSlot: Number(await ledger.lastSlot()),
    });
    const refused = solanaRefusal(-32016, "Minimum context slot has not been reached");
    ledger.node.spoilt.set("getSignaturesForAddress", jsonAnswer(refused));
    expect(await verdict(one)).toBe("ServiceUnavailable");
  });
});

describe("INV-4 whether a caller's own bytes are dead", () => {
  const bytesOf = (blockhash: string): Sent =>
    withSolanaSignature(Buffer.from(solanaBytes({ blockhash }).slice(2), "hex"));
  /** @param age number of blocks before the last final one */
  const bytesAt = async (age: number): Promise<Sent> => {
    const last = await ledger.lastSlot();
    const slot = (await ledger.slots()).filter((each) => each <= last).at(-1 - age);
    return bytesOf(await ledger.blockhashOf(slot));
  };

  it("is decided by the block of their blockhash, which is looked for from the newest to the oldest", async () => {
    await ledger.mine(600);
    // older than the first 512 slots
    const one = await bytesAt(560);
    expect(await verdict(one)).toBe("ServiceUnavailable");
    expect(await verdict(one)).toBe("dead");
    expect(await verdict(await bytesAt(68))).toBe("open");
  });

  it("is decided when its block came behind the first searched range", async () => {
    await ledger.mine(100);
    const one = await bytesAt(0);
    isBehind(100);
    expect(await verdict(one)).toBe("ServiceUnavailable");
    ledger.node.reset();
    await ledger.mine(OVER);
    expect(await verdict(one)).toBe("dead");
  });

  it("is never decided where the chain has no such block", async () => {
    const one = bytesOf(solanaAddress(testEdwardsKey("18".repeat(32)).publicKey));
    expect([await verdict(one), await verdict(one), await verdict(one)]).toEqual(
      Array(3).fill("ServiceUnavailable"),
    );
  });
});
