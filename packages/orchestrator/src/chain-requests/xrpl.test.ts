import { NODES } from "@conclave/chains/node";
import {
  StubRippled,
  stubLedgerHash,
  XRPL_EDWARDS_KEY,
  XRPL_KEY,
  XRPL_RECIPIENT,
  XRPL_TESTNET,
} from "@conclave/chains/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followOnce } from "../testing/follow-once.ts";
import { startWalletWorld, type WalletWorld } from "../testing/wallet-world.ts";

/** The keys of the samples by their schemes. */
const KEYS = { ECDSA: XRPL_KEY, "FROST-Ed25519": XRPL_EDWARDS_KEY } as const;

let world: WalletWorld;
let rippled: StubRippled;

/** Sets the state of the wallet's account on the chain. */
const stands = (sequence: number): void => {
  rippled.accounts.set(world.wallet.address, { balance: 100_000_000n, sequence });
};

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
  rippled = await StubRippled.start();
  rippled.accounts.set(XRPL_RECIPIENT, { balance: 1_000_000n, sequence: 7 });
  world = await startWalletWorld(
    XRPL_TESTNET,
    NODES.connect(Object.assign({}, XRPL_TESTNET, { rippledUrl: rippled.url })),
    "ECDSA",
    XRPL_KEY,
  );
  stands(500);
});
afterEach(async () => {
  await Promise.all([world.close(), rippled.stop()]);
});

const landsIn = (id: string, ledger: number, result = "tesSUCCESS"): void => {
  rippled.validated = ledger;
  rippled.transactions.set(id, {
    hash: id,
    ledger_hash: stubLedgerHash(ledger),
    ledger_index: ledger,
    validated: true,
    tx_json: { Fee: "12", DeliverMax: "1500000" },
    meta: {
      TransactionResult: result,
      ...(result === "tesSUCCESS" ? { delivered_amount: "1500000" } : {}),
    },
  });
};

describe("a transfer on the XRP Ledger", () => {
  it.each([
    ["ECDSA", "CGGMP24"],
    ["FROST-Ed25519", "FROST-Ed25519"],
  ] as const)(
    "is signed, handed over and confirmed with the fee that it paid: a key of %s",
    async (scheme, signing) => {
      await world.enterWallet(scheme, KEYS[scheme]);
      stands(500);
      const { id } = await pay({ tag: 7 });
      expect(await world.carry(id)).toEqual({ kind: "Done" });
      expect(world.asked[0]?.signables.map((each) => each.scheme)).toEqual([signing]);
      const { txHash = "", signedTransaction = new Uint8Array(), sequence } = await world.read(id);
      expect([rippled.submitted, sequence]).toEqual([
        [Buffer.from(signedTransaction).toString("hex").toUpperCase()],
        500n,
      ]);
      await followOnce(world.handler);
      expect((await world.read(id)).status).toBe("Broadcasted");
      landsIn(txHash, 1_003);
      await followOnce(world.handler);
      expect(await world.read(id)).toMatchObject({ status: "Confirmed", fee: "12", blockNumber: 1_003n });
    },
  );

  it("that the chain took and refused has failed with the chain's word, and has cost its fee", async () => {
    const { id } = await pay();
    await world.carry(id);
    landsIn((await world.read(id)).txHash ?? "", 1_003, "tecUNFUNDED_PAYMENT");
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
    stands(501);
    await world.carry(second.id);
    const [one, other] = [await world.read(first.id), await world.read(second.id)];
    expect([one.status, other.status]).toEqual(["Broadcasted", "Broadcasted"]);
    expect([one.sequence, other.sequence]).toEqual([500n, 501n]);
  });

  it("waits while its node does not have the one before it, and says so", async () => {
    const [first, second] = [await pay(), await pay()];
    await world.carry(first.id);
    expect(await world.carry(second.id)).toMatchObject({ kind: "Again" });
    expect((await world.read(second.id)).reason).toContain("the Sequence 500 yet");
    stands(501);
    expect(await world.carry(second.id)).toEqual({ kind: "Done" });
  });

  it("that is impossible has failed in words, and nothing was signed", async () => {
    rippled.accounts.set(XRPL_RECIPIENT, { balance: 1n, sequence: 7, flags: 0x0002_0000 });
    const { id } = await pay();
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect(await world.read(id)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining("wants a destination tag with each payment"),
    });
    expect(world.asked).toEqual([]);
  });

  it("waits for a node that is away, and says so", async () => {
    rippled.spoilt.set("", { status: 503, text: "" });
    const { id } = await pay();
    expect(await world.carry(id)).toMatchObject({ kind: "Again" });
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("does not answer"),
    });
    rippled.spoilt.clear();
    await world.carry(id);
    expect((await world.read(id)).status).toBe("Broadcasted");
  });

  it.each(["terPRE_SEQ", "telCAN_NOT_QUEUE_FULL", "telINSUF_FEE_P", "nothing that anybody knows"])(
    "INV-4 sends the very same bytes again when the node says %s, or its answer was lost",
    async (engine_result) => {
      const { id } = await pay();
      rippled.engine = { engine_result };
      expect(await world.carry(id)).toMatchObject({ kind: "Again" });
      expect((await world.read(id)).reason).toContain(engine_result);
      rippled.engine = { engine_result: "tefALREADY" };
      expect(await world.carry(id)).toEqual({ kind: "Done" });
      expect([world.asked.length, new Set(rippled.submitted).size]).toEqual([1, 1]);
    },
  );
});

describe("INV-4 a transfer on the XRP Ledger whose transaction did not land", () => {
  it("is built again in the same place, only when its ledgers are over and the authority says so", async () => {
    const { id } = await pay();
    await world.carry(id);
    const first = await world.read(id);
    rippled.engine = { engine_result: "tefMAX_LEDGER" };
    rippled.validated = 1_050;
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    rippled.validated = 1_051;
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
    rippled.engine = { engine_result: "tesSUCCESS" };
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
    rippled.engine = { engine_result: "tefPAST_SEQ" };
    stands(501);
    // the node does not show which one it was: there is no verdict
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    rippled.landed = [
      { hash: "AB".repeat(32), account: world.wallet.address, sequence: 500, signature: "AB" },
    ];
    await followOnce(world.handler);
    await world.speak();
    await followOnce(world.handler);
    rippled.engine = { engine_result: "tesSUCCESS" };
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
    stands(501);
    await world.carry(second.id);
    // the node has lost the first one, whose ledgers are over; the second one is younger
    stands(500);
    rippled.validated = 1_051;
    rippled.engine = { engine_result: "tefMAX_LEDGER" };
    const { txHash = "" } = await world.read(second.id);
    rippled.transactions.set(txHash, { hash: txHash, validated: false });
    await followOnce(world.handler);
    await world.speak();
    await followOnce(world.handler);
    expect(await world.read(first.id)).toMatchObject({ status: "Executing", deadTransactions: 1 });
    rippled.engine = { engine_result: "tesSUCCESS" };
    expect(await world.carry(first.id)).toMatchObject({ kind: "Again" });
    rippled.validated = 1_055;
    expect(await world.carry(first.id)).toEqual({ kind: "Done" });
    expect(await world.read(first.id)).toMatchObject({ status: "Broadcasted", sequence: 500n });
    expect((await world.read(second.id)).sequence).toBe(501n);
  });
});
