import { NODES } from "@conclave/chains/node";
import {
  withXrplSignature,
  XRPL_EDWARDS_KEY,
  XRPL_EDWARDS_SENDER,
  XRPL_KEY,
  XRPL_RECIPIENT,
  XRPL_SENDER,
  XRPL_TESTNET,
  xrplBytes,
} from "@conclave/chains/testing";
import { openAgedXrpLedger, type ScriptedXrpLedger, XRPL_AGE } from "@conclave/chains/testing/ledgers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followOnce } from "../testing/follow-once.ts";
import { startWalletWorld, type WalletWorld } from "../testing/wallet-world.ts";

/** The keys of the samples by their schemes. */
const KEYS = { ECDSA: XRPL_KEY, "FROST-Ed25519": XRPL_EDWARDS_KEY } as const;

let world: WalletWorld;
let rippled: ScriptedXrpLedger;

/** The node has an account of the wallet with this Sequence. */
const stands = (Sequence: number): void => rippled.shows(world.wallet.address, { Sequence });
const submitted = () => rippled.calls("submit").map(({ params }) => params["tx_blob"]);

/** A payment, of which something may be changed. */
const pay = (change: object = {}) =>
  world.enter({
    kind: "Native",
    from: world.wallet.address,
    to: XRPL_RECIPIENT,
    amount: "1500000",
    ...change,
  });

beforeEach(async () => {
  rippled = await openAgedXrpLedger({
    [XRPL_SENDER]: 100_000_000,
    [XRPL_EDWARDS_SENDER]: 100_000_000,
    [XRPL_RECIPIENT]: 1_000_000,
  });
  world = await startWalletWorld(
    XRPL_TESTNET,
    NODES.connect(Object.assign({}, XRPL_TESTNET, { rippledUrl: rippled.node.url })),
    "ECDSA",
    XRPL_KEY,
  );
});
afterEach(async () => {
  await Promise.all([world.close(), rippled.stop()]);
});

describe("a transfer on the XRP Ledger", () => {
  it.each([
    ["ECDSA", "CGGMP24"],
    ["FROST-Ed25519", "FROST-Ed25519"],
  ] as const)(
    "is signed, handed over and confirmed with the fee that it paid: a key of %s",
    async (scheme, signing) => {
      await world.enterWallet(scheme, KEYS[scheme]);
      const { id } = await pay({ tag: 7 });
      expect(await world.carry(id)).toEqual({ kind: "Done" });
      expect(world.asked[0]?.signables.map((each) => each.scheme)).toEqual([signing]);
      const { signedTransaction = new Uint8Array(), sequence } = await world.read(id);
      expect([submitted(), sequence]).toEqual([
        [Buffer.from(signedTransaction).toString("hex").toUpperCase()],
        500n,
      ]);
      await followOnce(world.handler);
      expect((await world.read(id)).status).toBe("Broadcasted");
      await rippled.mine();
      await followOnce(world.handler);
      expect(await world.read(id)).toMatchObject({ status: "Confirmed", fee: "12", blockNumber: 1_001n });
    },
  );

  it("that the chain took and refused has failed with the chain's word, and has cost its fee", async () => {
    const { id } = await pay();
    await world.carry(id);
    await rippled.mine();
    rippled.changes("tx", (_, result) => ({ ...result, meta: { TransactionResult: "tecUNFUNDED_PAYMENT" } }));
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({
      status: "Failed",
      fee: "12",
      reason: "the chain executed it and reverted it: tecUNFUNDED_PAYMENT",
    });
  });

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

  it("that is impossible has failed in words, and nothing was signed", async () => {
    rippled.shows(XRPL_RECIPIENT, { Flags: 0x0002_0000 });
    const { id } = await pay();
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect(await world.read(id)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining("wants a destination tag with each payment"),
    });
    expect(world.asked).toEqual([]);
  });

  it("waits for a node that is away, and says so", async () => {
    rippled.node.spoilt.set("", { status: 503, text: "" });
    const { id } = await pay();
    expect(await world.carry(id)).toMatchObject({ kind: "Again" });
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("does not answer"),
    });
    rippled.node.spoilt.clear();
    await world.carry(id);
    expect((await world.read(id)).status).toBe("Broadcasted");
  });

  it.each(["terPRE_SEQ", "telCAN_NOT_QUEUE_FULL", "telINSUF_FEE_P", "nothing that anybody knows"])(
    "INV-4 sends the very same bytes again when the node says %s, or its answer was lost",
    async (engine_result) => {
      const { id } = await pay();
      rippled.says("submit", { engine_result, validated_ledger_index: XRPL_AGE });
      expect(await world.carry(id)).toMatchObject({ kind: "Again" });
      expect((await world.read(id)).reason).toContain(engine_result);
      rippled.says("submit", { engine_result: "tefALREADY", validated_ledger_index: XRPL_AGE });
      expect(await world.carry(id)).toEqual({ kind: "Done" });
      expect([world.asked.length, new Set(submitted()).size]).toEqual([1, 1]);
    },
  );
});

describe("INV-4 a transfer on the XRP Ledger whose transaction did not land", () => {
  it("is built again in the same place, only when its ledgers are over and the authority says so", async () => {
    const { id } = await pay();
    await world.carry(id);
    const first = await world.read(id);
    // no validator takes it into a ledger
    await rippled.admin("delay", { blocks: 1_000 });
    await rippled.mine(50);
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    await rippled.mine();
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([{ requestId: id, transactions: 1 }]);
    expect((await world.read(id)).txHash).toBe(first.txHash);
    await world.speak();
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      deadTransactions: 1,
      txHash: undefined,
    });
    await world.carry(id);
    const second = await world.read(id);
    expect([second.status, second.txHash === first.txHash, second.sequence]).toEqual([
      "Broadcasted",
      false,
      500n,
    ]);
    expect([world.asked.length, world.asked[1]?.dead === undefined]).toEqual([2, false]);
  });

  it("is built again in the next place when another transaction has its own", async () => {
    const { id } = await pay();
    await world.carry(id);
    await rippled.admin("drop");
    const other = withXrplSignature(Buffer.from(xrplBytes({ sequence: 500 }).slice(2), "hex"));
    await rippled.rpc("submit", { tx_blob: Buffer.from(other.signed).toString("hex") });
    await rippled.mine();
    // the node does not show which one it was: there is no verdict
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
    // the first one never landed, and its ledgers are over; the second one is younger
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
