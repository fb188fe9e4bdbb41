import { openDatabase } from "@conclave/platform";
import { type SilentProxy, startSilentProxy } from "@conclave/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "./testing/bodies.ts";
import { startWorld, type World } from "./testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ ownPostgres: true });
});
afterAll(() => world.stop());

describe("the application", () => {
  it.each([
    ["GET", "/nowhere", 404, "NotFound"],
    ["GET", "/wallets/", 404, "NotFound"],
    ["DELETE", "/wallets", 405, "MethodNotAllowed"],
    ["PATCH", "/wallets/wa-00000-00000-0000000000000000", 405, "MethodNotAllowed"],
    ["POST", "/health", 405, "MethodNotAllowed"],
  ])("answers %s %s with %i %s", async (method, path, status, code) => {
    const answer = await world.call(method, path);
    expect([answer.status, errorOf(answer.body).details.code]).toEqual([status, code]);
  });

  it.each([
    ["PUT", "/keys/import", "POST"],
    ["OPTIONS", "/keys/import", "POST"],
    ["GET", "/wallets/import", "POST"],
    ["OPTIONS", "/wallets", "GET, HEAD, POST"],
  ])("answers %s %s with what the path takes: %s", async (method, path, allowed) => {
    const { status, headers } = await world.call(method, path);
    expect([status, headers.get("allow")]).toEqual([405, allowed]);
  });

  it.each([
    "/wallets/wa-00000-00000-0000000000000000",
    "/webhooks/wh-00000-00000-0000000000000000",
    "/auth/users/us-00000-00000-0000000000000000",
    "/auth/service-accounts/us-00000-00000-0000000000000000",
    "/auth/pats/to-00000-00000-0000000000000000",
    "/auth/apps/ap-00000-00000-0000000000000000",
    "/permissions/pm-00000-00000-0000000000000000",
  ])("INV-9 does not take no body at all for {}: PUT %s", async (path) => {
    const { status, body } = await world.call("PUT", path);
    expect([status, errorOf(body).details.code]).toEqual([400, "InvalidBody"]);
    expect((await world.call("PUT", path, {})).status).toBe(404);
  });

  it("gives each request an id, which its error carries too", async () => {
    const { body, headers } = await world.call("GET", "/nowhere");
    expect(errorOf(body).id).toBe(headers.get("x-request-id"));
  });

  it("sends an error with a body for each generation of clients", async () => {
    const { body } = await world.call("GET", "/nowhere");
    const { error, message } = z
      .object({ error: z.object({ message: z.string() }), message: z.string() })
      .parse(body);
    expect(error.message).toBe(message);
  });

  it("forbids sniffing, framing and caching of what it answers", async () => {
    const { headers } = await world.call("GET", "/wallets");
    expect([
      headers.get("x-content-type-options"),
      headers.get("x-frame-options"),
      headers.get("cache-control"),
    ]).toEqual(["nosniff", "SAMEORIGIN", "no-store"]);
  });

  it("describes itself as OpenAPI 3.1, every operation with a name of its own and its errors", async () => {
    const { body } = await world.call("GET", "/openapi.json", undefined, { authorization: "" });
    const answer = z.looseObject({ content: z.unknown().optional() });
    const operation = z.looseObject({ operationId: z.string(), responses: z.record(z.string(), answer) });
    const document = z
      .object({ openapi: z.string(), paths: z.record(z.string(), z.record(z.string(), operation)) })
      .parse(body);
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(["/wallets", "/wallets/{walletId}/transfers", "/keys/{keyId}", "/auth/action"]),
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    const silent = operations.filter(
      ({ responses }) =>
        !JSON.stringify(responses["400"] ?? "").includes('"$ref":"#/components/responses/BadRequest"'),
    );
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });

  it("answers health and metrics without a token", async () => {
    const health = await world.raw("/health", {});
    const metrics = await world.raw("/metrics", {});
    expect([health.status, await health.json()]).toEqual([
      200,
      { status: "serving", parts: { database: true, "message bus": true } },
    ]);
    expect(await metrics.text()).toMatch(
      /conclave_http_request_seconds_count\{.*route="\/wallets\/\*|conclave_http_request/,
    );
  });

  it("serves while the bus is away, and says that it is", async () => {
    world.bus.setConnected(false);
    const health = await world.raw("/health", {});
    world.bus.setConnected(true);
    expect([health.status, await health.json()]).toEqual([
      200,
      { status: "serving", parts: { database: true, "message bus": false } },
    ]);
  });
});

describe("while the database's host says nothing", () => {
  it("requests are answered 503 and wait for no answer longer than its bound; they are served again once it speaks", async () => {
    const proxies: SilentProxy[] = [];
    const far = await startWorld({
      reach: async (url) => {
        const proxy = await startSilentProxy(url);
        proxies.push(proxy);
        return openDatabase({
          url: proxy.url,
          name: "far",
          bounds: { connectMs: 500, answerMs: 500, closeMs: 200 },
        });
      },
    });
    expect((await far.call("GET", "/wallets")).status).toBe(200);
    for (const proxy of proxies) proxy.silence();
    const { status, body, headers } = await far.call("GET", "/wallets");
    for (const proxy of proxies) proxy.restore();
    expect([status, errorOf(body).details.code, headers.get("retry-after")]).toEqual([
      503,
      "ServiceUnavailable",
      "1",
    ]);
    await expect.poll(async () => (await far.call("GET", "/wallets")).status).toBe(200);
    await far.stop();
    await Promise.all(proxies.map((proxy) => proxy.stop()));
  });
});

describe("while the database is away", () => {
  it("requests are answered 503 with a remedy, and served again once it is back", async () => {
    await world.postgres?.halt();
    const { status, body, headers } = await world.call("GET", "/wallets");
    await world.postgres?.start();
    expect([status, errorOf(body).details.code, headers.get("retry-after")]).toEqual([
      503,
      "ServiceUnavailable",
      "1",
    ]);
    expect((await world.call("GET", "/wallets")).status).toBe(200);
  });
});
