import { NODES } from "@conclave/chains/node";
import {
  STELLAR_KEY,
  STELLAR_RECIPIENT,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  STELLAR_TOKEN,
  StubHorizon,
} from "@conclave/chains/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followOnce } from "../testing/follow-once.ts";
import { startWalletWorld, type WalletWorld } from "../testing/wallet-world.ts";

const payment = { from: STELLAR_SENDER, to: STELLAR_RECIPIENT };
const lumens = { kind: "Native", ...payment, amount: "15000000" };
const asset = {
  kind: "Sep41",
  assetCode: STELLAR_TOKEN.code,
  issuer: STELLAR_TOKEN.issuer,
  ...payment,
  amount: "5",
};

const trustlines = [{ ...STELLAR_TOKEN, balance: 10n, limit: 1_000n }];
const ACCOUNT = { sequence: 100n, balance: 100_000_000n, trustlines };

let world: WalletWorld;
let horizon: StubHorizon;

beforeEach(async () => {
  horizon = await StubHorizon.start();
  for (const address of [STELLAR_SENDER, STELLAR_RECIPIENT]) horizon.accounts.set(address, ACCOUNT);
  world = await startWalletWorld(STELLAR_TESTNET, connected(), "FROST-Ed25519", STELLAR_KEY);
});
afterEach(async () => {
  await Promise.all([world.close(), horizon.stop()]);
});

const connected = () => NODES.connect(Object.assign({}, STELLAR_TESTNET, { horizonUrl: horizon.url }));

/** Another orchestrator, which does not remember what the node took. */
const renew = (): void => world.speakTo(connected());

/** A ledger closes with a transaction of the sender in it. */
const landsIn = (hash: string, ledger: number, sequence: bigint, change: object = {}): void => {
  horizon.ledger = ledger;
  horizon.landed.push({ hash, ledger, from: STELLAR_SENDER, sequence, ...change });
  horizon.accounts.set(STELLAR_SENDER, { ...ACCOUNT, sequence });
};

const TOO_LATE = {
  status: 400,
  body: { tx_status: "ERROR", error_result_xdr: "AAAAAAAAAAD////9AAAAAA==" },
};

describe("a transfer on Stellar", () => {
  it.each([lumens, asset])(
    "is signed, handed over and confirmed with the fee that it paid: $kind",
    async (transfer) => {
      const { id } = await world.enter(transfer);
      expect(await world.carry(id)).toEqual({ kind: "Done" });
      expect(world.asked[0]?.signables.map(({ scheme, bytes }) => [scheme, bytes.length])).toEqual([
        ["FROST-Ed25519", 32],
      ]);
      const { txHash = "", signedTransaction = new Uint8Array(0), sequence } = await world.read(id);
      expect([horizon.posted.at(-1), sequence]).toEqual([
        Buffer.from(signedTransaction).toString("base64"),
        101n,
      ]);
      await followOnce(world.handler);
      expect([(await world.read(id)).status, horizon.posted.length]).toEqual(["Broadcasted", 1]);
      landsIn(txHash, 1_003, 101n);
      await followOnce(world.handler);
      expect(await world.read(id)).toMatchObject({ status: "Confirmed", fee: "100", blockNumber: 1_003n });
    },
  );

  it("that the chain undid has failed, with the fee that it paid", async () => {
    const { id } = await world.enter(lumens);
    await world.carry(id);
    landsIn((await world.read(id)).txHash ?? "", 1_003, 101n, { succeeded: false });
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({ status: "Failed", fee: "100", blockNumber: 1_003n });
  });

  it("waits for the one before it, and takes its place behind it when that has landed", async () => {
    const [first, second] = [await world.enter(lumens), await world.enter(lumens)];
    await world.carry(first.id);
    expect(await world.carry(second.id)).toMatchObject({ kind: "Again" });
    expect(await world.read(second.id)).toMatchObject({
      status: "Executing",
      reason: "waiting for an earlier transaction of the wallet to land",
      sequence: undefined,
    });
    const { txHash = "" } = await world.read(first.id);
    landsIn(txHash, 1_001, 101n);
    await world.carry(second.id);
    expect(await world.read(second.id)).toMatchObject({ status: "Broadcasted", sequence: 102n });
  });

  it("is not kept waiting by one that was built as often as it may be, and never landed", async () => {
    const [first, second] = [await world.enter(lumens), await world.enter(lumens)];
    await world.carry(first.id);
    await world.database.execute(
      "update chain_requests set status = 'Failed', dead_transactions = 64 where id = $1",
      [first.id],
    );
    await world.carry(second.id);
    expect(await world.read(second.id)).toMatchObject({ status: "Broadcasted", sequence: 101n });
  });

  it("to an account that is not there makes it", async () => {
    horizon.accounts.delete(STELLAR_RECIPIENT);
    const { id } = await world.enter(lumens);
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect((await world.read(id)).status).toBe("Broadcasted");
  });

  it("that is impossible has failed in words, and nothing was signed", async () => {
    horizon.accounts.set(STELLAR_RECIPIENT, { ...ACCOUNT, trustlines: [] });
    const { id } = await world.enter(asset);
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect(await world.read(id)).toMatchObject({
      status: "Failed",
      reason: "the recipient has no trustline for USDC: have it make one",
    });
    expect(world.asked).toEqual([]);
  });

  it("waits for a node that is away, and says so", async () => {
    horizon.spoilt.set("/", { status: 503, text: "" });
    const { id } = await world.enter(lumens);
    expect(await world.carry(id)).toMatchObject({ kind: "Again" });
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("does not answer"),
    });
    horizon.spoilt.clear();
    await world.carry(id);
    expect((await world.read(id)).status).toBe("Broadcasted");
  });

  it("INV-4 sends the very same bytes again when the node's answer was lost, or it takes none now", async () => {
    const { id } = await world.enter(lumens);
    for (const verdict of [
      { status: 504, body: { title: "Timeout" } },
      { status: 503, body: { tx_status: "TRY_AGAIN_LATER" } },
    ]) {
      horizon.verdict = verdict;
      expect(await world.carry(id)).toMatchObject({ kind: "Again" });
    }
    horizon.verdict = { status: 409, body: { tx_status: "DUPLICATE" } };
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect([world.asked.length, horizon.posted.length, new Set(horizon.posted).size]).toEqual([1, 3, 1]);
  });

  it("INV-4 is built again only when it is void and its sequence number free, and the authority says so", async () => {
    const { id } = await world.enter(lumens);
    // so long ago that signers believe that it is void
    horizon.firstClosedAt = Math.floor(Date.now() / 1_000) - 3_600;
    await world.carry(id);
    const first = await world.read(id);
    horizon.spoilt.set("/transactions/", { status: 404, text: "{}" });
    horizon.verdict = TOO_LATE;
    horizon.ledger += 60;
    renew();
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    horizon.ledger += 1;
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
    horizon.verdict = { status: 201, body: { tx_status: "PENDING" } };
    await world.carry(id);
    const second = await world.read(id);
    expect([second.status, second.txHash === first.txHash, world.asked.length]).toEqual([
      "Broadcasted",
      false,
      2,
    ]);
    expect([second.sequence, world.asked[1]?.dead]).toEqual([101n, expect.anything()]);
  });

  it("INV-4 is confirmed, and not built again, when it took its sequence number itself", async () => {
    const { id } = await world.enter(lumens);
    await world.carry(id);
    const { txHash = "" } = await world.read(id);
    landsIn(txHash, 1_061, 101n);
    horizon.verdict = TOO_LATE;
    // the node that is world.asked for the transaction is behind the one that is world.asked for the account
    horizon.spoilt.set("/transactions/", { status: 404, text: "{}" });
    renew();
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    horizon.spoilt.clear();
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({
      status: "Confirmed",
      txHash,
      blockNumber: 1_061n,
      fee: "100",
    });
  });
});
