import { type Cluster, CustodyApi, LaunchError, waitUntil } from "@conclave/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kindsOf, readEvents } from "./event-stream.ts";
import { freshReceiver, makeFundedWallet } from "./funded-wallet.ts";
import { PATIENCE_MS } from "./patience.ts";
import { startCluster } from "./throw-away-cluster.ts";

const AMOUNT = 777n;
const LIFE = ["wallet.transfer.requested", "wallet.transfer.broadcasted", "wallet.transfer.confirmed"];

let cluster: Cluster;
let second: CustodyApi;
beforeAll(async () => {
  cluster = await startCluster({
    signers: 3,
    threshold: 2,
    orchestrators: 2,
    gateways: 2,
    links: "proxied",
  });
  const { gateways, developer } = cluster.description;
  second = new CustodyApi(gateways[1]?.url ?? "", developer.token);
});
afterAll(() => cluster?.stop());

/** Sends a transfer and waits until it lands. @returns its id */
const expectTransfer = async (api: CustodyApi): Promise<string> => {
  const wallet = await makeFundedWallet({ ...cluster, api });
  const to = freshReceiver();
  const sent = await api.transfer(wallet.id, { kind: "Native", to, amount: AMOUNT.toString() });
  await api.confirmed(sent, PATIENCE_MS);
  expect(await cluster.chain.balance(to)).toBe(AMOUNT);
  return sent.id;
};

/** The kinds of a transfer's events on the bus. */
const heardOf = async (id: string): Promise<readonly string[]> =>
  kindsOf(await readEvents(cluster.layout), id);

const stateOf = async (signer: string): Promise<string | undefined> =>
  (await cluster.signerStates()).find(({ id }) => id === signer)?.state;

const seen = (what: string, probe: () => Promise<boolean>): Promise<true> =>
  waitUntil(async () => ((await probe()) ? true : undefined), { what, deadlineMs: PATIENCE_MS });

describe("two orchestrators and two gateways, with a proxy between any two processes", () => {
  it("INV-5 sign what either gateway accepts", async () => {
    expect(cluster.status().map(({ name }) => name)).toEqual(
      expect.arrayContaining(["gateway", "gateway-2", "orchestrator", "orchestrator-2"]),
    );
    await Promise.all([expectTransfer(cluster.api), expectTransfer(second)]);
  });

  it("INV-5 go on while one signer does not hear another, and after", async () => {
    const link = cluster.link("signer-1", "signer-2");
    const wallet = await makeFundedWallet(cluster);
    link.cut();
    const send = () =>
      cluster.api.transfer(wallet.id, { kind: "Native", to: freshReceiver(), amount: AMOUNT.toString() });
    for (const sent of [await send(), await send(), await send()])
      await cluster.api.confirmed(sent, PATIENCE_MS);
    link.heal();
    // making a key requires all signers
    await expectTransfer(cluster.api);
  });

  it("an orchestrator that a signer does not hear finds it away, until the link is healed", async () => {
    cluster.link("orchestrator", "signer-3").cut();
    await seen("signer-3 to be away", async () => (await stateOf("signer-3")) === "not answering");
    cluster.link("orchestrator", "signer-3").heal();
    await cluster.ready();
    expect(await stateOf("signer-3")).toBe("ready");
  });

  it("a gateway that the database does not hear answers that it is away; the other one serves", async () => {
    cluster.link("gateway-2", "postgres").cut();
    expect((await second.send("GET", "/wallets")).status).toBe(503);
    expect((await cluster.api.send("GET", "/wallets")).status).toBe(200);
    cluster.link("gateway-2", "postgres").heal();
    await seen("the second gateway", async () => (await second.send("GET", "/wallets")).status === 200);
  });

  it("INV-5 INV-6 go on with a bus that has lost all, and with a gateway that was stopped and is back", async () => {
    const forgotten = await expectTransfer(cluster.api);
    await expect.poll(() => heardOf(forgotten)).toEqual(LIFE);
    await cluster.forgetBus();
    await cluster.stopProcess("gateway-2");
    const states = cluster.status().filter(({ name }) => name === "gateway-2" || name === "nats");
    expect(states).toMatchObject([
      { name: "nats", state: "running" },
      { name: "gateway-2", state: "exited" },
    ]);
    await cluster.restart("gateway-2");
    const later = await expectTransfer(second);
    await expect.poll(() => heardOf(later)).toEqual(LIFE);
    expect(await heardOf(forgotten)).toEqual([]);
  });

  it("a link of processes that do not speak to each other is refused with the names of those that do", () => {
    expect(() => cluster.link("signer-1", "postgres")).toThrow(LaunchError);
    expect(() => cluster.link("gateway", "anvil")).not.toThrow();
  });
});
