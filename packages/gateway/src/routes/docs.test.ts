import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { startWorld, type World } from "../testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

describe("the browsable page", () => {
  it("comes whole from this service: everything that it names is served, without a token", async () => {
    const page = await (await world.raw("/docs", {})).text();
    const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].flatMap(([, path]) => path ?? []);
    expect(named).toHaveLength(6);
    const answers = await Promise.all(named.map((path) => world.raw(path, {})));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(named.every((path) => path.startsWith("/docs/"))).toBe(true);
  });

  it("is where the root of the service leads", async () => {
    const answer = await world.raw("/", { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/docs"]);
  });

  it("lets a browser ask no other host", async () => {
    const { headers } = await world.raw("/docs", {});
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it("shows the document of this service", async () => {
    expect(await (await world.raw("/docs/start.js", {})).text()).toContain('"/openapi.json"');
  });
});

describe("the OpenAPI document", () => {
  const operationSchema = z.looseObject({
    operationId: z.string().optional(),
    responses: z.record(z.string(), z.unknown()),
    "x-required-permissions": z.array(z.unknown()).optional(),
  });
  const documentSchema = z.looseObject({
    paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  });

  it("says of every operation that asks for a permission, or counts, that it may refuse", async () => {
    const document = documentSchema.parse(await (await world.raw("/openapi.json", {})).json());
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const lacking = (status: string, isMeant: (operation: z.output<typeof operationSchema>) => boolean) =>
      operations
        .filter((operation) => isMeant(operation) && operation.responses[status] === undefined)
        .map(({ operationId }) => operationId);
    const isGuarded = (needs: readonly unknown[] = []): boolean => needs.length > 0;
    expect(operations.filter((each) => isGuarded(each["x-required-permissions"])).length).toBeGreaterThan(80);
    expect(lacking("403", (each) => isGuarded(each["x-required-permissions"]))).toEqual([]);
    expect(lacking("429", (each) => each["x-required-permissions"] !== undefined)).toEqual([]);
  });
});
