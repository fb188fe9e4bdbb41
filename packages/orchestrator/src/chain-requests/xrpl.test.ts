import {
  withXrplSignature,
  XRPL_EDWARDS_KEY,
  XRPL_EDWARDS_SENDER,
  XRPL_KEY,
  XRPL_RECIPIENT,
  XRPL_SENDER,
  xrplBytes,
} from "@conclave/chains/testing";
import {
  openAgedXrpLedger,
  type ScriptedXrpLedger,
  WALLET_SAMPLES,
  XRPL_AGE,
} from "@conclave/chains/testing/ledgers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followOnce } from "../testing/follow-once.ts";
import { contentOf, describeTransfers, outageOf } from "../testing/transfer-suite.ts";
import { startWalletWorld, type WalletWorld } from "../testing/wallet-world.ts";

const sample = WALLET_SAMPLES.Xrpl;
const drops = contentOf(sample, sample.native);

let world: WalletWorld;
let rippled: ScriptedXrpLedger;

/** The node shows the wallet's account with this Sequence. */
const stands = (Sequence: number): void => rippled.shows(world.wallet.address, { Sequence });
const pay = () => world.enter(drops);
const says = (engine_result: string) => () =>
  rippled.says("submit", { engine_result, validated_ledger_index: XRPL_AGE });

beforeEach(async () => {
  rippled = await openAgedXrpLedger({
    [XRPL_SENDER]: 100_000_000,
    [XRPL_EDWARDS_SENDER]: 100_000_000,
    [XRPL_RECIPIENT]: 1_000_000,
  });
  world = await startWalletWorld(sample, rippled.node.url);
});
afterEach(async () => {
  await Promise.all([world.close(), rippled.stop()]);
});

describeTransfers({
  sample,
  world: () => world,
  landings: [
    {
      title: "a key of ECDSA",
      transfer: { ...drops, tag: 7 },
      wallet: ["ECDSA", XRPL_KEY],
      signables: [["CGGMP24", 32]],
    },
    {
      title: "a key of FROST-Ed25519",
      transfer: { ...drops, from: XRPL_EDWARDS_SENDER, tag: 7 },
      wallet: ["FROST-Ed25519", XRPL_EDWARDS_KEY],
      signables: [["FROST-Ed25519", expect.any(Number)]],
    },
  ],
  place: 500n,
  posted: () => rippled.calls("submit").map(({ params }) => String(params["tx_blob"]).toLowerCase()),
  land: async () => {
    await rippled.mine();
    return { fee: sample.fee, blockNumber: 1_001n };
  },
  impossible: {
    prepare: () => rippled.shows(XRPL_RECIPIENT, { Flags: 0x0002_0000 }),
    transfer: drops,
    reason: expect.stringContaining("wants a destination tag with each payment"),
  },
  outage: outageOf(() => rippled.node),
  resendings: ["terPRE_SEQ", "telCAN_NOT_QUEUE_FULL", "telINSUF_FEE_P", "nothing that anybody knows"].map(
    (engine_result) => ({
      title: `the node says ${engine_result}, or its answer was lost`,
      failures: [says(engine_result)],
      takes: says("tefALREADY"),
      posts: 2,
      reason: engine_result,
    }),
  ),
  expiry: {
    title: "its ledgers are over",
    approach: async () => {
      // no validator includes the transaction in a ledger
      await rippled.admin("delay", { blocks: 1_000 });
      await rippled.mine(50);
    },
    pass: () => rippled.mine(),
  },
  reverting: {
    title: "the chain took and refused",
    transfer: drops,
    land: async () => {
      await rippled.mine();
      rippled.changes("tx", (_, result) => ({
        ...result,
        meta: { TransactionResult: "tecUNFUNDED_PAYMENT" },
      }));
    },
    failed: { fee: sample.fee, reason: "the chain executed it and reverted it: tecUNFUNDED_PAYMENT" },
  },
});

describe("a transfer on the XRP Ledger and the others of its wallet", () => {
  it("stands behind the others of its wallet, which are on their way", async () => {
    const [first, second] = [await pay(), await pay()];
    await world.carry(first.id);
    await world.carry(second.id);
    const [one, other] = [await world.read(first.id), await world.read(second.id)];
    expect([one.status, other.status]).toEqual(["Broadcasted", "Broadcasted"]);
    expect([one.sequence, other.sequence]).toEqual([500n, 501n]);
  });

  it("waits while its node does not have the one before it, and says so", async () => {
    const [first, second] = [await pay(), await pay()];
    await world.carry(first.id);
    stands(500);
    expect(await world.carry(second.id)).toMatchObject({ kind: "Again" });
    expect((await world.read(second.id)).reason).toContain("the Sequence 500 yet");
    rippled.node.reset();
    expect(await world.carry(second.id)).toEqual({ kind: "Done" });
  });
});

describe("INV-4 a transfer on the XRP Ledger whose transaction did not land", () => {
  it("is built again in the next place when another transaction has its own", async () => {
    const { id } = await pay();
    await world.carry(id);
    await rippled.admin("drop");
    const other = withXrplSignature(Buffer.from(xrplBytes({ sequence: 500 }).slice(2), "hex"));
    await rippled.rpc("submit", { tx_blob: Buffer.from(other.signed).toString("hex") });
    await rippled.mine();
    // the node does not show which transaction it was, so there is no verdict
    rippled.says("account_tx", { ledger_index_min: 1, transactions: [] });
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    rippled.node.reset();
    await followOnce(world.handler);
    await world.speak();
    await followOnce(world.handler);
    await world.carry(id);
    expect(await world.read(id)).toMatchObject({
      status: "Broadcasted",
      sequence: 501n,
      deadTransactions: 1,
    });
  });

  it("takes the empty place below its successors again, which land only behind it", async () => {
    const [first, second] = [await pay(), await pay()];
    await world.carry(first.id);
    await rippled.admin("delay", { blocks: 1_000 });
    await rippled.mine(25);
    await world.carry(second.id);
    // the first one never landed, and its deadline has passed; the second one is younger
    await rippled.mine(26);
    const { txHash = "" } = await world.read(second.id);
    rippled.changes("tx", ({ transaction }) =>
      transaction === txHash ? { status: "success", hash: txHash, validated: false } : undefined,
    );
    await followOnce(world.handler);
    await world.speak();
    await followOnce(world.handler);
    expect(await world.read(first.id)).toMatchObject({ status: "Executing", deadTransactions: 1 });
    expect(await world.carry(first.id)).toMatchObject({ kind: "Again" });
    await rippled.mine(4);
    expect(await world.carry(first.id)).toEqual({ kind: "Done" });
    expect(await world.read(first.id)).toMatchObject({ status: "Broadcasted", sequence: 500n });
    expect((await world.read(second.id)).sequence).toBe(501n);
  });
});
