import { NODES } from "@conclave/chains/node";
import {
  STELLAR_RECIPIENT,
  STELLAR_SEQUENCE,
  stellarAddress,
  testEdwardsKey,
} from "@conclave/chains/testing";
import {
  issueStellarAsset,
  openStellarLedger,
  type ScriptedStellarLedger,
  WALLET_SAMPLES,
} from "@conclave/chains/testing/ledgers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followOnce } from "../testing/follow-once.ts";
import { contentOf, describeTransfers, outageOf } from "../testing/transfer-suite.ts";
import { startWalletWorld, type WalletWorld } from "../testing/wallet-world.ts";

const sample = WALLET_SAMPLES.Stellar;
const [lumens, asset] = [contentOf(sample, sample.native), contentOf(sample, sample.tokens[0])];
/** The wallet's first place, after its trustline. */
const FIRST = STELLAR_SEQUENCE + 2n;
/** Longer than the lifetime of a transaction. */
const LIFE_S = 300;

let world: WalletWorld;
let ledger: ScriptedStellarLedger;

beforeEach(async () => {
  ledger = await openStellarLedger();
  await issueStellarAsset(ledger);
  ledger.node.reset();
  world = await startWalletWorld(sample, ledger.node.url);
});
afterEach(async () => {
  await Promise.all([world.close(), ledger.stop()]);
});

/** Switches to another orchestrator, which does not remember what the node accepted. */
const renew = (): void => world.speakTo(NODES.connect(sample.entryAt(ledger.node.url)));

/** Closes a ledger with what was sent. @returns the expected facts of the request */
const lands = async () => {
  await ledger.mine();
  return { fee: sample.fee, blockNumber: BigInt((await ledger.last()).sequence) };
};
/** Makes the node show no transactions, as one does that lags behind the node that shows the account. */
const hidesTransactions = (): void =>
  void ledger.node.spoilt.set("/transactions/", { status: 404, text: "{}" });
const answersWith = (status: number, body: object) => () =>
  ledger.node.spoilt.set("/transactions_async", { status, text: JSON.stringify(body) });
const signables = [["FROST-Ed25519", 32]] as const;

describeTransfers({
  sample,
  world: () => world,
  landings: [lumens, asset].map((transfer) => ({ title: transfer.kind, transfer, signables })),
  place: FIRST,
  posted: () => ledger.posted().map((envelope) => Buffer.from(envelope, "base64").toString("hex")),
  land: lands,
  impossible: {
    prepare: () =>
      ledger.shows(`/accounts/${STELLAR_RECIPIENT}`, (account) => ({
        ...account,
        balances: [...Object(account["balances"])].filter(({ asset_type }) => asset_type === "native"),
      })),
    transfer: asset,
    reason: "the recipient has no trustline for USDC: have it make one",
  },
  outage: outageOf(() => ledger.node),
  resendings: [
    {
      title: "the node's answer was lost, or it takes none now",
      failures: [answersWith(504, { title: "Timeout" }), answersWith(503, { tx_status: "TRY_AGAIN_LATER" })],
      takes: () => ledger.node.spoilt.clear(),
      posts: 3,
    },
  ],
  expiry: {
    title: "it is void and its sequence number free",
    approach: async () => {
      await ledger.admin("drop");
      const { closedAt } = await ledger.last();
      await ledger.closeAt(closedAt + LIFE_S);
      renew();
    },
    pass: () => ledger.mine(),
  },
  reverting: {
    title: "the chain reverted",
    transfer: lumens,
    land: async ({ txHash }) => {
      await lands();
      ledger.shows(`/transactions/${txHash}`, (record) => ({ ...record, successful: false }));
    },
    failed: { fee: sample.fee },
  },
  lateLanding: {
    title: "it took its sequence number itself",
    land: async ({ txHash }) => {
      const landed = await lands();
      await ledger.closeAt((await ledger.last()).closedAt + LIFE_S);
      hidesTransactions();
      renew();
      return { ...landed, txHash };
    },
    show: () => ledger.node.spoilt.clear(),
  },
});

describe("a transfer on Stellar", () => {
  it("waits for the one before it, and takes its place behind it when that has landed", async () => {
    const [first, second] = [await world.enter(lumens), await world.enter(lumens)];
    await world.carry(first.id);
    expect(await world.carry(second.id)).toMatchObject({ kind: "Again" });
    expect(await world.read(second.id)).toMatchObject({
      status: "Executing",
      reason: "waiting for an earlier transaction of the wallet to land",
      sequence: undefined,
    });
    await lands();
    await world.carry(second.id);
    expect(await world.read(second.id)).toMatchObject({ status: "Broadcasted", sequence: FIRST + 1n });
  });

  it("is not kept waiting by one that was built as often as it may be, and never landed", async () => {
    const [first, second] = [await world.enter(lumens), await world.enter(lumens)];
    await world.carry(first.id);
    await world.database.execute(
      "update chain_requests set status = 'Failed', dead_transactions = 64 where id = $1",
      [first.id],
    );
    await world.carry(second.id);
    expect(await world.read(second.id)).toMatchObject({ status: "Broadcasted", sequence: FIRST });
  });

  it("to an account that is not there makes it", async () => {
    const to = stellarAddress(testEdwardsKey("0f".repeat(32)).publicKey);
    const { id } = await world.enter({ ...lumens, to });
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect((await world.read(id)).status).toBe("Broadcasted");
    await lands();
    await followOnce(world.handler);
    expect((await world.read(id)).status).toBe("Confirmed");
  });
});
