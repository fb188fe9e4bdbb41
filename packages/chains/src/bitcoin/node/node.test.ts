import { once } from "node:events";
import { createServer } from "node:http";
import { type RunningLedger, startBitcoinLedger } from "@conclave/ledgers";
import { commandLedger, HandClock } from "@conclave/ledgers/testing";
import { bytesToHex } from "@noble/curves/utils.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { BuiltTransaction, ChainNode, OwnTransaction, TransactionIntent } from "../../chain.ts";
import {
  authorisedBitcoin,
  authorisedBitcoinTransaction,
  authorisedPsbt,
  BITCOIN_KEY,
  BITCOIN_RECIPIENT,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  BTC_TRANSFER,
  samplePsbt,
  TAPROOT_KEY,
} from "../../testing/bitcoin-samples.ts";
import { BITCOIN_FAMILY } from "../family.ts";
import type { BitcoinNetwork } from "../network.ts";
import { decodePsbt, encodePsbt, feeOfPsbt, type Psbt, transactionOf } from "../wire/psbt.ts";
import { txidOf } from "../wire/transaction.ts";
import { satoshisOf } from "./amounts.ts";
import { bitcoindOutcome } from "./broadcast.ts";
import { bitcoinNode } from "./node.ts";

const START_MS = 1_795_132_800_000;
const CREDENTIALS = { bitcoindUser: "conclave", bitcoindPassword: "a long one" };

let ledger: RunningLedger;
let network: BitcoinNetwork;
let node: ChainNode;

const answerSchema = z.object({ result: z.unknown() });
const rpc = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
  const answer = await fetch(ledger.url, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from("conclave:a long one").toString("base64")}` },
    body: JSON.stringify({ id: 1, method, params }),
  });
  return answerSchema.parse(await answer.json()).result;
};
const admin = (action: string, input: object = {}) => commandLedger(ledger, action, input);
const mine = (blocks = 1) => admin("mine", { blocks });
const fund = async (address: string, ...amounts: readonly number[]): Promise<void> => {
  for (const amount of amounts) await admin("fund", { address, amount });
  await mine();
};

beforeEach(async () => {
  ledger = await startBitcoinLedger({
    clock: new HandClock(START_MS),
    chain: "signet",
    seed: "tests",
    blockMs: 0,
    listen: { host: "127.0.0.1", port: 0 },
    adminPort: 0,
    token: "conclave:a long one",
  });
  const genesisHash = z.string().parse(await rpc("getblockhash", 0));
  network = { ...BITCOIN_SIGNET, ...CREDENTIALS, genesisHash, bitcoindUrl: ledger.url };
  node = bitcoinNode(network);
});
afterEach(() => ledger.stop());

const intent = (change: Partial<TransactionIntent> = {}): TransactionIntent => ({
  sender: BITCOIN_SENDER,
  keys: [BITCOIN_KEY.publicKey],
  act: authorisedBitcoin(),
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
  alive: [],
  ...change,
});

interface Made extends OwnTransaction {
  readonly txid: string;
  readonly psbt: Psbt;
}

/** Builds a transaction, reads it as signers do, and signs it. */
const make = async (
  change: Partial<TransactionIntent> = {},
  key: typeof BITCOIN_KEY | typeof TAPROOT_KEY = BITCOIN_KEY,
): Promise<Made> => {
  const wanted = intent(change);
  const built = await node.build(wanted);
  if (!built.ok) expect.fail(built.problem.message);
  return signed(built.value, wanted, key);
};

const signed = (
  { unsigned }: BuiltTransaction,
  { act }: TransactionIntent,
  key: typeof BITCOIN_KEY | typeof TAPROOT_KEY,
): Made => {
  const read = BITCOIN_FAMILY.read(network, unsigned, act);
  const psbt = decodePsbt(unsigned);
  if (!read.ok || !psbt.ok) expect.fail("it is not read");
  const signatures = read.value.signables.map(({ bytes }) => key.sign(bytes));
  const attached = BITCOIN_FAMILY.attach(unsigned, signatures, [key.publicKey]);
  if (!attached.ok) expect.fail(attached.problem.message);
  return { unsigned, signed: attached.value.signed, txid: attached.value.txHash, psbt: psbt.value };
};

const sent = async (made: Made): Promise<Made> => {
  expect(await node.broadcast(made.signed)).toEqual({ kind: "accepted" });
  return made;
};
const gotOf = <T>(
  result:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly problem: { readonly message: string } },
): T => (result.ok ? result.value : expect.fail(result.problem.message));
const problemOf = (result: {
  readonly ok: boolean;
  readonly problem?: { readonly code: string; readonly message: string };
}) => [result.problem?.code, result.problem?.message] as const;
const amounts = ({ psbt }: Made) => psbt.inputs.map(({ coin }) => coin.amount);

describe("a payment of a P2WPKH wallet", () => {
  it("of several coins with change is taken, mined, and final with the fee that it paid", async () => {
    await fund(BITCOIN_SENDER, 70_000, 60_000, 5_000);
    const made = await make();
    expect(amounts(made)).toEqual([70_000n, 60_000n]);
    await sent(made);
    expect(gotOf(await node.sight(made.txid))).toEqual({ kind: "waiting" });
    await mine();
    const fee = feeOfPsbt(made.psbt);
    const height = gotOf(await node.head()).height;
    expect(gotOf(await node.sight(made.txid))).toMatchObject({
      kind: "included",
      height,
      isFinal: false,
      fee,
      succeeded: true,
    });
    await mine(5);
    expect(gotOf(await node.sight(made.txid))).toMatchObject({ isFinal: true, fee });
    expect(gotOf(await node.balance(BITCOIN_RECIPIENT))).toBe(120_000n);
    expect(gotOf(await node.balance(BITCOIN_SENDER))).toBe(135_000n - 120_000n - fee);
  });

  it("pays its change again once that is in a block", async () => {
    await fund(BITCOIN_SENDER, 400_000);
    const first = await sent(await make());
    const second = await node.build(intent({ alive: [first.unsigned] }));
    expect(problemOf(second)).toEqual([
      "ServiceUnavailable",
      expect.stringContaining("waiting for the change"),
    ]);
    await mine();
    const after = await sent(await make());
    expect(amounts(after)[0]).toBe(400_000n - 120_000n - feeOfPsbt(first.psbt));
  });

  it("takes no coin that a transaction of the pool spends", async () => {
    await fund(BITCOIN_SENDER, 130_000, 140_000);
    const [first, second] = [await sent(await make()), await sent(await make())];
    expect([amounts(first), amounts(second)]).toEqual([[130_000n], [140_000n]]);
  });

  it("sent again is a success, in the pool and in a block", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const made = await sent(await make());
    await sent(made);
    await mine();
    await sent(made);
  });

  it("altered after it was signed is refused", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const made = await make();
    const hex = bytesToHex(made.signed);
    const paid = "c0d4010000000000";
    const altered = Buffer.from(hex.replace(paid, "c1d4010000000000"), "hex");
    expect(hex.includes(paid)).toBe(true);
    expect(await node.broadcast(altered)).toMatchObject({ kind: "unacceptable" });
  });
});

describe("a payment of a Taproot wallet", () => {
  it("is taken and mined", async () => {
    await fund(TAPROOT_KEY.address, 70_000, 60_000);
    const act = authorisedBitcoin({ ...BTC_TRANSFER, from: TAPROOT_KEY.address });
    const made = await sent(
      await make({ act, sender: TAPROOT_KEY.address, keys: [TAPROOT_KEY.publicKey] }, TAPROOT_KEY),
    );
    await mine();
    expect(gotOf(await node.sight(made.txid))).toMatchObject({
      kind: "included",
      fee: feeOfPsbt(made.psbt),
    });
  });
});

describe("fees", () => {
  it("follow the node's estimates, with its floors and a fallback", async () => {
    await admin("set-fees", { young: true });
    expect(gotOf(await node.feeLevels())).toMatchObject({
      kind: "Bitcoin",
      slow: { feeRate: "2", blockHorizon: 144 },
      standard: { feeRate: "10", blockHorizon: 6 },
      fast: { feeRate: "20", blockHorizon: 1 },
    });
    const estimates = [
      { blocks: 2, rate: 30_500 },
      { blocks: 6, rate: 12_000 },
      { blocks: 144, rate: 1 },
    ];
    await admin("set-fees", { young: false, estimates });
    const levels = gotOf(await node.feeLevels());
    if (levels.kind !== "Bitcoin") expect.fail("they are of another family");
    const rates = [levels.slow, levels.standard, levels.fast].map(({ feeRate }) => Number(feeRate));
    expect(rates).toEqual([...rates].sort((one, other) => one - other));
    await fund(BITCOIN_SENDER, 800_000, 800_000);
    const slow = await make({ priority: "Slow" });
    const fast = await make({ priority: "Fast" });
    expect(feeOfPsbt(fast.psbt) > feeOfPsbt(slow.psbt)).toBe(true);
    expect(feeOfPsbt(slow.psbt) >= 141n).toBe(true);
  });
});

const { from, to, amount } = BTC_TRANSFER;
const replaces = ["xfr-aaaaa-bbbbb-ccccccccccccccc"];

describe("K7 coins that are gathered while fees are low", () => {
  const gathering = () => node.gathering ?? expect.fail("coins of Bitcoin are gathered");
  const rates = (rate: number) => admin("set-fees", { young: false, estimates: [{ blocks: 6, rate }] });

  /** A gathering by the service itself: the gateway authorises the body that the node proposes. */
  const proposed = async () => {
    const { coins, body } = gotOf(await gathering().coinsOf(BITCOIN_SENDER));
    if (body.kind !== "Consolidate") expect.fail("it gathers");
    const { kind, maxFee = "0", maxFeeRate = "0" } = body;
    const act = authorisedBitcoinTransaction({ kind, from: BITCOIN_SENDER, maxFee, maxFeeRate });
    return { coins, maxFee, act };
  };
  const largest = Array.from({ length: 32 }, (_, at) => 900_000 - at);

  it("are counted, and the body that gathers them pays for all of them at the highest of those fees", async () => {
    await fund(BITCOIN_SENDER, ...largest, 20_000, 30_000, 40_000, 50_000);
    await mine(5);
    await rates(10_000);
    const { coins, maxFee, act } = await proposed();
    const { psbt } = await make({ act, isGathering: true });
    expect([coins, psbt.inputs.length, feeOfPsbt(psbt)]).toEqual([36, 4, BigInt(maxFee)]);
  });

  it("leave the largest to payments, where the service gathers by itself", async () => {
    await fund(BITCOIN_SENDER, 20_000, ...largest, 30_000);
    await mine(5);
    const { act } = await proposed();
    const gathered = await make({ act, isGathering: true });
    expect(amounts(gathered).toSorted()).toEqual([20_000n, 30_000n]);
    const payment = await make({
      alive: [gathered.unsigned],
      act: authorisedBitcoin({ ...BTC_TRANSFER, amount: "25000000" }),
    });
    expect(payment.psbt.inputs.length).toBeGreaterThan(25);
    // a caller's own gathering includes the largest coins too
    const asked = authorisedBitcoinTransaction({ kind: "Consolidate", from: BITCOIN_SENDER });
    expect((await make({ act: asked })).psbt.inputs).toHaveLength(34);
  });

  it("are final, where the service gathers by itself: a reorganisation strands nothing", async () => {
    await fund(BITCOIN_SENDER, ...largest, 20_000, 30_000);
    await fund(BITCOIN_SENDER, 40_000);
    await mine(3);
    expect((await proposed()).coins).toBe(0);
    await mine();
    const { coins, act } = await proposed();
    expect(coins).toBe(34);
    expect(amounts(await make({ act, isGathering: true })).toSorted()).toEqual([20_000n, 30_000n]);
    const asked = authorisedBitcoinTransaction({ kind: "Consolidate", from: BITCOIN_SENDER });
    expect((await make({ act: asked })).psbt.inputs).toHaveLength(35);
    await mine();
    const later = await proposed();
    expect(later.coins).toBe(35);
    expect((await make({ act: later.act, isGathering: true })).psbt.inputs).toHaveLength(3);
  });

  it("fail in words where nothing is left beside the largest", async () => {
    await fund(BITCOIN_SENDER, ...largest, 20_000);
    await mine(5);
    const { act } = await proposed();
    const [code, message] = problemOf(await node.build(intent({ act, isGathering: true })));
    expect([code, message]).toEqual(["InsufficientFunds", expect.stringMatching(/nothing to gather/)]);
  });

  it("are gathered at 10 satoshis a virtual byte and less", async () => {
    await rates(10_000);
    expect(await gathering().isCheap()).toEqual({ ok: true, value: true });
    await rates(10_100);
    expect(await gathering().isCheap()).toEqual({ ok: true, value: false });
  });

  it("are left where the node has seen too few blocks to estimate fees", async () => {
    await admin("set-fees", { young: true });
    expect(await gathering().isCheap()).toEqual({ ok: true, value: false });
  });
});

describe("INV-4 a replacement of a waiting transaction", () => {
  const replacing = ({ unsigned: earlier }: Made) =>
    ({ kind: "replacing", sequence: undefined, earlier }) as const;
  const speedUp = authorisedBitcoinTransaction({ kind: "SpeedUp", from, to, amount }, { replaces });
  const cancel = authorisedBitcoinTransaction({ kind: "Cancel", from }, { replaces });

  it("is taken by the node, and makes the other one dead once it is final", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const first = await sent(await make());
    const faster = await sent(await make({ act: speedUp, sequencing: replacing(first) }));
    expect(await node.broadcast(first.signed)).toMatchObject({ kind: "outdated" });
    expect(gotOf(await node.fateOf(BITCOIN_SENDER, [first]))).toEqual({ kind: "open" });
    await mine();
    expect(gotOf(await node.sight(faster.txid))).toMatchObject({ kind: "included" });
    // its coin is spent, but not for good yet
    expect(gotOf(await node.fateOf(BITCOIN_SENDER, [first]))).toEqual({ kind: "open" });
    await mine(5);
    expect(gotOf(await node.fateOf(BITCOIN_SENDER, [first]))).toEqual({
      kind: "dead",
      reason: expect.stringMatching(
        new RegExp(`^${faster.txid} has spent its coin .* this one can never land$`),
      ),
    });
    // one of the two has landed
    expect(gotOf(await node.fateOf(BITCOIN_SENDER, [first, faster]))).toEqual({ kind: "open" });
  });

  it("gives everything back, and can be cancelled once more", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const first = await sent(await make());
    const back = await sent(await make({ act: cancel, sequencing: replacing(first) }));
    const again = await sent(await make({ act: cancel, sequencing: replacing(back) }));
    await mine(6);
    expect(gotOf(await node.balance(BITCOIN_SENDER))).toBe(200_000n - feeOfPsbt(again.psbt));
    expect(gotOf(await node.fateOf(BITCOIN_SENDER, [first])).kind).toBe("dead");
    expect(gotOf(await node.fateOf(BITCOIN_SENDER, [back])).kind).toBe("dead");
  });
});

describe("a transaction that the node forgot", () => {
  it("INV-4 may still land: it is not dead, and the same bytes are taken again", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const made = await sent(await make());
    await admin("drop", { id: made.txid });
    expect(gotOf(await node.sight(made.txid))).toEqual({ kind: "unknown" });
    await mine(20);
    expect(gotOf(await node.fateOf(BITCOIN_SENDER, [made]))).toEqual({ kind: "open" });
    await sent(made);
    await mine();
    expect(gotOf(await node.sight(made.txid))).toMatchObject({ kind: "included" });
  });

  it("comes back after a reorganisation, in another block", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const made = await sent(await make());
    await mine();
    const before = gotOf(await node.sight(made.txid));
    await admin("reorg", { depth: 1 });
    expect(["unknown", "waiting", "included"]).toContain(gotOf(await node.sight(made.txid)).kind);
    await node.broadcast(made.signed);
    await mine();
    const after = gotOf(await node.sight(made.txid));
    if (before.kind !== "included" || after.kind !== "included") expect.fail("it is in a block");
    expect(after.blockHash).not.toBe(before.blockHash);
  });
});

describe("INV-4 a transaction whose coin somebody else took", () => {
  const spendElsewhere = async (amount: string): Promise<Made> =>
    sent(await make({ act: authorisedBitcoin({ ...BTC_TRANSFER, amount }) }));

  it("is dead however far back that is, once the blocks are read", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const { psbt } = await make();
    const own = encodePsbt({ ...psbt, lockTime: 0 });
    const lost = await make({ act: authorisedPsbt(own) });
    const winner = await spendElsewhere("50000");
    await mine(100);
    expect(problemOf(await node.fateOf(BITCOIN_SENDER, [lost]))).toEqual([
      "ServiceUnavailable",
      expect.stringContaining("still being read"),
    ]);
    expect(gotOf(await node.fateOf(BITCOIN_SENDER, [lost]))).toMatchObject({
      kind: "dead",
      reason: expect.stringContaining(winner.txid),
    });
  });

  it.each([
    ["a P2WPKH wallet", BITCOIN_KEY, BITCOIN_SENDER],
    ["a Taproot wallet", TAPROOT_KEY, TAPROOT_KEY.address],
  ] as const)(
    "is dead when a reorganisation took the change away that %s paid with",
    async (_, key, owner) => {
      const own = { sender: owner, keys: [key.publicKey] };
      const paying = (amount: string) => authorisedBitcoin({ ...BTC_TRANSFER, from: owner, amount });
      await fund(owner, 500_000);
      const coin = await make({ ...own, act: paying("50000") }, key);
      const other = await make({ ...own, act: paying("60000") }, key);
      await sent(coin);
      await mine();
      const child = await sent(await make({ ...own, act: paying("70000") }, key));
      expect(child.psbt.inputs.map(({ outpoint }) => outpoint.txid)).toEqual([coin.txid]);
      await admin("reorg", { depth: 1 });
      await admin("drop", { id: coin.txid });
      expect(gotOf(await node.fateOf(owner, [child]))).toEqual({ kind: "open" });
      await sent(other);
      await mine(5);
      expect(gotOf(await node.fateOf(owner, [child]))).toEqual({ kind: "open" });
      await mine();
      expect(gotOf(await node.fateOf(owner, [child]))).toMatchObject({
        kind: "dead",
        reason: expect.stringContaining(other.txid),
      });
    },
  );
});

describe("blocks", () => {
  it("are named with their parents, and hold what is ours", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const made = await sent(await make());
    await mine();
    const { height, hash, confirmedHeight, finalHeight } = gotOf(await node.head());
    expect([confirmedHeight, finalHeight]).toEqual([height - 5n, height - 5n]);
    const block = gotOf(await node.block(height, new Set([made.txid, "00".repeat(32)])));
    expect(block).toMatchObject({ height, hash, holds: [made.txid] });
    expect(gotOf(await node.block(height - 1n, new Set()))?.hash).toBe(block?.parentHash);
    expect(gotOf(await node.block(height + 1n, new Set()))).toBeUndefined();
    expect(gotOf(await node.block(0n, new Set()))).toMatchObject({ parentHash: "00".repeat(32) });
  });
});

describe("a caller's own PSBT", () => {
  it("is built when its coins are there, and lands; and never again", async () => {
    await fund(BITCOIN_SENDER, 300_000);
    const { psbt } = await make();
    const own = encodePsbt({ ...psbt, lockTime: 0 });
    const act = authorisedPsbt(own);
    const made = await sent(await make({ act }));
    expect(made.txid).toBe(txidOf(transactionOf({ ...psbt, lockTime: 0 })));
    expect(problemOf(await node.build(intent({ act })))).toEqual([
      "TransactionInvalid",
      expect.stringContaining("is spent"),
    ]);
    await mine(6);
    expect(gotOf(await node.sight(made.txid))).toMatchObject({ isFinal: true });
    expect(gotOf(await node.fateOf(BITCOIN_SENDER, [made])).kind).toBe("open");
  });

  it("of coins that do not exist is refused", async () => {
    const act = authorisedPsbt(encodePsbt(samplePsbt()));
    expect(problemOf(await node.build(intent({ act })))).toEqual([
      "TransactionInvalid",
      expect.stringContaining("there is none"),
    ]);
  });
});

describe("a node that cannot be believed", () => {
  it("of another chain builds nothing and calls nothing dead", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const made = await make();
    const other = bitcoinNode({ ...network, genesisHash: "00".repeat(32) });
    expect(problemOf(await other.build(intent()))).toEqual([
      "ServiceUnavailable",
      expect.stringContaining("another chain"),
    ]);
    expect(problemOf(await other.fateOf(BITCOIN_SENDER, [made]))[0]).toBe("ServiceUnavailable");
  });

  it("INV-9 whose answer has no end is away", async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.end(`{"error":null,"result":${" ".repeat(25 * 1024 * 1024)}1}`);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const endless = bitcoinNode({ ...network, bitcoindUrl: `http://127.0.0.1:${port}` });
    expect(problemOf(await endless.head())).toEqual([
      "ServiceUnavailable",
      expect.stringContaining("too long"),
    ]);
    server.closeAllConnections();
    server.close();
  });

  it("that wants other credentials, starts, or is away passes", async () => {
    const stranger = bitcoinNode({ ...network, bitcoindPassword: "wrong" });
    const nowhere = bitcoinNode({ ...network, bitcoindUrl: "http://127.0.0.1:9" });
    for (const each of [stranger, nowhere]) {
      for (const asked of [
        each.build(intent()),
        each.head(),
        each.block(1n, new Set()),
        each.sight("00".repeat(32)),
        each.balance(BITCOIN_SENDER),
        each.feeLevels(),
      ]) {
        expect(problemOf(await asked)[0]).toBe("ServiceUnavailable");
      }
      expect(await each.broadcast(new Uint8Array(10))).toMatchObject({ kind: "refused" });
    }
    await admin("warm-up", { count: 1 });
    expect(problemOf(await node.head())).toEqual(["ServiceUnavailable", expect.stringContaining("starting")]);
    expect((await node.head()).ok).toBe(true);
  });
});

describe("the answer of a node to a transaction that it does not take", () => {
  it.each([
    [-27, "Transaction already in block chain", "accepted"],
    [-27, "Transaction outputs already in utxo set", "accepted"],
    [-25, "txn-already-in-mempool", "accepted"],
    [-26, "txn-already-known", "accepted"],
    [-26, "txn-same-nonwitness-data-in-mempool", "accepted"],
    [-25, "bad-txns-inputs-missingorspent", "outdated"],
    [-25, "Missing inputs", "outdated"],
    [-26, "txn-mempool-conflict", "outdated"],
    [
      -26,
      "insufficient fee, rejecting replacement 00; new feerate 0.00001 <= old feerate 0.00002",
      "outdated",
    ],
    [-26, "replacement-adds-unconfirmed, replacement 00 contains new unconfirmed input", "outdated"],
    [-26, "bad-txns-spends-conflicting-tx, 00 spends conflicting transaction 01", "outdated"],
    [-26, "min relay fee not met, 110 < 141", "unacceptable"],
    [-26, "tx-size", "unacceptable"],
    [-26, "dust, tx with dust output must be 0-fee", "unacceptable"],
    [-26, "dust", "unacceptable"],
    [-26, "version", "unacceptable"],
    [-26, "scriptpubkey", "unacceptable"],
    [-26, "datacarrier", "unacceptable"],
    [-26, "multi-op-return", "unacceptable"],
    [-26, "bare-multisig", "unacceptable"],
    [-26, "tx-size-small", "unacceptable"],
    [-26, "bad-txns-in-belowout, value in (0.1) < value out (0.2)", "unacceptable"],
    [-26, "bad-txns-inputs-duplicate", "unacceptable"],
    [-26, "bad-txns-too-many-sigops, 16001", "unacceptable"],
    [-26, "bad-witness-nonstandard", "unacceptable"],
    [-26, "mandatory-script-verify-flag-failed (Signature must be zero)", "unacceptable"],
    [-26, "block-script-verify-flag-failed (Signature must be zero)", "unacceptable"],
    [
      -26,
      "mempool-script-verify-flag-failed (Signature must be zero for failed CHECK(MULTI)SIG operation)",
      "unacceptable",
    ],
    [-25, "Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)", "unacceptable"],
    [-25, "Unspendable output exceeds maximum configured by user (maxburnamount)", "unacceptable"],
    [-26, "tokens-runes", "unacceptable"],
    [-26, "mempool min fee not met, 141 < 200", "refused"],
    [-26, "mempool full", "refused"],
    [-26, "too-long-mempool-chain, too many descendants", "refused"],
    [-26, "too-large-cluster", "refused"],
    [-26, "non-final", "refused"],
    [-26, "bad-txns-nonfinal", "refused"],
    [-26, "non-BIP68-final", "refused"],
    [-26, "bad-txns-premature-spend-of-coinbase, tried to spend coinbase at depth 3", "refused"],
    [-26, "TRUC-violation, version=3 tx is too big", "refused"],
    [-22, "TX decode failed", "refused"],
    [-1, "whatever comes next", "refused"],
  ])("%i %s is %s", (code, words, kind) => {
    expect(bitcoindOutcome(code, words).kind).toBe(kind);
  });

  it("reaches the waiting caller in its own words", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const made = await make();
    await admin("refuse", { count: 1, message: "min relay fee not met" });
    expect(await node.broadcast(made.signed)).toEqual({
      kind: "unacceptable",
      reason: expect.stringContaining("min relay fee not met"),
      byFee: true,
    });
    await sent(made);
  });
});

describe("an amount in an answer", () => {
  it.each([
    ["0.00012345", 12_345n],
    ["21000000", 2_100_000_000_000_000n],
    ["1e-8", 1n],
    ["1.5E-7", 15n],
    ["2.5e2", 25_000_000_000n],
    ["0.000000019", 1n],
    ["-1", undefined],
    ["1,5", undefined],
    ["", undefined],
  ])("%j is %s satoshis", (text, satoshis) => {
    expect(satoshisOf(text)).toBe(satoshis);
  });
});
