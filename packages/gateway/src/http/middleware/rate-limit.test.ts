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
});
