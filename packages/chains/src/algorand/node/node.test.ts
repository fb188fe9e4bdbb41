import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, OwnTransaction, TransactionIntent } from "../../chain.ts";
import {
  ALGO_TRANSFER,
  ALGORAND_KEY,
  ALGORAND_RECIPIENT,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASA_TRANSFER,
  ASSET_ID,
  algorandBytes,
  authorisedAlgorand,
  authorisedAlgorandBytes,
} from "../../testing/algorand-samples.ts";
import { StubAlgod, stubHash } from "../../testing/stub-algod.ts";
import { ALGORAND_FAMILY } from "../family.ts";
import { algorandId, bytesToSign, decodeAlgorand } from "../transaction.ts";
import { algodOutcome } from "./broadcast.ts";
import { algorandNode } from "./node.ts";

let algod: StubAlgod;
let node: ChainNode;
beforeEach(async () => {
  algod = await StubAlgod.start();
  node = algorandNode({ ...ALGORAND_TESTNET, algodUrl: `${algod.url}/` });
  algod.accounts.set(ALGORAND_SENDER, {
    amount: 10_000_000n,
    least: 200_000n,
    holdings: { [ASSET_ID]: { amount: 9_007_199_254_740_993n, isFrozen: false } },
  });
  algod.accounts.set(ALGORAND_RECIPIENT, {
    amount: 200_000n,
    least: 200_000n,
    holdings: { [ASSET_ID]: { amount: 0n, isFrozen: false } },
  });
  algod.assets.set(ASSET_ID, { decimals: 6, "unit-name": "USDC", name: "USDC", total: 2n ** 64n - 1n });
});
afterEach(() => algod.stop());

const ABSENT = { status: 404, text: '{"message":"failed to retrieve information from the ledger"}' };

const intent = (act: TransactionIntent["act"] = authorisedAlgorand(ALGO_TRANSFER)): TransactionIntent => ({
  sender: ALGORAND_SENDER,
  keys: [ALGORAND_KEY.publicKey],
  act,
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
});

/** A transaction as it is built now, and signed. */
const made = async (): Promise<OwnTransaction & { readonly id: string; readonly lastValid: bigint }> => {
  const built = await node.build(intent());
  if (!built.ok) expect.fail(built.problem.message);
  const { unsigned } = built.value;
  const signature = ALGORAND_KEY.sign(bytesToSign(unsigned));
  const attached = ALGORAND_FAMILY.attach(unsigned, [signature], [ALGORAND_KEY.publicKey]);
  const decoded = decodeAlgorand(unsigned);
  if (!attached.ok || !decoded.ok) expect.fail("it is not signed");
  return {
    unsigned,
    signed: attached.value.signed,
    id: attached.value.txHash,
    lastValid: decoded.value.lastValid,
  };
};

const answerOf = async <T>(
  asked: Promise<{ readonly ok: boolean; readonly value?: T }>,
): Promise<T | undefined> => (await asked).value;
const codeOf = async (
  asked: Promise<{ readonly ok: boolean; readonly problem?: { readonly code: string } }>,
) => (await asked).problem?.code ?? "ok";

describe("building on an Algorand node", () => {
  it("looks at the chain as it is at this moment", async () => {
    algod.lastRound = 7_000n;
    algod.leastFee = 2_000n;
    const built = await node.build(intent());
    const decoded = decodeAlgorand(built.ok ? built.value.unsigned : new Uint8Array());
    expect(decoded.ok && decoded.value).toMatchObject({
      firstValid: 7_000n,
      lastValid: 7_200n,
      fee: 2_000n,
      genesisId: "testnet-v1.0",
    });
  });

  it("looks at both holdings of an asset, and asks for no list of assets", async () => {
    expect(await codeOf(node.build(intent(authorisedAlgorand(ASA_TRANSFER))))).toBe("ok");
    const paths = algod.asked.map(({ path }) => path).sort();
    expect(paths).toEqual(
      [
        "/v2/transactions/params",
        `/v2/accounts/${ALGORAND_SENDER}?exclude=all`,
        `/v2/accounts/${ALGORAND_RECIPIENT}?exclude=all`,
        `/v2/accounts/${ALGORAND_SENDER}/assets/${ASSET_ID}`,
        `/v2/accounts/${ALGORAND_RECIPIENT}/assets/${ASSET_ID}`,
        "/v2/transactions/simulate?format=json",
      ].sort(),
    );
  });

  it("says in words what is missing", async () => {
    algod.accounts.set(ALGORAND_RECIPIENT, { amount: 0n, least: 100_000n });
    const asa = await node.build(intent(authorisedAlgorand(ASA_TRANSFER)));
    expect(!asa.ok && asa.problem.message).toContain(
      `the recipient has not opted in to the asset ${ASSET_ID}`,
    );
    const small = await node.build(intent(authorisedAlgorand({ ...ALGO_TRANSFER, amount: "1" })));
    expect(!small.ok && small.problem.code).toBe("RecipientCannotReceive");
    algod.accounts.set(ALGORAND_SENDER, { amount: 1_000n, least: 100_000n });
    expect(await codeOf(node.build(intent()))).toBe("InsufficientFunds");
  });

  it("refuses a caller's own bytes that are in the pool or in a block already", async () => {
    const bytes = Buffer.from(algorandBytes().slice(2), "hex");
    const own = intent(authorisedAlgorandBytes(bytes));
    expect(await codeOf(node.build(own))).toBe("ok");
    const id = algorandId(bytes);
    algod.pending.set(id, { "pool-error": "", txn: { txn: { fee: 1_000 } } });
    expect(await codeOf(node.build(own))).toBe("TransactionInvalid");
    algod.pending.set(id, { "pool-error": "", "confirmed-round": 950, txn: { txn: { fee: 1_000 } } });
    expect(await codeOf(node.build(own))).toBe("TransactionInvalid");
  });

  it("waits while the node is of another chain", async () => {
    algod.genesisHash = "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=";
    expect(await codeOf(node.build(intent()))).toBe("ServiceUnavailable");
  });

  it("shows the node its token, where the entry has one", async () => {
    const guarded = algorandNode({ ...ALGORAND_TESTNET, algodUrl: algod.url, algodToken: "a".repeat(64) });
    await guarded.head();
    expect(algod.asked[0]?.token).toBe("a".repeat(64));
  });
});

describe("broadcasting on an Algorand node", () => {
  it("hands over the very bytes, as often as it is asked", async () => {
    const { signed, id } = await made();
    algod.takenId = id;
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    algod.refusal = `TransactionPool.Remember: transaction already in ledger: ${id}`;
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    expect(algod.posted).toEqual([Buffer.from(signed), Buffer.from(signed)]);
  });

  it("believes no node that names another transaction", async () => {
    const { signed } = await made();
    algod.takenId = "A".repeat(52);
    expect(await node.broadcast(signed)).toMatchObject({ kind: "refused" });
  });

  it("takes a lease that is held for its own landing where the chain has it, and for another's where not", async () => {
    const { signed, id } = await made();
    algod.refusal = `TransactionPool.Remember: transaction ${id} using an overlapping lease (sender, lease):(X, Y)`;
    expect((await node.broadcast(signed)).kind).toBe("outdated");
    algod.pending.set(id, { "pool-error": "", "confirmed-round": 990, txn: { txn: { fee: 1_000 } } });
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
  });

  const OWN = "B".repeat(52);
  it.each([
    ["accepted", `TransactionPool.Remember: transaction already in ledger: ${OWN}`],
    ["outdated", `TransactionPool.Remember: transaction already in ledger: ${"C".repeat(52)}`],
    [
      "outdated",
      `TransactionPool.Remember: transaction ${OWN} using an overlapping lease (sender, lease): (X, Y)`,
    ],
    ["outdated", "TransactionPool.Remember: txn dead: round 1201 outside of 1000--1200"],
    ["refused", "TransactionPool.Remember: txn dead: round 999 outside of 1000--1200"],
    ["refused", "TransactionPool.Remember: txn dead: round 1000 outside of 1000--1200"],
    ["refused", "TransactionPool.checkPendingQueueSize: transaction pool have reached capacity"],
    ["refused", `TransactionPool.Remember: fee {1000} below threshold 2000 (1.1 per byte * 250 bytes)`],
    [
      "refused",
      `TransactionPool.Remember: transaction ${OWN}: overspend (account X, data {…}, tried to spend {5})`,
    ],
    ["refused", `TransactionPool.Remember: transaction ${OWN}: asset 5 missing from Y`],
    [
      "refused",
      `TransactionPool.Remember: transaction ${OWN}: receiver error: must optin, asset 5 missing from Y`,
    ],
    ["refused", `TransactionPool.Remember: transaction ${OWN}: asset frozen in recipient`],
    ["refused", `TransactionPool.Remember: transaction ${OWN}: asset 5 frozen in X`],
    [
      "refused",
      `TransactionPool.Remember: transaction ${OWN}: account X balance 5 below min 100000 (0 assets)`,
    ],
    [
      "refused",
      `TransactionPool.Remember: transaction ${OWN}: underflow on subtracting 5 from sender amount 4`,
    ],
    ["refused", "TransactionPool.ingest: no pending block evaluator"],
    ["unacceptable", "TransactionPool.Remember: tx.GenesisHash <X> does not match expected <Y>"],
    ["unacceptable", "At least one signature didn't pass verification"],
    ["unacceptable", `transaction ${OWN} invalid : transaction window size excessive (1--1002)`],
    ["unacceptable", `transaction {Sig:[1 2]} invalid : transaction note too big: 1025 > 1024`],
    ["unacceptable", `TransactionPool.Remember: transaction ${OWN}: malformed: asset ID cannot be zero`],
    [
      "unacceptable",
      `TransactionPool.Remember: transaction ${OWN}: should have been authorized by ${"D".repeat(58)} but was actually authorized by ${"E".repeat(58)}`,
    ],
    [
      "unacceptable",
      "TransactionPool.Remember: txgroup with 999uA fees is less than 1mA (usage=1.000000 * base=1mA)",
    ],
    [
      "unacceptable",
      `TransactionPool.Remember: transaction ${OWN}: asset 5 does not exist or has been deleted`,
    ],
    ["unacceptable", "transactionGroup: incomplete group: X != Y (Z)"],
    ["unacceptable", "msgpack decode error [pos 0]: no map"],
    ["refused", "something that nobody has heard of"],
  ])("reads a refusal as %s: %s", (kind, said) => {
    const outcome = algodOutcome(said, OWN);
    expect(outcome.kind).toBe(kind);
    if (outcome.kind === "refused" || outcome.kind === "unacceptable") {
      expect(outcome.reason).toContain(said);
    }
  });
});

describe("following on an Algorand node", () => {
  it("has a head that nothing undoes", async () => {
    expect(await answerOf(node.head())).toEqual({
      height: 1_000n,
      hash: stubHash(1_000n),
      confirmedHeight: 1_000n,
      finalHeight: 1_000n,
    });
  });

  it("finds our transactions in a block, in its order", async () => {
    algod.rounds.set(999n, ["A".repeat(52), "B".repeat(52), "C".repeat(52)]);
    const ours = new Set(["C".repeat(52), "A".repeat(52), "D".repeat(52)]);
    expect(await answerOf(node.block(999n, ours))).toEqual({
      height: 999n,
      hash: stubHash(999n),
      parentHash: stubHash(998n),
      holds: ["A".repeat(52), "C".repeat(52)],
    });
    expect(await node.block(1_001n, ours)).toEqual({ ok: true, value: undefined });
  });

  it("sees a transaction nowhere, waiting, dropped from the pool, and in its block with the fee that it paid", async () => {
    const { id } = await made();
    const see = () => answerOf(node.sight(id));
    expect(await see()).toEqual({ kind: "unknown" });
    algod.pending.set(id, { "pool-error": "", txn: { sig: "", txn: { fee: 1_000 } } });
    expect(await see()).toEqual({ kind: "waiting" });
    algod.pending.set(id, { "pool-error": "overspend", txn: { sig: "", txn: { fee: 1_000 } } });
    expect(await see()).toEqual({ kind: "unknown" });
    algod.pending.set(id, {
      "pool-error": "",
      "confirmed-round": 990,
      txn: { sig: "", txn: { fee: 1_000 } },
    });
    const included = {
      kind: "included",
      height: 990n,
      blockHash: stubHash(990n),
      isFinal: true,
      fee: 1_000n,
    };
    expect(await see()).toEqual({ ...included, succeeded: true });
    algod.lastRound = 989n;
    expect(await see()).toEqual({ kind: "waiting" });
  });

  it("sees when its round was made, by the round's header, which is asked for once; and lands where no node tells it", async () => {
    const { id } = await made();
    algod.pending.set(id, {
      "pool-error": "",
      "confirmed-round": 990,
      txn: { sig: "", txn: { fee: 1_000 } },
    });
    const see = () => answerOf(node.sight(id));
    const headers = () => algod.asked.filter(({ path }) => path.startsWith("/v2/blocks/990?")).length;
    algod.spoilt.set("/v2/blocks/990?", ABSENT);
    expect(await see()).toMatchObject({ kind: "included", fee: 1_000n });
    expect(await see()).not.toHaveProperty("date");
    algod.spoilt.clear();
    expect(await see()).not.toHaveProperty("date");
    algod.times.set(990n, 1_795_132_800n);
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
    algod.lastRound = own.lastValid;
    expect(await fate(own)).toBe("open");
    algod.lastRound = own.lastValid + 1n;
    expect(await fate(own)).toBe("dead");
  });

  it("is open when any of its rounds holds it, though the node forgot it", async () => {
    const first = await made();
    const last = await made();
    algod.lastRound = first.lastValid + 5_000n;
    algod.rounds.set(1_000n, [first.id]);
    expect(await fate(first)).toBe("open");
    algod.rounds.set(1_000n, []);
    algod.rounds.set(last.lastValid, [last.id]);
    const another = algorandNode({ ...ALGORAND_TESTNET, algodUrl: algod.url });
    const found = await another.fateOf(ALGORAND_SENDER, [last]);
    expect(found.ok && found.value.kind).toBe("open");
  });

  it("is confirmed afterwards by the content of its rounds, with the fee that it paid", async () => {
    const own = await made();
    algod.lastRound = own.lastValid + 5_000n;
    algod.rounds.set(1_100n, [own.id]);
    expect(await answerOf(node.sight(own.id))).toEqual({ kind: "unknown" });
    expect(await fate(own)).toBe("open");
    expect(await answerOf(node.sight(own.id))).toMatchObject({
      kind: "included",
      height: 1_100n,
      fee: 1_000n,
    });
  });

  it("has no verdict from a node that has not all of its rounds, or not any more", async () => {
    const own = await made();
    algod.lastRound = own.lastValid + 1n;
    algod.firstRound = 1_001n;
    expect(await fate(own)).toBe("ServiceUnavailable");
    algod.firstRound = 1n;
    algod.spoilt.set(`/v2/blocks/${own.lastValid}/txids`, ABSENT);
    expect(await fate(own)).toBe("ServiceUnavailable");
    algod.spoilt.clear();
    expect(await fate(own)).toBe("dead");
  });

  it("has no verdict from a node of another chain, whose rounds hold nothing of this one", async () => {
    const own = await made();
    const { genesisHash } = algod;
    algod.lastRound = own.lastValid + 1n;
    algod.genesisHash = "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=";
    expect(await fate(own)).toBe("ServiceUnavailable");
    algod.genesisHash = genesisHash;
    expect(await fate(own)).toBe("dead");
  });

  it("is dead only when all of a request's transactions are", async () => {
    const first = await made();
    algod.lastRound = 1_100n;
    const second = await made();
    algod.lastRound = first.lastValid + 1n;
    expect([await fate(first), await fate(first, second), await fate(second)]).toEqual([
      "dead",
      "open",
      "open",
    ]);
    algod.lastRound = second.lastValid + 1n;
    expect(await fate(first, second)).toBe("dead");
  });

  it("reads each round once, however many transactions and times it is asked about", async () => {
    const first = await made();
    algod.lastRound += 1n;
    const second = await made();
    algod.lastRound = second.lastValid + 1n;
    await fate(first, second);
    const looks = algod.asked.filter(({ path }) => path.endsWith("/txids")).length;
    expect(looks).toBe(202);
    await fate(first);
    await fate(second);
    expect(algod.asked.filter(({ path }) => path.endsWith("/txids")).length).toBe(looks);
  });
});

describe("reading accounts and assets on an Algorand node", () => {
  it("reads numbers of 64 bits to the last digit", async () => {
    expect(await answerOf(node.balance(ALGORAND_SENDER))).toBe(10_000_000n);
    expect(await answerOf(node.tokenBalance(ALGORAND_SENDER, ASSET_ID))).toBe(9_007_199_254_740_993n);
  });

  it("tells an asset that an account does not hold from one that there is not", async () => {
    algod.accounts.set(ALGORAND_RECIPIENT, { amount: 0n, least: 100_000n });
    expect(await node.tokenBalance(ALGORAND_RECIPIENT, ASSET_ID)).toEqual({ ok: true, value: 0n });
    expect(await node.tokenBalance(ALGORAND_RECIPIENT, "5")).toEqual({ ok: true, value: undefined });
  });

  it("describes an asset by its unit, as far as that is text", async () => {
    expect(await answerOf(node.describeToken(ASSET_ID))).toEqual({
      symbol: "USDC",
      decimals: 6,
      verified: false,
    });
    algod.assets.set("6", { decimals: 0, "unit-name": "\u0000" });
    expect(await answerOf(node.describeToken("6"))).toEqual({ decimals: 0, verified: false });
    expect(await answerOf(node.describeToken("7"))).toEqual({});
    await expect(node.describeToken("../params")).rejects.toThrow(TypeError);
  });

  it("has no tokens that are one of a kind, no place among others, and one fee for all", async () => {
    expect(await node.tokenOwner(ASSET_ID, 1n)).toEqual({ ok: true, value: undefined });
    expect(await node.nextSequence(ALGORAND_SENDER)).toEqual({ ok: true, value: undefined });
    expect(await codeOf(node.feeLevels())).toBe("PriorityNotSupported");
  });
});
