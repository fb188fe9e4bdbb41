import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "../../testing/bodies.ts";
import { startWorld, type World } from "../../testing/world.ts";

const PAGE = "https://app.example";
/** All headers that client libraries 0.4.3 to 0.8.21 send. */
const SENT =
  "authorization,content-type,x-dfns-appid,x-dfns-appsecret,x-dfns-nonce,x-dfns-sdk-version,x-dfns-useraction";

let world: World;
beforeAll(async () => {
  world = await startWorld({ pageOrigins: ["localhost", PAGE] });
});
afterAll(() => world.stop());

const preflight = (origin: string, path = "/wallets") =>
  world.raw(path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": SENT,
    },
  });
const get = (origin: string, headers: Readonly<Record<string, string>> = {}) =>
  world.raw("/wallets", { headers: { origin, ...headers } });
const listOf = (text: string | null) => text?.toLowerCase().split(/, ?/) ?? [];

describe("a page of a configured origin", () => {
  it.each([PAGE, "http://localhost", "http://localhost:5173", "https://127.0.0.1:8443", "http://[::1]:3000"])(
    "%s is answered its preflight, without a token",
    async (origin) => {
      const answer = await preflight(origin);
      expect([answer.status, await answer.text()]).toEqual([204, ""]);
      expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
      expect(answer.headers.get("access-control-allow-credentials")).toBe("true");
      expect(listOf(answer.headers.get("vary"))).toContain("origin");
      expect(listOf(answer.headers.get("access-control-allow-headers"))).toEqual(
        expect.arrayContaining(SENT.split(",")),
      );
      expect(listOf(answer.headers.get("access-control-allow-methods"))).toEqual(
        expect.arrayContaining(["get", "post", "put", "delete"]),
      );
    },
  );

  it("reads answers, and errors too", async () => {
    const served = await get(PAGE, { authorization: `Bearer ${world.token}` });
    const refused = await get(PAGE);
    expect([served.status, refused.status]).toEqual([200, 401]);
    for (const { headers } of [served, refused]) {
      expect(headers.get("access-control-allow-origin")).toBe(PAGE);
      expect(listOf(headers.get("access-control-expose-headers"))).toContain("retry-after");
      expect(listOf(headers.get("vary"))).toContain("origin");
    }
  });

  it("is answered like everybody when it asks with OPTIONS and means no preflight", async () => {
    const headers = { origin: PAGE, authorization: `Bearer ${world.token}` };
    expect((await world.raw("/wallets", { method: "OPTIONS", headers })).status).toBe(405);
  });
});

describe("a page of any other origin", () => {
  it.each([
    "https://other.example",
    "http://app.example",
    "https://app.example:8443",
    "https://app.example.evil.example",
    "http://localhost.evil.example",
    "http://evil-localhost:3000",
    "http://127.0.0.1.evil.example",
    "http://localhost:3000/path",
    "null",
    "",
  ])("INV-9 %j is refused its preflight, with what helps", async (origin) => {
    const answer = await preflight(origin);
    expect(answer.status).toBe(403);
    expect(errorOf(await answer.json()).details).toMatchObject({ code: "OriginNotAllowed", origin });
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("is not shown an answer by its browser", async () => {
    const answer = await get("https://other.example", { authorization: `Bearer ${world.token}` });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(listOf(answer.headers.get("vary"))).toContain("origin");
  });
});
