import type { Act } from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChainNode, OwnBlock, PlacesToSearch, SentTransaction, Sighting } from "../../chain.ts";
import {
  got,
  makeTransaction,
  openPlainWallet,
  type PlainWallet,
  payeeOf,
  plainTransfer,
  sendTransaction,
} from "./plain-wallet.ts";
import { strangerTests } from "./stranger-conformance.ts";
import type { OpenTriedChain, TriedChain } from "./tried-chain.ts";
import { troubleTests } from "./trouble-conformance.ts";

/** Returns the chain that all tests of a suite share; each test has its own wallet. */
export type GiveTriedChain = () => TriedChain;

/**
 * Tests the behaviour of a chain node on which orchestrator and gateway rely. Where families differ, the tests check what the
 * family declares: `rebuilds`, `excludes`, `countsTransactions`.
 */
export const describeChainNode = (name: string, open: OpenTriedChain): void => {
  describe(`${name} as a chain node`, () => {
    let chain: TriedChain;
    beforeAll(async () => {
      chain = await open("ours");
    });
    afterAll(() => chain.close());
    const give = (): TriedChain => chain;
    describe("blocks", () => blockTests(give));
    describe("a transaction", () => journeyTests(give));
    describe("the fate of a transaction", () => fateTests(give));
    describe("the same bytes, signed again", () => twinTests(give));
    describe("a transaction that no record knows", () => sentTests(give));
    describe("a reorganisation", () => reorganisationTests(give));
    describe("strangers", () => strangerTests(give, open));
    describe("a node in trouble", () => troubleTests(give));
  });
};

const nodeOf = (chain: TriedChain): ChainNode => chain.connect(chain.entry);
type Included = Extract<Sighting, { readonly kind: "included" }>;
const includedAs = (sighting: Sighting): Included =>
  sighting.kind === "included" ? sighting : expect.fail(`it is ${sighting.kind}`);

/** Sends a transaction, and waits until the node reports it in a block. */
const landed = async (chain: TriedChain, node: ChainNode, wallet: PlainWallet) => {
  const made = await sendTransaction(chain, node, wallet);
  await chain.include();
  return { ...made, ...includedAs(got(await node.sight(made.txHash))) };
};

/** All existing blocks in a range of heights; some chains skip heights. */
const blocksOf = async (node: ChainNode, from: bigint, to: bigint, ours: ReadonlySet<string>) => {
  const blocks: OwnBlock[] = [];
  for (let height = from; height <= to; height += 1n) {
    const block = got(await node.block(height, ours));
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
};

const blockTests = (give: GiveTriedChain): void => {
  it("has a head that rises, above what is confirmed, above what is final", async () => {
    const node = nodeOf(give());
    const before = got(await node.head());
    await give().mine(2);
    const after = got(await node.head());
    expect(after.height > before.height).toBe(true);
    expect(after.hash).not.toBe(before.hash);
    expect(after.finalHeight >= before.finalHeight).toBe(true);
    expect(after.confirmedHeight <= after.height && after.finalHeight <= after.height).toBe(true);
    await give().finalise();
    expect(got(await node.head()).finalHeight >= after.height).toBe(true);
  });

  it("has blocks that name one another, up to the head, the same for each who asks, and none above", async () => {
    const chain = give();
    await chain.mine(2);
    const { height, hash } = got(await nodeOf(chain).head());
    const blocks = await blocksOf(nodeOf(chain), height - 2n, height, new Set());
    expect(blocks).toEqual(await blocksOf(nodeOf(chain), height - 2n, height, new Set()));
    expect(blocks.at(-1)).toMatchObject({ height, hash, parentHash: blocks.at(-2)?.hash, holds: [] });
    expect(got(await nodeOf(chain).block(height + 50n, new Set()))).toBeUndefined();
  });

  it("is of the chain that its entry names", async () => {
    const { family, entry } = give();
    expect(got(await nodeOf(give()).ofChain())).toBe(family.chainOf(entry));
  });
};

const journeyTests = (give: GiveTriedChain): void => {
  it("INV-4 is accepted as often as it is sent, waits, and is in one place once it has landed", async () => {
    const chain = give();
    const node = nodeOf(chain);
    const wallet = await openPlainWallet(chain);
    const before = got(await node.balance(wallet.address));
    const { height: from } = got(await node.head());
    const made = await makeTransaction(chain, wallet, { node });
    expect(got(await node.sight(made.txHash))).toEqual({ kind: "unknown" });
    for (let sent = 0; sent < 3; sent += 1) {
      expect(await node.broadcast(made.signed)).toEqual({ kind: "accepted" });
    }
    expect(got(await node.sight(made.txHash)).kind).toBe(chain.showsPool ? "waiting" : "unknown");
    expect(got(await node.fateOf(wallet.address, [made])).kind).toBe("open");
    await chain.include();
    const sighting = includedAs(got(await node.sight(made.txHash)));
    expect(sighting).toMatchObject({ succeeded: true });
    // anybody who has the bytes may send them again after they landed: the node never takes them for a new transaction
    expect(["accepted", "outdated"]).toContain((await node.broadcast(made.signed)).kind);
    const ours = new Set([made.txHash]);
    const { height: to } = got(await node.head());
    const holding = (await blocksOf(node, from, to, ours)).filter(({ holds }) => holds.length > 0);
    expect(holding).toMatchObject([
      { height: sighting.height, hash: sighting.blockHash, holds: [made.txHash] },
    ]);
    await chain.finalise();
    // charged once, and at the reported fee
    expect(got(await node.balance(wallet.address))).toBe(before - chain.amount - sighting.fee);
  });

  it("is the same at a node that remembers nothing, and is final at the height of the head", async () => {
    const chain = give();
    const { txHash, height, blockHash, fee } = await landed(
      chain,
      nodeOf(chain),
      await openPlainWallet(chain),
    );
    const reported = async () => {
      const sighting = includedAs(got(await nodeOf(chain).sight(txHash)));
      const { confirmedHeight } = got(await nodeOf(chain).head());
      expect(sighting).toMatchObject({ height, blockHash, fee, isFinal: height <= confirmedHeight });
      return sighting.isFinal;
    };
    await reported();
    await chain.finalise();
    expect(await reported()).toBe(true);
    expect(got(await nodeOf(chain).head()).finalHeight >= height).toBe(true);
  });

  it("has its place, where the family counts them, and the next one has the next", async () => {
    const chain = give();
    const wallet = await openPlainWallet(chain);
    const next = async () => got(await nodeOf(chain).nextSequence(wallet.address));
    const made = await makeTransaction(chain, wallet);
    const place = chain.family.countsTransactions ? made.sequence : undefined;
    expect([made.sequence, await next()]).toEqual([place, place]);
    expect(place !== undefined).toBe(chain.family.countsTransactions);
    await nodeOf(chain).broadcast(made.signed);
    await chain.include();
    expect(await next()).toBe(place === undefined ? undefined : place + 1n);
    await chain.finalise();
    expect((await makeTransaction(chain, wallet)).sequence).toBe(await next());
  });

  it("brings its recipient what it says, which its block tells each time that it is read", async () => {
    const chain = give();
    const { txHash, height } = await landed(chain, nodeOf(chain), await openPlainWallet(chain));
    await chain.finalise();
    const paid = payeeOf(chain);
    const arrivals = async (node: ChainNode) =>
      got((await node.arrivals?.(height, async () => new Set([paid]))) ?? expect.fail("it detects nothing"));
    const found = await arrivals(nodeOf(chain));
    expect(found).toMatchObject([
      { txHash, moved: { kind: "Native", to: paid, amount: chain.amount.toString() } },
    ]);
    expect(await arrivals(nodeOf(chain))).toEqual(found);
    const { height: head } = got(await nodeOf(chain).head());
    const above = await nodeOf(chain).arrivals?.(head + 50n, async (asked) => new Set(asked));
    // the node has no such block, or says that it is not final
    expect(above?.ok === false ? above.problem.code : above?.value).toBeOneOf([
      undefined,
      "ServiceUnavailable",
    ]);
  });

  it("has an id of the family's spelling, and is found by its payer where the family shows payers", async () => {
    const chain = give();
    const wallet = await openPlainWallet(chain);
    const { txHash, height } = await landed(chain, nodeOf(chain), wallet);
    await chain.finalise();
    const nobody = async () => new Set<string>();
    const payer = async (asked: readonly string[]) =>
      new Set(asked.filter((each) => each === wallet.address));
    const node = nodeOf(chain);
    expect(got((await node.arrivals?.(height, nobody)) ?? expect.fail("it detects nothing"))).toEqual([]);
    const found = got((await node.arrivals?.(height, nobody, payer)) ?? expect.fail("it detects nothing"));
    const shown = { txHash, from: wallet.address, moved: { to: payeeOf(chain) } };
    expect(found).toMatchObject(chain.family.judgeWatched === undefined ? [] : [shown]);
    expect(got(chain.family.judgeTransactionId(txHash))).toBe(txHash);
    const wrong = chain.family.judgeTransactionId(`${txHash}0`);
    expect(wrong.ok ? "taken" : wrong.problem.code).toBe("TransactionIdInvalid");
    const judged = chain.family.judgeWatched?.(wallet.address);
    if (judged !== undefined) expect(got(judged)).toBe(wallet.address);
  });

  it("is not built for more than there is", async () => {
    const chain = give();
    const wallet = await openPlainWallet(chain);
    const act = plainTransfer(chain, wallet, chain.amount * 1_000n);
    const built = await nodeOf(chain).build({
      sender: wallet.address,
      keys: [wallet.key.publicKey],
      act,
      priority: undefined,
      sequencing: { kind: "next", lowest: 0n },
    });
    expect(built.ok ? "built" : built.problem.code).toBe("InsufficientFunds");
  });
};

/** Two unsent transactions of one wallet that exclude each other, if the family has such a rule. */
const rivalsOn = async (chain: TriedChain, wallet: PlainWallet) => {
  const first = await makeTransaction(chain, wallet);
  await chain.mine();
  const again = await makeTransaction(chain, wallet, { act: first.act });
  const isSame = Buffer.from(again.unsigned).equals(first.unsigned);
  const act = plainTransfer(chain, wallet, chain.amount + 1n);
  const second = isSame ? await makeTransaction(chain, wallet, { act }) : again;
  return { first, second, isExclusive: chain.family.excludes(first.exclusion, second.exclusion) };
};

const fateTests = (give: GiveTriedChain): void => {
  const fate = async (chain: TriedChain, ...asked: Parameters<ChainNode["fateOf"]>) =>
    got(await nodeOf(chain).fateOf(...asked)).kind;

  it("INV-4 is death for the loser of a place, by the final chain alone, and never for its taker", async () => {
    const chain = give();
    const wallet = await openPlainWallet(chain);
    const { address } = wallet;
    const { first, second, isExclusive } = await rivalsOn(chain, wallet);
    // without such a rule only time decides, which another test covers
    if (!isExclusive) return;
    expect([await fate(chain, address, [first]), await fate(chain, address, [second])]).toEqual([
      "open",
      "open",
    ]);
    expect(await nodeOf(chain).broadcast(first.signed)).toEqual({ kind: "accepted" });
    expect(await fate(chain, address, [second])).toBe("open");
    await chain.include();
    const { height } = includedAs(got(await nodeOf(chain).sight(first.txHash)));
    const { finalHeight } = got(await nodeOf(chain).head());
    if (height > finalHeight) expect(await fate(chain, address, [second])).toBe("open");
    expect(["outdated", "refused"]).toContain((await nodeOf(chain).broadcast(second.signed)).kind);
    await chain.outlive();
    expect(["outdated", "refused"]).toContain((await nodeOf(chain).broadcast(second.signed)).kind);
    expect(await fate(chain, address, [second])).toBe("dead");
    expect(await fate(chain, address, [first])).toBe("open");
    expect(await fate(chain, address, [second, first])).toBe("open");
    expect(got(await nodeOf(chain).sight(second.txHash)).kind).not.toBe("included");
  });

  it("is death by time where the family builds again what is dead, and is not where it does not", async () => {
    const chain = give();
    const wallet = await openPlainWallet(chain);
    const made = await makeTransaction(chain, wallet);
    expect(await fate(chain, wallet.address, [made])).toBe("open");
    await chain.outlive();
    expect(await fate(chain, wallet.address, [made])).toBe(chain.family.rebuilds ? "dead" : "open");
    const { kind } = await nodeOf(chain).broadcast(made.signed);
    expect(chain.family.rebuilds ? ["outdated", "refused"] : ["accepted"]).toContain(kind);
    await chain.include();
    expect(got(await nodeOf(chain).sight(made.txHash)).kind === "included").toBe(!chain.family.rebuilds);
  });

  it("is open for what has landed, however long ago", async () => {
    const chain = give();
    const wallet = await openPlainWallet(chain);
    const made = await landed(chain, nodeOf(chain), wallet);
    await chain.outlive();
    expect(await fate(chain, wallet.address, [made])).toBe("open");
    // an unknown signature alone does not make a transaction dead that would be built again
    const signed = made.signed.map((byte, at) => (at === made.signed.length - 3 ? byte ^ 1 : byte));
    if (chain.family.rebuilds) {
      const reported = await nodeOf(chain).fateOf(wallet.address, [{ unsigned: made.unsigned, signed }]);
      expect(reported.ok ? reported.value.kind : reported.problem.code).not.toBe("dead");
    }
  });
};

/** The same bytes with an invented signature: compared with them, the landed transaction has another id. */
const signedOtherwise = ({ signed }: { readonly signed: Uint8Array }): Uint8Array =>
  signed.map((byte, at) => (at === 5 ? byte ^ 1 : byte));

const twinTests = (give: GiveTriedChain): void => {
  it("INV-4 is found by its bytes where they landed under another hash, and nothing else is taken for it", async () => {
    const chain = give();
    const { twinOf } = nodeOf(chain);
    const wallet = await openPlainWallet(chain);
    if (twinOf === undefined) return;
    const made = await makeTransaction(chain, wallet);
    const act = plainTransfer(chain, wallet, chain.amount + 1n);
    const rival = await makeTransaction(chain, wallet, { act });
    const own = { unsigned: made.unsigned, signed: signedOtherwise(made) };
    expect(got(await twinOf(wallet.address, own))).toBeUndefined();
    await nodeOf(chain).broadcast(made.signed);
    await chain.include();
    await chain.finalise();
    const { signed, txHash } = made;
    expect(got(await twinOf(wallet.address, own))).toEqual({ signed, txHash });
    expect(got(await twinOf(wallet.address, made))).toBeUndefined();
    const other = { unsigned: rival.unsigned, signed: signedOtherwise(rival) };
    expect(got(await twinOf(wallet.address, other))).toBeUndefined();
    // the search still finds it after further blocks and transactions
    await landed(chain, nodeOf(chain), wallet);
    await chain.mine(20);
    expect(got(await twinOf(wallet.address, own))).toEqual({ signed, txHash });
  });
};

/** A time further in the future than any chain's clock runs ahead. */
const DAY_MS = 86_400_000;

const sentTests = (give: GiveTriedChain): void => {
  it("INV-4 is found among what the account sent, and nothing of others, on record, or from before is taken for it", async () => {
    const chain = give();
    const { family, entry } = chain;
    const node = nodeOf(chain);
    if (node.findSent === undefined) return;
    const wallet = await openPlainWallet(chain);
    const onRecord = await landed(chain, node, wallet);
    const rival = await makeTransaction(chain, wallet, {
      act: plainTransfer(chain, wallet, chain.amount + 1n),
    });
    await node.broadcast(rival.signed);
    await chain.include();
    await chain.finalise();
    const made = await landed(chain, node, wallet);
    const began = onRecord.date === undefined ? 0 : Date.parse(onRecord.date) - 1;
    const find = async (act: Act, sinceMs = began, sender = wallet.address) => {
      const places: PlacesToSearch = {
        lowest: 0n,
        highest: undefined,
        isExplained: (place) => place === onRecord.sequence,
      };
      const isIt = async ({ unsigned, txHash }: SentTransaction) =>
        txHash !== onRecord.txHash && family.read(entry, unsigned, act).ok;
      const search = { act, sinceMs, places: family.countsTransactions ? places : undefined, isIt };
      // each search uses a new client without memory
      return got((await nodeOf(chain).findSent?.(sender, search)) ?? expect.fail("it finds nothing"));
    };
    const { unsigned, signed, txHash, act } = made;
    expect(family.idOf?.(unsigned) ?? txHash).toBe(txHash);
    expect(await find(act)).toEqual({ unsigned, signed, txHash });
    expect(await find(rival.act)).toMatchObject({ txHash: rival.txHash });
    expect(await find(plainTransfer(chain, wallet, chain.amount + 2n))).toBeUndefined();
    expect(await find(act, began, (await openPlainWallet(chain)).address)).toBeUndefined();
    await chain.mine(20);
    expect(await find(act)).toEqual({ unsigned, signed, txHash });
    if (made.date !== undefined) expect(await find(act, Date.parse(made.date) + DAY_MS)).toBeUndefined();
  });
};

const reorganisationTests = (give: GiveTriedChain): void => {
  it("takes an inclusion back, kills nothing, and what it took is accepted and lands again", async () => {
    const chain = give();
    if (chain.reorganise === undefined) return;
    const node = nodeOf(chain);
    const wallet = await openPlainWallet(chain);
    const made = await landed(chain, node, wallet);
    const before = got(await node.head());
    await chain.reorganise();
    const after = got(await node.head());
    expect(after.hash).not.toBe(before.hash);
    expect(got(await node.sight(made.txHash)).kind).not.toBe("included");
    expect(got(await node.block(made.height, new Set([made.txHash])))?.holds ?? []).toEqual([]);
    expect(got(await node.fateOf(wallet.address, [made])).kind).toBe("open");
    expect(await node.broadcast(made.signed)).toEqual({ kind: "accepted" });
    await chain.include();
    const again = includedAs(got(await node.sight(made.txHash)));
    expect(again.blockHash).not.toBe(made.blockHash);
    expect(got(await node.block(again.height, new Set([made.txHash])))?.holds).toEqual([made.txHash]);
  });
};
