import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import { testEdwardsKey } from "../../testing/account.ts";
import {
  authorisedSolana,
  SOL_TRANSFER,
  SOLANA_DEVNET,
  SOLANA_KEY,
  SOLANA_SENDER,
  solanaBytes,
} from "../../testing/solana-samples.ts";
import { StubSolana, stubBlockhash } from "../../testing/stub-solana.ts";
import { attachSolanaSignature, solanaId } from "../attach.ts";
import { messageOf, withSignature } from "../message/message.ts";
import { solanaAddress } from "../rules/address.ts";
import { LANDS_WITHIN_BLOCKS } from "./fate.ts";
import { solanaNode } from "./node.ts";

let stub: StubSolana;
let node: ChainNode;
beforeEach(async () => {
  stub = await StubSolana.start();
  node = solanaNode({ ...SOLANA_DEVNET, solanaUrl: stub.url });
  stub.accounts.set(SOLANA_SENDER, { lamports: 10_000_000_000n });
});
afterEach(() => stub.stop());

interface Sent {
  readonly unsigned: Uint8Array;
  readonly signed: Uint8Array;
}

const signedOf = (unsigned: Uint8Array): Sent => {
  const attached = attachSolanaSignature(
    unsigned,
    [SOLANA_KEY.sign(messageOf(unsigned))],
    [SOLANA_KEY.publicKey],
  );
  return attached.ok ? { unsigned, signed: attached.value.signed } : expect.fail(attached.problem.message);
};

const sent = async (): Promise<Sent> => {
  const built = await node.build({
    sender: SOLANA_SENDER,
    keys: [SOLANA_KEY.publicKey],
    act: authorisedSolana(SOL_TRANSFER),
    priority: undefined,
    sequencing: { kind: "next", lowest: 0n },
  });
  return built.ok ? signedOf(built.value.unsigned) : expect.fail(built.problem.message);
};

/** Moves the chain so that so many blocks above the one of a finalized blockhash are final. */
const passBlocks = (blocks: bigint): void => {
  stub.slot += blocks;
};
const verdict = async (...transactions: readonly Sent[]): Promise<string> => {
  const fate = await node.fateOf(SOLANA_SENDER, transactions);
  return fate.ok ? fate.value.kind : fate.problem.code;
};
const OVER = LANDS_WITHIN_BLOCKS + 1n;

describe("INV-4 whether a transaction of Solana is dead", () => {
  it("is open until the last block in which it could land is final, and dead behind it", async () => {
    const one = await sent();
    expect(await verdict(one)).toBe("open");
    passBlocks(LANDS_WITHIN_BLOCKS);
    expect(await verdict(one)).toBe("open");
    passBlocks(1n);
    const fate = await node.fateOf(SOLANA_SENDER, [one]);
    expect(fate).toMatchObject({
      ok: true,
      value: { kind: "dead", reason: expect.stringContaining("too old") },
    });
  });

  it("K11 is decided by finalized blocks alone, however often the node takes the same bytes", async () => {
    const one = await sent();
    const taken = async () => expect(await node.broadcast(one.signed)).toEqual({ kind: "accepted" });
    for (let blocks = 0n; blocks < 150n; blocks += 30n) {
      await taken();
      expect(await verdict(one)).toBe("open");
      passBlocks(30n);
    }
    await taken();
    passBlocks(OVER - 150n);
    // it says so still, and its own simulation finds nothing wrong
    await taken();
    expect(await verdict(one)).toBe("dead");
    await taken();
    expect(await verdict(one)).toBe("dead");
    // a status "processed" of a fork that the chain gave up is no block either
    const processed = { slot: 5_000, confirmations: 0, err: null, confirmationStatus: "processed" };
    const text = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      result: { context: { slot: 5_000 }, value: [processed] },
    });
    stub.spoilt.set("getSignatureStatuses", { status: 200, text });
    expect(await node.sight(solanaId(one.signed))).toEqual({ ok: true, value: { kind: "waiting" } });
    expect(await verdict(one)).toBe("dead");
  });

  it("counts blocks and not slots", async () => {
    const one = await sent();
    stub.skipped.add(stub.slot + 5n);
    passBlocks(OVER);
    expect(await verdict(one)).toBe("open");
    passBlocks(1n);
    expect(await verdict(one)).toBe("dead");
  });

  it("is open when it has landed, failed or not, and with a signature that nobody has on record", async () => {
    const one = await sent();
    const other = withSignature(one.unsigned, new Uint8Array(64).fill(3));
    passBlocks(OVER + 100n);
    for (const landing of [
      { transaction: one.signed },
      { transaction: other },
      { transaction: other, err: "X" },
    ]) {
      stub.landings.length = 0;
      stub.landings.push({ slot: 4_990n, of: SOLANA_SENDER, ...landing });
      expect(await verdict(one)).toBe("open");
    }
    // under its own id nothing has landed
    expect(await node.sight(solanaId(one.signed))).toEqual({ ok: true, value: { kind: "unknown" } });
  });

  it("looks at nothing that is newer than the last block in which it could land", async () => {
    const one = await sent();
    passBlocks(OVER + 200n);
    for (const [signature, slot] of [
      [3, 5_119n],
      [4, 5_120n],
    ] as const) {
      const transaction = withSignature(one.unsigned, new Uint8Array(64).fill(signature));
      // another message
      transaction[200] = 0xff;
      stub.landings.push({ slot, of: SOLANA_SENDER, transaction });
    }
    expect(await verdict(one)).toBe("dead");
    expect(stub.asked.filter(({ method }) => method === "getTransaction").length).toBe(1);
  });

  it("looks at all that the wallet has done in that time, page after page, and at nothing older", async () => {
    const one = await sent();
    passBlocks(OVER + 200n);
    // more than a page of newer ones, which are listed and not read
    const strangers = Array.from({ length: 105 }, (_, at) => {
      const signature = new Uint8Array(64).fill(at % 250).fill(at >> 2, 60);
      return { slot: 5_200n, of: SOLANA_SENDER, transaction: withSignature(one.unsigned, signature) };
    });
    stub.pageMost = 50;
    stub.landings.push(...strangers, { slot: 4_100n, of: SOLANA_SENDER, transaction: one.signed });
    expect(await verdict(one)).toBe("dead");
    stub.landings.push({ slot: 4_969n, of: SOLANA_SENDER, transaction: one.signed });
    expect(await verdict(one)).toBe("open");
  });

  it("needs all of several to be dead", async () => {
    const one = await sent();
    passBlocks(100n);
    const two = await sent();
    passBlocks(OVER - 100n);
    expect([await verdict(one), await verdict(one, two)]).toEqual(["dead", "open"]);
    passBlocks(100n);
    expect(await verdict(one, two)).toBe("dead");
  });

  it("gives no verdict by a node that is of another chain, or has forgotten, or shows another block at its slot", async () => {
    const one = await sent();
    passBlocks(OVER);
    stub.genesisHash = stubBlockhash(1n);
    expect(await verdict(one)).toBe("ServiceUnavailable");
    stub.genesisHash = SOLANA_DEVNET.genesisHash;
    for (const slot of [4_968n, 5_000n, 5_119n]) {
      stub.lost.add(slot);
      expect(await verdict(one)).toBe("ServiceUnavailable");
      stub.lost.clear();
    }
    const fresh = solanaNode({ ...SOLANA_DEVNET, solanaUrl: stub.url });
    stub.firstAvailable = 4_969n;
    const fate = await fresh.fateOf(SOLANA_SENDER, [one]);
    expect(!fate.ok && fate.problem.message).toContain("no verdict");
  });

  it("gives no verdict when the node has forgotten what lay behind its blocks since it was found", async () => {
    const one = await sent();
    passBlocks(OVER);
    expect(await verdict(one)).toBe("dead");
    stub.firstAvailable = 4_969n;
    expect(await verdict(one)).toBe("ServiceUnavailable");
  });

  // a node that was started again from a snapshot has what came before and after, calls the rest skipped, and lists nothing of it
  it.each([4_968n, 4_990n, 5_119n])(
    "gives no verdict when the node has lost the block of slot %s, in which it could land, and has older ones",
    async (slot) => {
      const one = await sent();
      passBlocks(OVER);
      stub.lost.add(slot);
      expect(await verdict(one)).toBe("ServiceUnavailable");
      stub.lost.clear();
      expect(await verdict(one)).toBe("dead");
    },
  );

  it("lists on at no node that is behind what was listed: it does not know where to go on, and says that there is no more", async () => {
    const one = await sent();
    passBlocks(OVER + 50n);
    const [late, later] = [1, 2].map((fill) => ({
      slot: stub.finalSlot,
      of: SOLANA_SENDER,
      transaction: Uint8Array.from([...withSignature(one.unsigned, new Uint8Array(64).fill(fill)), fill]),
    }));
    if (late === undefined || later === undefined) expect.fail("two");
    stub.landings.push({ slot: 4_990n, of: SOLANA_SENDER, transaction: one.signed }, late, later);
    stub.pageMost = 2;
    stub.slot -= 20n;
    stub.behind = stub.finalSlot;
    expect(await verdict(one)).toBe("ServiceUnavailable");
    stub.behind = undefined;
    expect(await verdict(one)).toBe("open");
  });

  it("is decided once the node is past the block of the blockhash, though it was behind it when it was first asked", async () => {
    const one = await sent();
    stub.slot -= 100n;
    expect(await verdict(one)).toBe("ServiceUnavailable");
    passBlocks(100n + OVER);
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
    passBlocks(OVER);
    const transaction = withSignature(one.unsigned, new Uint8Array(64).fill(3)).map((byte, at) =>
      at === 200 ? byte ^ 1 : byte,
    );
    stub.landings.push({ slot: 4_990n, of: SOLANA_SENDER, transaction });
    expect(await verdict(one)).toBe("dead");
    stub.spoilt.set(method, { status: 200, text: '{"jsonrpc":"2.0","id":1,"result":null}' });
    expect(await verdict(one)).toBe("ServiceUnavailable");
  });

  it("asks no node that is behind the slot by which the blockhash is over", async () => {
    const one = await sent();
    passBlocks(OVER);
    await verdict(one);
    const listed = stub.asked.find(({ method }) => method === "getSignaturesForAddress");
    expect(listed?.params[1]).toMatchObject({
      commitment: "finalized",
      minContextSlot: Number(stub.finalSlot),
    });
    stub.spoilt.set("getSignaturesForAddress", {
      status: 200,
      text: '{"jsonrpc":"2.0","id":1,"error":{"code":-32016,"message":"Minimum context slot has not been reached"}}',
    });
    expect(await verdict(one)).toBe("ServiceUnavailable");
  });
});

describe("INV-4 whether a caller's own bytes are dead", () => {
  const bytesOf = (slot: bigint): Sent =>
    signedOf(Buffer.from(solanaBytes({ blockhash: stubBlockhash(slot) }).slice(2), "hex"));

  it("is decided by the block of their blockhash, which is looked for from the newest to the oldest", async () => {
    const one = bytesOf(4_000n);
    expect(await verdict(one)).toBe("ServiceUnavailable");
    expect(await verdict(one)).toBe("dead");
    const young = bytesOf(4_900n);
    expect(await verdict(young)).toBe("open");
  });

  it("is decided when its block came behind the first searched range", async () => {
    const one = bytesOf(4_900n);
    stub.slot = 4_800n;
    expect(await verdict(one)).toBe("ServiceUnavailable");
    stub.slot = 5_200n;
    expect(await verdict(one)).toBe("dead");
  });

  it("is never decided where the chain has no such block", async () => {
    const other = solanaAddress(testEdwardsKey("18".repeat(32)).publicKey);
    const one = signedOf(Buffer.from(solanaBytes({ blockhash: other }).slice(2), "hex"));
    stub.slot = 400n;
    expect([await verdict(one), await verdict(one), await verdict(one)]).toEqual(
      Array(3).fill("ServiceUnavailable"),
    );
  });
});
