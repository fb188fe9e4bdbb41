import { type Database, Outage } from "@conclave/platform";
import { afterAll, beforeAll, expect, it } from "vitest";
import { errorOf } from "./testing/bodies.ts";
import { startWorld, type World } from "./testing/world.ts";

let world: World;
let isAway = false;
beforeAll(async () => {
  world = await startWorld({
    wrapDatabase: (database: Database): Database => ({
      ...database,
      rows: (schema, text, values) =>
        isAway ? Promise.reject(new Outage("database", undefined)) : database.rows(schema, text, values),
      transaction: async (work) => {
        const value = await database.transaction(work);
        isAway = true;
        return value;
      },
    }),
  });
});
afterAll(() => world.stop());

it.each(["/wallets", "/keys"])(
  "INV-4 a request accepted at %s is not reported as undone when the database goes away after it",
  async (path) => {
    isAway = false;
    const body = path === "/keys" ? { scheme: "ECDSA", curve: "secp256k1" } : { network: "EthereumSepolia" };
    const answer = await world.call("POST", path, body);
    expect([answer.status, errorOf(answer.body).details.code]).toEqual([503, "RequestInProgress"]);
  },
);
