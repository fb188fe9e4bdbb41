import { BITCOIN_SIGNET } from "@conclave/chains/testing";
import { type RunningLedger, startBitcoinLedger } from "@conclave/ledgers";
import { commandLedger, HandClock } from "@conclave/ledgers/testing";
import { type Cluster, waitUntil } from "@conclave/testbed";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { startCluster } from "./throw-away-cluster.ts";

const START_MS = 120_000;
const TEST_MS = 360_000;
const CONFIRMED_MS = 300_000;
/** Block time while the test waits. */
const BLOCK_MS = 500;
const BITCOIN = BITCOIN_SIGNET.network;
const CLOCK_MS = 1_795_132_800_000;
/** One coin more than the number that the service leaves ungathered. */
const COINS = 201;
const COIN = 20_000;
/** The number of largest coins that are left to payments. */
const LEFT = 32;

let ledger: RunningLedger;
let cluster: Cluster;

const admin = (action: string, input: object = {}) => commandLedger(ledger, action, input);

beforeAll(async () => {
  ledger = await startBitcoinLedger({
    clock: new HandClock(CLOCK_MS),
    chain: "signet",
    seed: "gathered-coins",
    blockMs: 0,
    listen: { host: "127.0.0.1", port: 0 },
    adminPort: 0,
    token: undefined,
  });
  const { genesisHash } = z
    .object({ genesisHash: z.string() })
    .parse(await (await fetch(ledger.adminUrl)).json());
  const bitcoin = {
    network: BITCOIN,
    family: "Bitcoin",
    genesisHash,
    bitcoindUrl: ledger.url,
    finality: 2,
    feeCap: "1000000",
  };
  cluster = await startCluster({ signers: 3, threshold: 2, nodes: [bitcoin] });
}, START_MS);
afterAll(async () => {
  await cluster?.stop();
  await ledger?.stop();
}, START_MS);

const requestSchema = z.object({
  status: z.string(),
  reason: z.string().optional(),
  txHash: z.string().optional(),
  requester: z.object({ userId: z.string() }),
  requestBody: z.looseObject({ kind: z.string() }),
  details: z.looseObject({}).optional(),
});
const listSchema = z.object({ items: z.array(requestSchema) });
const settingsSchema = z.object({ gathersCoinsFor: z.object({ userId: z.string() }) });

const ask = async <T>(schema: z.ZodType<T>, method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await cluster.api.send(method, path, body);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return schema.parse(answer.body);
};

it(
  "INV-4 K7 the coins of a wallet that holds many are gathered by the service, once",
  async () => {
    const wallet = await ask(z.object({ id: z.string(), address: z.string() }), "POST", "/wallets", {
      network: BITCOIN,
      signingKey: { scheme: "Schnorr", curve: "secp256k1" },
    });
    const { gathersCoinsFor } = await ask(settingsSchema, "PUT", "/orgs/settings", { gathersCoins: true });
    for (let at = 0; at < COINS; at += 1) await admin("fund", { address: wallet.address, amount: COIN });
    let last = "nothing";
    const gathered = await waitUntil(
      async () => {
        await admin("mine", { blocks: 1 });
        const { items } = await ask(listSchema, "GET", `/wallets/${wallet.id}/transactions`);
        expect(items.length).toBeLessThanOrEqual(1);
        const [request] = items;
        last = `${request?.status} ${request?.reason ?? ""}`;
        return request?.status === "Confirmed" ? request : undefined;
      },
      {
        what: () => `the coins to be gathered (last seen: ${last})`,
        deadlineMs: CONFIRMED_MS,
        pollMs: BLOCK_MS,
      },
    );
    expect(gathered).toMatchObject({
      requester: gathersCoinsFor,
      requestBody: { kind: "Consolidate" },
      details: { madeBy: "service", inputs: COINS - LEFT },
    });
  },
  TEST_MS,
);
