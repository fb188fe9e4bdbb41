import { type Database, openDatabase } from "@conclave/platform";
import { orchestratorLogin } from "@conclave/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf, walletOf } from "../testing/bodies.ts";
import { startWorld, type World } from "../testing/world.ts";

const payment = { kind: "Native", to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", amount: "5" };

let world: World;
/** with the login of orchestrators, as a thief would have it */
let orchestrator: Database;
beforeAll(async () => {
  const reach = async (url: string) => openDatabase({ url, name: "gateway", bounds: { lockMs: 200 } });
  world = await startWorld({ reach });
  orchestrator = openDatabase({ url: await orchestratorLogin(world.databaseUrl), name: "orchestrator" });
});
afterAll(async () => {
  await orchestrator.close();
  await world.stop();
});

describe("while the login of orchestrators holds a table against everybody", () => {
  it("INV-9 a request that needs it is answered 503 with a remedy, changes nothing, and others are answered", async () => {
    const { id } = walletOf((await world.call("POST", "/wallets", { network: "EthereumSepolia" })).body);
    const rows = await world.rows();
    await orchestrator.transaction(async (connection) => {
      await connection.execute("lock table due_requests in access exclusive mode");
      const asked = await world.call("POST", `/wallets/${id}/transfers`, payment);
      expect(asked.status).toBe(503);
      expect(errorOf(asked.body).details.remedy).not.toBe("");
      expect((await world.call("GET", `/wallets/${id}`)).status).toBe(200);
    });
    expect(await world.rows()).toBe(rows);
    expect((await world.call("POST", `/wallets/${id}/transfers`, payment)).status).toBe(200);
  });
});
