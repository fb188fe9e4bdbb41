import { type Database, Outage } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "../../testing/bodies.ts";
import { startWorld, type World } from "../../testing/world.ts";

const PER_MINUTE = 5;

let world: World;
beforeAll(async () => {
  world = await startWorld({ requestsPerMinute: PER_MINUTE });
});
afterAll(() => world.stop());

describe("an organisation", () => {
  it("is answered 429 beyond its requests a minute, with the time to wait, and harms no other", async () => {
    const answers = await Promise.all(
      Array.from({ length: PER_MINUTE + 1 }, () => world.call("GET", "/wallets")),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(errorOf(refused?.body).details).toMatchObject({ code: "RateLimited", perMinute: PER_MINUTE });
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    const authorization = `Bearer ${world.strangersToken}`;
    expect((await world.call("GET", "/wallets", undefined, { authorization })).status).toBe(200);
  });

  it("INV-9 has people who can end rights although its requests are used up", async () => {
    const own = await startWorld({ requestsPerMinute: PER_MINUTE });
    try {
      await Promise.all(Array.from({ length: PER_MINUTE }, () => own.call("GET", "/wallets")));
      const revoke = () => own.call("DELETE", "/auth/pats/to-aaaaa-bbbbb-cccccccccccccccc", {});
      const answers = [await own.call("GET", "/wallets"), await revoke(), await revoke()];
      expect(answers.map(({ status }) => status)).toEqual([429, 404, 429]);
    } finally {
      await own.stop();
    }
  });

  it("has its requests a minute once, however many gateways it asks", async () => {
    const own = await startWorld({ requestsPerMinute: 40 });
    try {
      const answers = await Promise.all(
        [own.call, own.callBeside].flatMap((call) =>
          Array.from({ length: 30 }, () => call("GET", "/wallets")),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(40);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    } finally {
      await own.stop();
    }
  });

  it("is served although the place that gateways share cannot be asked", async () => {
    const wrapDatabase = (database: Database): Database => ({
      ...database,
      rows: (schema, text, values) =>
        text.includes("request_windows")
          ? Promise.reject(new Outage("database", undefined))
          : database.rows(schema, text, values),
    });
    const own = await startWorld({ requestsPerMinute: PER_MINUTE, wrapDatabase });
    try {
      const answers = await Promise.all(
        Array.from({ length: PER_MINUTE + 1 }, () => own.call("GET", "/wallets")),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429]);
    } finally {
      await own.stop();
    }
  });

  it("row 16: is not spent by one of its end users, who has a part of it", async () => {
    const own = await startWorld({ requestsPerMinute: 20 });
    try {
      const { token, caller } = await own.tokenOf(["Wallets:Read"]);
      await own.database.execute("update users set kind = 'EndUser' where id = $1", [caller.userId]);
      const ask = () => own.call("GET", "/wallets", undefined, { authorization: `Bearer ${token}` });
      const answers = await Promise.all(Array.from({ length: 30 }, ask));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
      const refused = answers.find(({ status }) => status === 429);
      expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
      // 18 requests are left
      const others = await Promise.all(Array.from({ length: 18 }, () => own.call("GET", "/wallets")));
      expect(others.map(({ status }) => status)).toEqual(Array.from({ length: 18 }, () => 200));
    } finally {
      await own.stop();
    }
  });
});
