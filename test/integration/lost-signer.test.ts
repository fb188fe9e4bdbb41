import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ApiWallet,
  type Cluster,
  carryOutOrder,
  forgetState,
  type OrderService,
  serveOrders,
} from "@conclave/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshReceiver, makeFundedWallet } from "./funded-wallet.ts";
import { conclave } from "./liars/operators-command.ts";
import { PATIENCE_MS } from "./patience.ts";
import { startCluster, stateFolder } from "./throw-away-cluster.ts";

const LOST = "signer-2";
const state = stateFolder();
/** Text of the progress of the latest start. */
let said: string[] = [];
const start = (): Promise<Cluster> => {
  said = [];
  return startCluster({
    state,
    signers: 3,
    threshold: 2,
    disposable: false,
    waitsFor: "threshold",
    onProgress: ({ text }) => void said.push(text),
  });
};

let cluster: Cluster;
let orders: OrderService | undefined;
let wallet: ApiWallet;

const pay = async (): Promise<string> => {
  const asked = await cluster.api.transfer(wallet.id, { kind: "Native", to: freshReceiver(), amount: "1" });
  return (await cluster.api.confirmed(asked, PATIENCE_MS)).status;
};

const standings = async (): Promise<readonly string[]> =>
  (await cluster.signerStates()).map(({ standing }) => standing);

beforeAll(async () => {
  cluster = await start();
  wallet = await makeFundedWallet(cluster);
  expect(await pay()).toBe("Confirmed");
  await cluster.stop();
});
afterAll(async () => {
  await Promise.all([cluster?.stop(), orders?.close()]);
  forgetState(state);
});

const vault = (): string => join(cluster.layout.signer(2), "vault");

describe("a cluster of which one signer lost its store", () => {
  it("starts nothing for a name that is no signer's", async () => {
    cluster = await start();
    await cluster.stopProcess("gateway");
    orders = await serveOrders(cluster.layout.run, (order, say) => carryOutOrder(cluster, order, say));
    const reprovision = (name: string) => conclave({}, "reprovision", name, "--state", state);
    expect(await reprovision("gateway")).toMatchObject({
      code: 2,
      out: expect.stringContaining("It is no signer, such as signer-2."),
    });
    expect(await reprovision("signer-9")).toMatchObject({
      code: 1,
      out: expect.stringContaining("there is no signer signer-9"),
    });
    expect(cluster.status().find(({ name }) => name === "gateway")?.state).toBe("exited");
    await Promise.all([cluster.stop(), orders.close()]);
  });

  it("INV-5 starts without it where it cannot start, says so, and signs with the others", async () => {
    writeFileSync(join(vault(), "CURRENT"), "no manifest");
    cluster = await start();
    expect(said.join("\n")).toMatch(/signer-2 ended with code [\s\S]*The cluster starts without signer-2\./);
    expect(await standings()).toEqual(["ready", "away", "ready"]);
    expect(await pay()).toBe("Confirmed");
  });

  it("has it started, and given its keys again, by one command", async () => {
    rmSync(vault(), { recursive: true });
    orders = await serveOrders(cluster.layout.run, (order, say) => carryOutOrder(cluster, order, say));
    const { code, out } = await conclave({}, "reprovision", LOST, "--state", state);
    expect(out).toMatch(/signer-2 runs\n[\s\S]*done: signer-2 was given 1 key\n/);
    expect(code).toBe(0);
    await cluster.ready();
    expect(await standings()).toEqual(["ready", "ready", "ready"]);
    await cluster.stopProcess("signer-1");
    expect(await pay()).toBe("Confirmed");
  });

  it("INV-5 starts while it has nothing, and signs with the others", async () => {
    await Promise.all([cluster.stop(), orders?.close()]);
    rmSync(vault(), { recursive: true });
    cluster = await start();
    expect(await standings()).toEqual(["ready", "bare", "ready"]);
    expect(await pay()).toBe("Confirmed");
  });
});
