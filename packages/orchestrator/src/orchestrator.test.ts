import { setTimeout as delay } from "node:timers/promises";
import type { ChainWallet, Transfer, TransferId, WalletId } from "@conclave/custody";
import {
  listEvents,
  listWalletsOfKey,
  makeLogger,
  makeWebhookKey,
  readKey,
  readNewestKeys,
  readTransfer,
  readWallet,
  type Subscription,
  webhookSecretsOf,
} from "@conclave/platform";
import { type NatsServer, startNatsServer, startSilentProxy } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { createPublicClient, getAddress, http, parseEther } from "viem";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { type Orchestrator, startOrchestrator } from "./orchestrator.ts";
import { FakeSigners, identityKeyOf } from "./testing/fake-signers.ts";
import { activateAsGateway } from "./testing/key-activation.ts";
import { startWorld, type World } from "./testing/world.ts";

const THRESHOLD = 3;
const PATIENCE = { timeout: 20_000, interval: 20 };

let nats: NatsServer;
let world: World;
let wallet: ChainWallet;
let cluster: FakeSigners;
let running: Orchestrator[];
let activation: Subscription;

const roster = () => ({
  clusterId: "test",
  threshold: THRESHOLD,
  signers: cluster.signers.map(({ index }) => ({
    index,
    id: `signer-${index}`,
    address: `127.0.0.1:${index}`,
    identityKey: identityKeyOf(index),
    encryptionKey: `${index}`.padStart(64, "0"),
  })),
});

const start = async (time = processWorld, databaseUrl = world.orchestratorUrl): Promise<Orchestrator> => {
  const orchestrator = await startOrchestrator({
    world: time,
    roster: roster(),
    networks: [world.network],
    signers: cluster.signers,
    databaseUrl,
    nats,
    listen: { host: "127.0.0.1", port: 0 },
    logger: makeLogger({ name: "test", level: "silent" }),
    presignatures: { low: 0, high: 0 },
    webhooks: { secrets: webhookSecretsOf(makeWebhookKey()), allowPrivateAddresses: true },
  });
  running.push(orchestrator);
  return orchestrator;
};

beforeEach(async () => {
  [world, nats] = await Promise.all([startWorld(), startNatsServer()]);
  wallet = await world.wallet();
  cluster = new FakeSigners(5, world.account, world.network);
  running = [];
  // activates keys as a running gateway does
  activation = activateAsGateway(world.database, roster().signers);
});
afterEach(async () => {
  await Promise.all([...running.map((orchestrator) => orchestrator.stop()), activation.stop()]);
  await Promise.all([world.stop(), nats.stop()]);
});

const transferUntil = (id: TransferId, wanted: (transfer: Transfer) => boolean): Promise<Transfer> =>
  vi.waitFor(async () => {
    const transfer = await readTransfer(world.database, id);
    if (transfer === undefined || !wanted(transfer))
      throw new Error(`still ${transfer?.status}: ${transfer?.reason}`);
    return transfer;
  }, PATIENCE);
const confirmed = (id: TransferId) => transferUntil(id, ({ status }) => status === "Confirmed");
const walletUntil = (id: WalletId, status: "Active" | "Failed") =>
  vi.waitFor(async () => {
    const found = await readWallet(world.database, id);
    if (found?.status !== status) throw new Error(`still ${found?.status}`);
    return found;
  }, PATIENCE);
const landed = () =>
  createPublicClient({ transport: http(world.anvil.rpcUrl) }).getTransactionCount({
    address: getAddress(world.account.address),
  });
const statusOf = async ({ port }: Orchestrator) => (await fetch(`http://127.0.0.1:${port}/status`)).json();
const settled = (orchestrator: Orchestrator, live: number) =>
  vi.waitFor(async () => {
    const status = await statusOf(orchestrator);
    expect(status).toMatchObject({ readiness: { kind: "ready" } });
    expect(JSON.stringify(status).match(/"live":true/g) ?? []).toHaveLength(live);
  }, PATIENCE);

describe("transfers", () => {
  it("go from the outbox to their confirmation", async () => {
    await start();
    const { id } = await world.transfer(wallet, parseEther("1"));
    expect(await confirmed(id)).toMatchObject({ sequence: 0n, reason: undefined });
    expect(await listEvents(world.database, id)).toHaveLength(3);
  });

  it("INV-4 of one wallet get one nonce each, with two orchestrators at work", async () => {
    await Promise.all([start(), start()]);
    const transfers = await Promise.all(
      [1n, 2n, 3n, 4n, 5n, 6n].map((amount) => world.transfer(wallet, amount)),
    );
    const done = await Promise.all(transfers.map(({ id }) => confirmed(id)));
    expect(done.map(({ sequence }) => Number(sequence)).sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await landed()).toBe(6);
    for (const { id } of done) expect(await listEvents(world.database, id)).toHaveLength(3);
  });

  it("INV-5 of other wallets go on while hundreds wait behind one that is stuck", async () => {
    await start();
    const busy = await world.wallet();
    const stuck = await world.transfer(busy);
    // its transaction is built, and no gateway renews its authorisation
    const text = Buffer.from(stuck.authorisation?.payload ?? expect.fail("not authorised")).toString("utf8");
    const old = { ...z.looseObject({}).parse(JSON.parse(text)), dateAuthorised: "2026-01-01T00:00:00.000Z" };
    await world.database.execute("update chain_requests set authorisation = $2 where id = $1", [
      stuck.id,
      Buffer.from(JSON.stringify(old)),
    ]);
    await transferUntil(stuck.id, ({ unsignedTransaction }) => unsignedTransaction !== undefined);
    const waiters: Transfer[] = [];
    for (let count = 0; count < 400; count += 1) waiters.push(await world.transfer(busy));
    await confirmed((await world.transfer(wallet)).id);
    for (const { id } of waiters) {
      const { reason } = await transferUntil(id, (transfer) => transfer.reason !== undefined);
      expect(reason).toBe("waiting for an earlier request of the wallet");
    }
    // none of them was taken: only their reason was written
    const taken = "select id from due_requests where attempts > 0 and not is_head";
    expect(await world.database.rows(z.unknown(), taken)).toEqual([]);
  });

  it("INV-5 go on while the message bus is away, and when it has lost all it had", async () => {
    await start();
    await nats.kill();
    await nats.forget();
    const first = await world.transfer(wallet);
    await confirmed(first.id);
    await nats.start();
    await confirmed((await world.transfer(wallet)).id);
  });

  it("INV-5 that fail again and again are put aside and shown, and those behind them go on", async () => {
    const orchestrator = await start();
    const broken = await world.transfer(wallet, 1n);
    const payload = Buffer.from("no authorisation at all");
    await world.database.execute("update chain_requests set authorisation = $2 where id = $1", [
      broken.id,
      payload,
    ]);
    // as if it had failed many times before
    await world.database.execute("update due_requests set failures = 100 where id = $1", [broken.id]);
    const next = await world.transfer(wallet);
    await confirmed(next.id);
    const { parked } = z
      .object({ parked: z.array(z.object({ id: z.string() })) })
      .parse(await statusOf(orchestrator));
    expect(parked.map(({ id }) => id)).toEqual([broken.id]);
    const metrics = await (await fetch(`http://127.0.0.1:${orchestrator.port}/metrics`)).text();
    expect(metrics).toContain(
      'conclave_due_requests{lane="EthereumSepolia",state="parked",service="orchestrator"} 1',
    );
  });

  it("INV-5 wait with a reason while too few signers live, and go on when they are back", async () => {
    const orchestrator = await start();
    await settled(orchestrator, 5);
    cluster.kill(3, 4, 5);
    const { id } = await world.transfer(wallet);
    const waiting = await transferUntil(id, ({ reason }) => reason !== undefined);
    expect(waiting).toMatchObject({
      status: "Executing",
      reason: "waiting for signers: 2 of the 3 needed are live; signer-3, signer-4, signer-5 do not answer",
    });
    cluster.revive(3);
    expect(await confirmed(id)).toMatchObject({ reason: undefined });
  });

  it("are not taken before enough signers have answered for the first time", async () => {
    // so that no wait for signers ends by itself
    const patient = {
      ...processWorld,
      after: (ms: number, ring: () => void) => processWorld.after(Math.max(ms, 60_000), ring),
    };
    cluster.kill(1, 2, 3, 4, 5);
    const { id } = await world.transfer(wallet);
    const steps: string[] = [];
    const starting = start(patient).then(() => steps.push("takes"));
    const present = "select id from orchestrators";
    await vi.waitFor(
      async () => expect(await world.database.rows(z.unknown(), present)).toHaveLength(1),
      PATIENCE,
    );
    cluster.revive(1, 2);
    await world.database.rows(z.unknown(), present);
    steps.push("a third answers");
    cluster.revive(3);
    await starting;
    expect(steps).toEqual(["a third answers", "takes"]);
    expect(await confirmed(id)).toMatchObject({ reason: undefined });
  });

  it("are signed by another quorum when a signer dies in mid-session", async () => {
    const orchestrator = await start();
    await settled(orchestrator, 5);
    for (const signer of cluster.signers) signer.hangs = true;
    const { id } = await world.transfer(wallet);
    await vi.waitFor(() => expect(cluster.sessions).toBe(THRESHOLD), PATIENCE);
    for (const signer of cluster.signers) signer.hangs = false;
    const [victim] = cluster.busy();
    if (victim === undefined) throw new Error("nobody is in a session");
    cluster.kill(victim);
    expect((await confirmed(id)).status).toBe("Confirmed");
    expect(cluster.sessions).toBe(2 * THRESHOLD);
  });

  it("INV-4 INV-5 are taken up by the next process when one stops in mid-session", async () => {
    const first = await start();
    await settled(first, 5);
    for (const signer of cluster.signers) signer.hangs = true;
    const { id } = await world.transfer(wallet);
    await vi.waitFor(() => expect(cluster.sessions).toBe(THRESHOLD), PATIENCE);
    await first.stop();
    for (const signer of cluster.signers) signer.hangs = false;
    await start();
    expect((await confirmed(id)).sequence).toBe(0n);
    expect(await landed()).toBe(1);
  });

  it("a stop waits for no database that does not answer", async () => {
    const proxy = await startSilentProxy(world.orchestratorUrl);
    try {
      const orchestrator = await start(processWorld, proxy.url);
      await settled(orchestrator, 5);
      proxy.silence();
      // timers of one process fire in order, however slow it is; a container is killed after ten seconds
      const over = new AbortController();
      const killed = delay(5_000, "killed", over).catch(() => "");
      expect(await Promise.race([orchestrator.stop().then(() => "stopped"), killed])).toBe("stopped");
      over.abort();
    } finally {
      await proxy.stop();
    }
  });

  it("survive a message bus that dies and comes back", async () => {
    await start();
    await nats.kill();
    const { id } = await world.transfer(wallet);
    await nats.start();
    expect((await confirmed(id)).status).toBe("Confirmed");
  });
});

describe("keys", () => {
  it("become active, and their wallets with them, once every signer holds an active share", async () => {
    const orchestrator = await start();
    await settled(orchestrator, 5);
    const { id, keyId } = await world.creatingWallet();
    expect(await walletUntil(id, "Active")).toMatchObject({ address: world.account.address });
    expect(await readKey(world.database, keyId)).toMatchObject({ status: "Active" });
    expect(cluster.signers.map(({ store }) => store.keys.get(keyId)?.state)).toEqual(Array(5).fill("active"));
    const kinds = (await listEvents(world.database, keyId)).concat(await listEvents(world.database, id));
    expect(kinds.map(({ kind }) => kind)).toEqual(["key.created", "wallet.created"]);
  });

  it("are made without a wallet, and for a wallet of a pseudo network, which has no address", async () => {
    await settled(await start(), 5);
    const [alone, pseudo] = [
      await world.creatingKey("FROST-Ed25519"),
      await world.creatingWallet("KeyECDSA"),
    ];
    expect(await walletUntil(pseudo.id, "Active")).toMatchObject({ address: undefined });
    await vi.waitFor(
      async () => expect(await readKey(world.database, alone.id)).toMatchObject({ status: "Active" }),
      PATIENCE,
    );
    expect(await listWalletsOfKey(world.database, alone.id)).toEqual([]);
    // presignatures are made for ECDSA keys alone
    expect(new Set(await readNewestKeys(world.database, 10))).toEqual(new Set([pseudo.keyId, wallet.keyId]));
  });

  it("fail when a network that a wallet waits for is served no more", async () => {
    await settled(await start(), 5);
    const { id, keyId } = await world.creatingWallet("Polygon");
    expect(await walletUntil(id, "Failed")).toMatchObject({ problem: { code: "NetworkNotEnabled" } });
    expect(await readKey(world.database, keyId)).toMatchObject({ status: "Failed" });
    expect(cluster.sessions).toBe(0);
  });

  it("fail when a signer is away, name it, and leave nothing behind on the others", async () => {
    const orchestrator = await start();
    await settled(orchestrator, 5);
    cluster.kill(4);
    const { id, keyId } = await world.creatingWallet();
    expect(await walletUntil(id, "Failed")).toMatchObject({
      problem: { code: "SignersUnavailable", details: { unavailable: ["signer-4"] } },
    });
    expect(cluster.signers.some(({ store }) => store.keys.has(keyId))).toBe(false);
  });

  it("fail when a signer dies while the key is made, and its pending share is discarded when it is back", async () => {
    const orchestrator = await start();
    await settled(orchestrator, 5);
    const victim = cluster.signers[4];
    if (victim === undefined) throw new Error("there are five signers");
    victim.hangs = true;
    const { id, keyId } = await world.creatingWallet();
    await vi.waitFor(() => expect(cluster.sessions).toBe(5), PATIENCE);
    // it stored its share, and died before it could report it
    victim.store.keys.set(keyId, { state: "pending", publicKey: world.account.publicKey });
    cluster.kill(5);
    expect(await walletUntil(id, "Failed")).toMatchObject({ problem: { code: "SignersUnavailable" } });
    cluster.revive(5);
    await vi.waitFor(
      () => expect(cluster.signers.filter(({ store }) => store.keys.has(keyId))).toEqual([]),
      PATIENCE,
    );
  });
});

describe("the cluster's readiness", () => {
  it("makes auxiliary information when it is missing, once, with two orchestrators at work", async () => {
    for (const { store } of cluster.signers) store.auxiliaryEpoch = 0;
    const both = await Promise.all([start(), start()]);
    for (const orchestrator of both) await settled(orchestrator, 5);
    expect(cluster.signers.map(({ store }) => store.auxiliaryEpoch)).toEqual([1, 1, 1, 1, 1]);
    expect(cluster.sessions).toBe(5);
  });

  it("INV-7 needs t signers that agree: one that says otherwise is named and asked nothing, and nothing is made anew", async () => {
    const [liar] = cluster.signers;
    if (liar === undefined) throw new Error("there are signers");
    liar.store.auxiliaryEpoch = 9;
    const orchestrator = await start();
    await settled(orchestrator, 5);
    const readiness = { kind: "ready", epoch: 1, apart: ["signer-1"] };
    await vi.waitFor(async () => expect(await statusOf(orchestrator)).toMatchObject({ readiness }), PATIENCE);
    expect(cluster.sessions).toBe(0);
    expect(cluster.signers.map(({ store }) => store.auxiliaryEpoch)).toEqual([9, 1, 1, 1, 1]);
  });

  it("is reported over HTTP with each signer's address, and so are health and metrics", async () => {
    const orchestrator = await start();
    await settled(orchestrator, 5);
    expect(await statusOf(orchestrator)).toMatchObject({
      threshold: 3,
      signers: expect.arrayContaining([
        expect.objectContaining({ id: "signer-2", address: "127.0.0.1:2", live: true }),
      ]),
    });
    const health = await fetch(`http://127.0.0.1:${orchestrator.port}/health`);
    expect([health.status, await health.json()]).toEqual([
      200,
      { status: "serving", parts: { database: true, bus: true } },
    ]);
    const metrics = await (await fetch(`http://127.0.0.1:${orchestrator.port}/metrics`)).text();
    expect(metrics).toContain('conclave_signers_live{service="orchestrator"} 5');
    expect(metrics).not.toContain("conclave_signer_quarantined{");
  });

  it("P15 names each signer that signs nothing with another: with whom, why and by which evidence, until it is over", async () => {
    const [first] = cluster.signers;
    const third = cluster.signers[2]?.index ?? expect.fail("there are signers");
    if (first === undefined) throw new Error("there are signers");
    const why = {
      check: "presign/2 Πaff-g of D",
      evidence: "ab".repeat(32),
      auxiliaryEpoch: 1,
      provenAtMs: 9,
    };
    first.store.quarantined = [{ signer: third, ...why }];
    const orchestrator = await start();
    await settled(orchestrator, 5);
    const metrics = async () => (await fetch(`http://127.0.0.1:${orchestrator.port}/metrics`)).text();
    const gauge = 'conclave_signer_quarantined{signer="signer-1",peer="signer-3",service="orchestrator"} 1';
    await vi.waitFor(async () => expect(await metrics()).toContain(gauge), PATIENCE);
    const quarantined = [{ signer: 3, ...why }];
    expect(await statusOf(orchestrator)).toMatchObject({
      signers: expect.arrayContaining([
        expect.objectContaining({ id: "signer-1", status: expect.objectContaining({ quarantined }) }),
      ]),
    });
    first.store.quarantined = [];
    await vi.waitFor(
      async () => expect(await metrics()).not.toContain("conclave_signer_quarantined{"),
      PATIENCE,
    );
  });

  it("shows how far each signer's clock is from the orchestrator's, as long as the signer reports it", async () => {
    const [first] = cluster.signers;
    if (first === undefined) throw new Error("there are signers");
    first.store.clockMs = Date.now() - 100 * 86_400_000;
    const orchestrator = await start();
    await settled(orchestrator, 5);
    const metrics = async () => (await fetch(`http://127.0.0.1:${orchestrator.port}/metrics`)).text();
    const gauge = /conclave_signer_clock_ahead_seconds\{signer="signer-1",service="orchestrator"\} -(\d+)/;
    await vi.waitFor(
      async () => expect(Number(gauge.exec(await metrics())?.[1])).toBeGreaterThan(8_639_000),
      PATIENCE,
    );
    expect(await metrics()).not.toContain('conclave_signer_clock_ahead_seconds{signer="signer-2"');
    expect(await statusOf(orchestrator)).toMatchObject({
      signers: expect.arrayContaining([
        expect.objectContaining({ id: "signer-1", clockAheadMs: expect.any(Number) }),
      ]),
    });
    first.store.clockMs = undefined;
    await vi.waitFor(
      async () => expect(await metrics()).not.toContain("conclave_signer_clock_ahead_seconds{"),
      PATIENCE,
    );
  });
});
