import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { usableToken } from "@conclave/cli";
import { type Cluster, carryOutOrder, giveOrder, type OrderService, serveOrders } from "@conclave/testbed";
import { readDescription } from "@conclave/testbed/launch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asGateway } from "./second-organisation.ts";
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

describe("the token that a start of a running cluster shows", () => {
  const shown = () => usableToken(cluster.description, cluster.layout, "here");
  const asService = (method: string, path: string): Promise<Response> => {
    const { api, developer } = cluster.description;
    const headers = {
      authorization: `Bearer ${developer.serviceAccount.token}`,
      "content-type": "application/json",
    };
    return fetch(`${api.url}${path}`, { method, headers, body: "{}" });
  };

  it("stays while it serves", async () => {
    const { token, tokenFile } = cluster.description.developer;
    expect(await shown()).toEqual({ token, lines: [] });
    expect(readFileSync(tokenFile, "utf8").trim()).toBe(token);
  });

  it("is another one, which serves, after its user logged out", async () => {
    const { token: before, tokenFile } = cluster.description.developer;
    expect(await cluster.api.send("PUT", "/auth/logout", { allSessions: true })).toMatchObject({
      status: 200,
    });
    const { token, lines } = await shown();
    expect(token).not.toBe(before);
    expect(lines).toEqual([
      "The token of before was logged out or has expired:",
      `${tokenFile} has a new one.`,
    ]);
    expect(readFileSync(tokenFile, "utf8").trim()).toBe(token);
    expect(readDescription(cluster.layout)?.developer.token).toBe(token);
    const pats = await fetch(`${cluster.description.api.url}/auth/pats`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(pats.status).toBe(200);
  });

  it("serves no more once its user was deactivated, and the lines say how to activate it", async () => {
    const { userId } = cluster.description.developer;
    const database = asGateway(cluster);
    // the gateway lets no last administrator be deactivated
    await database.execute("update users set is_active = false where id = $1", [userId]);
    await database.close();
    const { lines } = await shown();
    expect(lines.join("\n")).toMatch(
      new RegExp(`was deactivated[^]*curl -X PUT .*/auth/users/${userId}/activate`),
    );
    expect((await asService("PUT", `/auth/users/${userId}/activate`)).status).toBe(200);
  });
});
