import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type Cluster, carryOutOrder, giveOrder, type OrderService, serveOrders } from "@conclave/testbed";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startCluster } from "./throw-away-cluster.ts";

let cluster: Cluster;
let orders: OrderService;
beforeAll(async () => {
  cluster = await startCluster({ signers: 3, threshold: 2 });
  orders = await serveOrders(cluster.layout.run, (order, say) => carryOutOrder(cluster, order, say));
});
afterAll(async () => {
  await Promise.all([cluster?.stop(), orders?.close()]);
});

const order = async (kind: "restart" | "start" | "stop", process: string): Promise<readonly string[]> => {
  const said: string[] = [];
  await giveOrder(cluster.layout.run, { kind, process }, (line) => said.push(line));
  return said;
};

const processOf = (name: string) => cluster.status().find((process) => process.name === name);

it.each(["signer-2", "gateway", "orchestrator", "nats", "postgres", "anvil"])(
  "an operator's order stops %s, starts it, and starts it again",
  async (name) => {
    const first = processOf(name)?.pid;
    expect(await order("stop", name)).toEqual([`${name} is stopped`]);
    expect(processOf(name)?.state).toBe("exited");
    expect(await order("stop", name)).toEqual([`${name} does not run`]);
    expect(await order("start", name)).toEqual([`${name} runs`]);
    const second = processOf(name)?.pid;
    expect(await order("start", name)).toEqual([`${name} runs already`]);
    expect(processOf(name)).toMatchObject({ state: "running", pid: second });
    expect(await order("restart", name)).toEqual([`${name} is stopped`, `${name} runs`]);
    expect(processOf(name)?.state).toBe("running");
    expect(new Set([first, second, processOf(name)?.pid]).size).toBe(3);
  },
);

it("an order about no process of the cluster lists those that there are", async () => {
  await expect(order("restart", "signer-4")).rejects.toMatchObject({
    message: "there is no process signer-4",
    remedy: expect.stringContaining("signer-3"),
  });
});

it("orders reach the cluster by a socket of its owner alone", () => {
  const { run } = cluster.layout;
  expect(lstatSync(run).mode & 0o777).toBe(0o700);
  expect(lstatSync(join(run, "orders.sock")).mode & 0o777).toBe(0o600);
});
