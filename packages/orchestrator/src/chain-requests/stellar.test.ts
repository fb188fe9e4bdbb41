import { NODES } from "@conclave/chains/node";
import { STELLAR_RECIPIENT, STELLAR_SENDER, STELLAR_TOKEN, StubHorizon } from "@conclave/chains/testing";
import { WALLET_SAMPLES } from "@conclave/chains/testing/ledgers";
import type { ChainRequest } from "@conclave/custody";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { contentOf, describeTransfers, outageOf } from "../testing/transfer-suite.ts";
import { startWalletWorld, type WalletWorld } from "../testing/wallet-world.ts";

const sample = WALLET_SAMPLES.Stellar;
const [lumens, asset] = [contentOf(sample, sample.native), contentOf(sample, sample.tokens[0])];

const trustlines = [{ ...STELLAR_TOKEN, balance: 10n, limit: 1_000n }];
const ACCOUNT = { sequence: 100n, balance: 100_000_000n, trustlines };

let world: WalletWorld;
let horizon: StubHorizon;

beforeEach(async () => {
  horizon = await StubHorizon.start();
  for (const address of [STELLAR_SENDER, STELLAR_RECIPIENT]) horizon.accounts.set(address, ACCOUNT);
  world = await startWalletWorld(sample, horizon.url);
});
afterEach(async () => {
  await Promise.all([world.close(), horizon.stop()]);
});

/** Another orchestrator, which does not remember what the node took. */
const renew = (): void => world.speakTo(NODES.connect(sample.entryAt(horizon.url)));

/** A ledger closes with a request's transaction in it. @returns the facts of the request then */
const landsIn = (
  { txHash: hash = "" }: Pick<ChainRequest, "txHash">,
  ledger: number,
  change: object = {},
) => {
  horizon.ledger = ledger;
  horizon.landed.push({ hash, ledger, from: STELLAR_SENDER, sequence: 101n, ...change });
  horizon.accounts.set(STELLAR_SENDER, { ...ACCOUNT, sequence: 101n });
  return { fee: sample.fee, blockNumber: BigInt(ledger) };
};

const TOO_LATE = {
  status: 400,
  body: { tx_status: "ERROR", error_result_xdr: "AAAAAAAAAAD////9AAAAAA==" },
};
const answersWith = (status: number, body: object) => () => {
  horizon.verdict = { status, body };
};
const signables = [["FROST-Ed25519", 32]] as const;

describeTransfers({
  sample,
  world: () => world,
  landings: [lumens, asset].map((transfer) => ({ title: transfer.kind, transfer, signables })),
  place: 101n,
  posted: () => horizon.posted.map((envelope) => Buffer.from(envelope, "base64").toString("hex")),
  land: (request) => landsIn(request, 1_003),
  impossible: {
    prepare: () => horizon.accounts.set(STELLAR_RECIPIENT, { ...ACCOUNT, trustlines: [] }),
    transfer: asset,
    reason: "the recipient has no trustline for USDC: have it make one",
  },
  outage: outageOf(() => horizon),
  resendings: [
    {
      title: "the node's answer was lost, or it takes none now",
      failures: [answersWith(504, { title: "Timeout" }), answersWith(503, { tx_status: "TRY_AGAIN_LATER" })],
      takes: answersWith(409, { tx_status: "DUPLICATE" }),
      posts: 3,
    },
  ],
  expiry: {
    title: "it is void and its sequence number free",
    prepare: () => {
      // so long ago that signers believe that it is void
      horizon.firstClosedAt = Math.floor(Date.now() / 1_000) - 3_600;
    },
    approach: () => {
      horizon.spoilt.set("/transactions/", { status: 404, text: "{}" });
      horizon.verdict = TOO_LATE;
      horizon.ledger += 60;
      renew();
    },
    pass: () => {
      horizon.ledger += 1;
    },
    recover: answersWith(201, { tx_status: "PENDING" }),
  },
  reverting: {
    title: "the chain reverted",
    transfer: lumens,
    land: (request) => landsIn(request, 1_003, { succeeded: false }),
    failed: { fee: sample.fee, blockNumber: 1_003n },
  },
  lateLanding: {
    title: "it took its sequence number itself",
    land: (request) => {
      const { txHash } = request;
      const landed = landsIn(request, 1_061);
      horizon.verdict = TOO_LATE;
      // the orchestrator asks two nodes: the one that it asks for the transaction is behind the one that shows the account
      horizon.spoilt.set("/transactions/", { status: 404, text: "{}" });
      renew();
      return { ...landed, txHash };
    },
    show: () => horizon.spoilt.clear(),
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
    landsIn(await world.read(first.id), 1_001);
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
});
