import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, OwnTransaction } from "../../chain.ts";
import {
  ALGO_TRANSFER,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASSET_ID,
  algorandIntent,
  authorisedAlgorand,
  signedAlgorand,
} from "../../testing/algorand-samples.ts";
import { answerOf, codeOf } from "../../testing/answers.ts";
import { openScriptedLedger, type ScriptedLedger } from "../../testing/ledgers/scripted-ledger.ts";
import { decodeAlgorand } from "../transaction.ts";
import { algorandNode } from "./node.ts";

let ledger: ScriptedLedger;
let node: ChainNode;
/** the last round before a test */
let lastRound: bigint;
beforeEach(async () => {
  ledger = await openScriptedLedger("Algorand", ALGORAND_TESTNET.genesisId);
  await ledger.fund(ALGORAND_SENDER, 10_000_000);
  node = algorandNode({ ...ALGORAND_TESTNET, algodUrl: ledger.node.url });
  lastRound = (await answerOf(node.head()))?.height ?? expect.fail("it has a head");
  ledger.node.asked.length = 0;
});
afterEach(() => ledger.stop());

const MAINNET_HASH = "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=";
const ABSENT = { status: 404, text: '{"message":"failed to retrieve information from the ledger"}' };

interface Made extends OwnTransaction {
  readonly id: string;
  readonly firstValid: bigint;
  readonly lastValid: bigint;
}

/** Builds and signs a transaction. */
const made = async (change: object = {}): Promise<Made> => {
  const built = await node.build(algorandIntent(authorisedAlgorand(ALGO_TRANSFER, change)));
  if (!built.ok) expect.fail(built.problem.message);
  const { unsigned } = built.value;
  const decoded = decodeAlgorand(unsigned);
  if (!decoded.ok) expect.fail("it is not read");
  const { firstValid, lastValid } = decoded.value;
  const { signed, txHash } = signedAlgorand(unsigned);
  return { unsigned, signed, id: txHash, firstValid, lastValid };
};

/** Sends a transaction to the node. */
const pass = async ({ signed }: OwnTransaction): Promise<void> =>
  expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });

/** Makes rounds until the chain has this one. */
const mineTo = async (round: bigint): Promise<void> => {
  const head = await answerOf(node.head());
  await ledger.mine(Number(round - (head?.height ?? 0n)));
};

/** @returns the hash of a round's block, from the ledger itself */
const hashOf = async (round: bigint): Promise<unknown> => {
  const answered = await fetch(`${ledger.url}/v2/blocks/${round}/hash`);
  return Object(await answered.json())["blockHash"];
};

/** Makes the node report another chain's genesis hash. */
const ofAnotherChain = async (): Promise<void> => {
  const answered = await fetch(`${ledger.url}/v2/transactions/params`);
  const text = (await answered.text()).replace(ALGORAND_TESTNET.genesisHash, MAINNET_HASH);
  ledger.node.spoilt.set("/v2/transactions/params", { status: 200, text });
};

describe("building on an Algorand node", () => {
  it("looks at the chain as it is at this moment", async () => {
    await ledger.mine(93);
    await ledger.admin("set-fees", { minimum: 2_000 });
    const built = await node.build(algorandIntent());
    const decoded = decodeAlgorand(built.ok ? built.value.unsigned : new Uint8Array());
    expect(decoded.ok && decoded.value).toMatchObject({
      firstValid: lastRound + 93n,
      lastValid: lastRound + 293n,
      fee: 2_000n,
      genesisId: "testnet-v1.0",
    });
  });

  it("waits while the node is of another chain", async () => {
    await ofAnotherChain();
    expect(await codeOf(node.build(algorandIntent()))).toBe("ServiceUnavailable");
  });

  it("shows the node its token, where the entry has one", async () => {
    const algodUrl = ledger.node.url;
    const guarded = algorandNode({ ...ALGORAND_TESTNET, algodUrl, algodToken: "a".repeat(64) });
    await guarded.head();
    expect(ledger.node.asked[0]?.headers["x-algo-api-token"]).toBe("a".repeat(64));
  });
});

describe("broadcasting on an Algorand node", () => {
  const posted = () =>
    ledger.node.asked.flatMap(({ method, path, body }) =>
      method === "POST" && path === "/v2/transactions" ? [body] : [],
    );

  it("hands over the very bytes, as often as it is asked", async () => {
    const own = await made();
    await pass(own);
    await ledger.mine();
    await pass(own);
    expect(posted()).toEqual([Buffer.from(own.signed), Buffer.from(own.signed)]);
  });

  it("believes no node that names another transaction", async () => {
    const { signed } = await made();
    const text = JSON.stringify({ txId: "A".repeat(52) });
    ledger.node.spoilt.set("/v2/transactions", { status: 200, text });
    expect(await node.broadcast(signed)).toMatchObject({ kind: "refused" });
  });

  it("takes a held lease for its own landing if the chain has it, and otherwise for another's", async () => {
    const first = await made();
    await ledger.mine();
    const second = await made();
    await pass(first);
    await ledger.mine();
    expect((await node.broadcast(second.signed)).kind).toBe("outdated");
    const message = `TransactionPool.Remember: transaction ${first.id} using an overlapping lease (sender, lease):(X, Y)`;
    await ledger.admin("refuse", { message });
    await pass(first);
  });
});

describe("following on an Algorand node", () => {
  it("has a head that nothing undoes", async () => {
    expect(await answerOf(node.head())).toEqual({
      height: lastRound,
      hash: await hashOf(lastRound),
      confirmedHeight: lastRound,
      finalHeight: lastRound,
    });
  });

  it("finds our transactions in a block, in its order", async () => {
    const [first, second, third] = [
      await made(),
      await made({ requestId: "xfr-aaaaa-bbbbb-ddddddddddddddd" }),
      await made({ requestId: "xfr-aaaaa-bbbbb-eeeeeeeeeeeeeee" }),
    ];
    for (const each of [first, second, third]) await pass(each);
    await ledger.mine();
    const height = lastRound + 1n;
    const ours = new Set([third.id, first.id, "D".repeat(52)]);
    expect(await answerOf(node.block(height, ours))).toMatchObject({
      height,
      hash: await hashOf(height),
      parentHash: await hashOf(lastRound),
      holds: [first.id, third.id],
    });
    expect(await node.block(height + 1n, ours)).toEqual({ ok: true, value: undefined });
  });

  it("sees a transaction nowhere, waiting, dropped from the pool, and in its block with the fee that it paid", async () => {
    const own = await made();
    const see = () => answerOf(node.sight(own.id));
    expect(await see()).toEqual({ kind: "unknown" });
    await pass(own);
    expect(await see()).toEqual({ kind: "waiting" });
    await ledger.admin("set-fees", { minimum: 2_000 });
    await ledger.mine();
    expect(await see()).toEqual({ kind: "unknown" });
    await ledger.admin("set-fees", { minimum: 1_000 });
    await pass(own);
    await ledger.mine();
    const height = lastRound + 2n;
    const included = { kind: "included", height, isFinal: true, fee: 1_000n, succeeded: true };
    expect(await see()).toMatchObject({ ...included, blockHash: await hashOf(height) });
    // the node has the transaction, but not its block yet
    ledger.node.spoilt.set(`/v2/blocks/${height}/hash`, ABSENT);
    expect(await see()).toEqual({ kind: "waiting" });
  });

  it("sees when its round was made, by the round's header, which is asked for once; and lands where no node tells it", async () => {
    const own = await made();
    await pass(own);
    await ledger.mine();
    const see = () => answerOf(node.sight(own.id));
    const header = `/v2/blocks/${lastRound + 1n}?`;
    const headers = () => ledger.node.asked.filter(({ path }) => path.startsWith(header)).length;
    ledger.node.spoilt.set(header, ABSENT);
    expect(await see()).toMatchObject({ kind: "included", fee: 1_000n });
    expect(await see()).not.toHaveProperty("date");
    ledger.node.spoilt.set(header, { status: 200, text: '{"block":{}}' });
    expect(await see()).not.toHaveProperty("date");
    ledger.node.spoilt.clear();
    const before = headers();
    for (let times = 0; times < 3; times += 1) {
      expect(await see()).toMatchObject({ kind: "included", date: "2026-11-20T00:00:00.000Z" });
    }
    expect(headers() - before).toBe(1);
  });

  it("takes nothing for an id that is none", () => {
    expect(() => node.sight("../status")).toThrow(TypeError);
  });
});

describe("INV-4 whether a transaction is dead", () => {
  const fate = async (...transactions: readonly OwnTransaction[]) => {
    const found = await node.fateOf(ALGORAND_SENDER, transactions);
    return found.ok ? found.value.kind : found.problem.code;
  };

  it("is open until the chain is past its last round, and dead then if no round holds it", async () => {
    const own = await made();
    expect(await fate(own)).toBe("open");
    await mineTo(own.lastValid);
    expect(await fate(own)).toBe("open");
    await ledger.mine();
    expect(await fate(own)).toBe("dead");
  });

  it("is open when any of its rounds holds it, though the node forgot it", async () => {
    const [first, last] = [await made(), await made({ requestId: "xfr-aaaaa-bbbbb-ddddddddddddddd" })];
    for (const each of [first, last]) await pass(each);
    const rounds = Number(last.lastValid - lastRound - 1n);
    await ledger.admin("delay", { id: last.id, rounds });
    await mineTo(last.lastValid + 1_001n);
    for (const each of [first, last]) {
      const another = algorandNode({ ...ALGORAND_TESTNET, algodUrl: ledger.node.url });
      expect(await answerOf(another.sight(each.id))).toEqual({ kind: "unknown" });
      const found = await another.fateOf(ALGORAND_SENDER, [each]);
      expect(found.ok && found.value.kind).toBe("open");
    }
    expect(await answerOf(node.block(last.lastValid, new Set([last.id])))).toMatchObject({
      holds: [last.id],
    });
  });

  it("is confirmed afterwards by the content of its rounds, with the fee that it paid", async () => {
    const own = await made();
    await pass(own);
    await ledger.mine(1_201);
    expect(await answerOf(node.sight(own.id))).toEqual({ kind: "unknown" });
    expect(await fate(own)).toBe("open");
    expect(await answerOf(node.sight(own.id))).toMatchObject({
      kind: "included",
      height: lastRound + 1n,
      fee: 1_000n,
    });
  });

  it("has no verdict from a node that has not all of its rounds, or not any more", async () => {
    const own = await made();
    await mineTo(own.lastValid + 1n);
    for (const round of [own.firstValid, own.lastValid]) {
      ledger.node.spoilt.set(`/v2/blocks/${round}/`, ABSENT);
      expect(await fate(own)).toBe("ServiceUnavailable");
      ledger.node.spoilt.clear();
    }
    expect(await fate(own)).toBe("dead");
  });

  it("has no verdict from a node of another chain, whose rounds hold nothing of this one", async () => {
    const own = await made();
    await mineTo(own.lastValid + 1n);
    await ofAnotherChain();
    expect(await fate(own)).toBe("ServiceUnavailable");
    ledger.node.spoilt.clear();
    expect(await fate(own)).toBe("dead");
  });

  it("is dead only when all of a request's transactions are", async () => {
    const first = await made();
    await ledger.mine(100);
    const second = await made();
    await mineTo(first.lastValid + 1n);
    expect([await fate(first), await fate(first, second), await fate(second)]).toEqual([
      "dead",
      "open",
      "open",
    ]);
    await mineTo(second.lastValid + 1n);
    expect(await fate(first, second)).toBe("dead");
  });

  it("reads each round once, however many transactions and times it is asked about", async () => {
    const first = await made();
    await ledger.mine();
    const second = await made();
    await mineTo(second.lastValid + 1n);
    await fate(first, second);
    const looks = () => ledger.node.asked.filter(({ path }) => path.endsWith("/txids")).length;
    expect(looks()).toBe(202);
    await fate(first);
    await fate(second);
    expect(looks()).toBe(202);
  });
});

describe("an Algorand node", () => {
  it("has no non-fungible tokens, no account sequence, and one fee for all", async () => {
    expect(await node.tokenOwner(ASSET_ID, 1n)).toEqual({ ok: true, value: undefined });
    expect(await node.nextSequence(ALGORAND_SENDER)).toEqual({ ok: true, value: undefined });
    expect(await codeOf(node.feeLevels())).toBe("PriorityNotSupported");
  });
});
