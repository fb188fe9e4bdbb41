import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
    expect(named).toHaveLength(4);
    const answers = await Promise.all(named.map((path) => world.raw(path, {})));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(named.every((path) => path.startsWith("/docs/"))).toBe(true);
  });

  it("lets a browser ask no other host", async () => {
    const { headers } = await world.raw("/docs", {});
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it("shows the document of this service", async () => {
    expect(await (await world.raw("/docs/start.js", {})).text()).toContain('"/openapi.json"');
  });
});
