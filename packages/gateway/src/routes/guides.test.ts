import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GUIDES } from "../guides/guides.ts";
import { renderMarkdown } from "../guides/markdown.ts";
import { startWorld, type World } from "../testing/world.ts";

const NAMES = [...Object.keys(GUIDES), "errors"];

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

describe("the guides", () => {
  it.each(NAMES)("%s is served without a token, and asks nothing of anybody", async (name) => {
    const answer = await world.raw(`/docs/guides/${name}`, {});
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'; style-src 'self'");
    const page = await answer.text();
    expect(page).toContain("<h1 id=");
    expect(page).not.toMatch(/<script|<img|style=|src=/);
  });

  it("are listed on a page of their own, which leads to each", async () => {
    const answer = await world.raw("/docs/guides", {});
    expect(answer.status).toBe(200);
    const page = await answer.text();
    for (const name of NAMES) expect(page).toContain(`<a href="/docs/guides/${name}">`);
    expect(page).toContain("<title>Conclave: Guides</title>");
  });

  it("lead to pages that are there", async () => {
    const pages = new Map(
      await Promise.all(
        NAMES.map(
          async (name): Promise<[string, string]> => [
            `/docs/guides/${name}`,
            await (await world.raw(`/docs/guides/${name}`, {})).text(),
          ],
        ),
      ),
    );
    const dead = [...pages].flatMap(([path, page]) =>
      [...page.matchAll(/<a href="([^"]+)"/g)].flatMap(([, link = ""]) => {
        if (link === "/docs" || link.startsWith("https://")) return [];
        const [target = "", anchor] = link.split("#");
        const found = pages.get(target === "" ? path : target);
        const isThere = found !== undefined && (anchor === undefined || found.includes(` id="${anchor}"`));
        return isThere ? [] : [`${path}: ${link}`];
      }),
    );
    expect(dead).toEqual([]);
  });

  it.each(["nothing", "..%2f..%2fpackage.json", "README"])("INV-9 have no page %s", async (name) => {
    expect((await world.raw(`/docs/guides/${name}`, {})).status).toBe(404);
  });
});

describe("Markdown", () => {
  const nowhere = () => undefined;

  it("keeps HTML as text, and shows no image", () => {
    const page = renderMarkdown(
      '<script>alert(1)</script> ![x](https://example.com/x.png) <b onclick="x">b</b>',
      nowhere,
    );
    expect(page).not.toMatch(/<script|<img|<b /);
    expect(page).toContain("&lt;script&gt;");
  });

  it.each(["javascript:alert(1)", "file.ts", "../SECURITY.md"])("makes no link of %s", (link) => {
    expect(renderMarkdown(`[here](${link})`, nowhere)).not.toContain("<a");
  });

  it("gives headings the anchors that links have", () => {
    expect(renderMarkdown("## What `x-a` is, in short", nowhere)).toContain('<h2 id="what-x-a-is-in-short">');
  });
});
