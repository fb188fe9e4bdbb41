import { CLOCKS_APART_MS_MAX, deadTransactionsSchema, problem, transferIdSchema } from "@conclave/custody";
import { DatabaseClock, freshId } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { clockProblem, startClockWatch, whileClocksAgree } from "./clocks.ts";
import { Refused } from "./http/refused.ts";
import { startWorld, type World } from "./testing/world.ts";

const HOUR_MS = 3_600_000;
const RECIPIENT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const JUMPS = [
  ["an hour ahead", HOUR_MS, 3_600],
  ["an hour behind", -HOUR_MS, -3_600],
  ["25 hours ahead", 25 * HOUR_MS, 90_000],
  ["100 days behind", -2_400 * HOUR_MS, -8_640_000],
  ["41 seconds ahead", 41_000, 41],
] as const;

let world: World;
let walletId: string;
beforeAll(async () => {
  world = await startWorld();
  const { body } = await world.call("POST", "/wallets", { network: "EthereumSepolia" });
  walletId = String(Object(body).id);
});
afterAll(() => world.stop());

describe.each(JUMPS)("INV-9 a gateway whose clock is %s of the database's", (_, aheadMs, aheadSeconds) => {
  const payment = { kind: "Native", to: RECIPIENT, amount: "5" };
  const calls = [
    ["POST", () => `/wallets/${walletId}/transfers`, payment],
    ["GET", () => "/wallets", undefined],
    ["POST", () => "/auth/login/init", { username: "admin" }],
  ] as const;

  it.each(calls)(
    "refuses %s and changes nothing; set right, it serves at once",
    async (method, path, body) => {
      const before = await world.rows();
      world.setAhead(aheadMs);
      const refused = await world.call(method, path(), body);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
      expect(refused.body).toMatchObject({
        error: { details: { code: "ClocksApart", aheadSeconds, remedy: expect.stringContaining("clock") } },
      });
      expect(await world.rows()).toEqual(before);
      world.setAhead(0);
      expect((await world.call(method, path(), body)).body).not.toMatchObject({
        error: { details: { code: "ClocksApart" } },
      });
    },
  );
});

describe("the bound", () => {
  it.each([0, CLOCKS_APART_MS_MAX, -CLOCKS_APART_MS_MAX])(
    "leaves %i ms to clocks that differ a little",
    (aheadMs) => {
      expect(clockProblem({ aheadMs })).toBeUndefined();
    },
  );

  it("keeps the authority from signing anything beyond it", () => {
    const clock = { aheadMs: CLOCKS_APART_MS_MAX + 1 };
    const signed = { payload: new Uint8Array(1), signature: new Uint8Array(64) };
    const authority = whileClocksAgree(clock, () => signed);
    const statement = deadTransactionsSchema.parse({
      version: 1,
      kind: "dead-transactions",
      requestId: freshId(transferIdSchema, "xfr"),
      network: "EthereumSepolia",
      transactions: ["ab".repeat(32)],
      dateRequested: "2026-11-20T00:00:00.000Z",
    });
    expect(() => authority(statement)).toThrow(Refused);
    clock.aheadMs = 0;
    expect(authority(statement)).toBe(signed);
  });
});

describe("the watch of a gateway", () => {
  it("says once that the clock is not the database's, and once that it is again; a jump counts before it is measured", async () => {
    const rightMs = Date.parse("2026-11-20T00:00:00.000Z");
    const own = { aheadMs: 0 };
    const clock = new DatabaseClock({
      nowMs: () => rightMs + own.aheadMs,
      monotonicMs: () => 0,
    });
    let measured = 0;
    const lines: unknown[] = [];
    const note = (...line: readonly unknown[]) => lines.push(line);
    const watch = startClockWatch({
      world: processWorld,
      database: {
        rows: async (schema) => {
          measured += 1;
          return [schema.parse({ now_ms: rightMs })];
        },
      },
      clock,
      logger: { warn: note, info: note },
    });
    const again = () => {
      const before = measured;
      return vi.waitFor(() => expect(measured).toBeGreaterThan(before + 1), { timeout: 5_000 });
    };
    await again();
    own.aheadMs = HOUR_MS;
    expect(clockProblem(clock)).toEqual(problem("ClocksApart", { aheadSeconds: 3_600 }));
    await again();
    own.aheadMs = 0;
    expect(clockProblem(clock)).toBeUndefined();
    await again();
    await watch.stop();
    expect(lines).toEqual([
      [{ event: "clocks-came-apart", aheadMs: HOUR_MS }, expect.stringContaining("nothing is accepted")],
      [{ event: "clocks-agree", aheadMs: 0 }, expect.stringContaining("again")],
    ]);
  });
});
