import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { startChromium } from "../browser/chromium.ts";
import type { CompatWorld } from "../compat-world.ts";
import { DocsPage } from "./docs-page.ts";

/** Web Content Accessibility Guidelines 2.2, levels A and AA. */
const LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const PHONE = { width: 390, height: 800 };

const violationsSchema = z.array(
  z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }),
);

/** Violations that axe finds on a page, a line each: rule and element. */
const violationsOf = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source);
  const found: unknown = await page.evaluate(
    async (levels) => (await Reflect.get(globalThis, "axe").run({ runOnly: levels })).violations,
    LEVELS,
  );
  return violationsSchema.parse(found).flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};

/** Tests that the page at /docs can be read and searched, by everybody. */
export const readablePage = (world: () => CompatWorld): void => {
  describe("the page at /docs for its readers", () => {
    let chromium: Browser | undefined;
    beforeAll(async () => {
      chromium = await startChromium([]);
    });
    afterAll(() => chromium?.close());

    const opened = async (colorScheme: "light" | "dark") => {
      const page = await chromium?.newPage({ colorScheme });
      if (page === undefined) return expect.fail("there is no browser");
      return { page, docs: await DocsPage.open(page, world().cluster.description.api.url) };
    };

    it.each(["light", "dark"] as const)(
      "breaks no rule of WCAG 2.2 AA in a %s colour scheme",
      async (scheme) => {
        const { page, docs } = await opened(scheme);
        expect(await violationsOf(page)).toEqual([]);
        await docs.search("transferAsset");
        await page.locator(".opblock-summary-control").first().click();
        await page.locator(".try-out__btn").click();
        await page.locator("textarea.body-param__text").waitFor();
        expect(await violationsOf(page)).toEqual([]);
        await page.setViewportSize(PHONE);
        expect(await violationsOf(page)).toEqual([]);
        await page.locator(".scheme-container button.authorize").click();
        await page.locator(".dialog-ux").waitFor();
        expect(await violationsOf(page)).toEqual([]);
        await page.close();
      },
    );

    it("folds its sections, and finds operations by their words", async () => {
      const { page, docs } = await opened("light");
      const operations = page.locator(".opblock");
      expect(await operations.count()).toBe(0);
      await docs.search("approve");
      await page.locator("#operations-Approvals-createApprovalDecision").waitFor();
      await docs.search("deletes webhooks");
      await expect
        .poll(() => operations.allTextContents())
        .toEqual([expect.stringContaining("/webhooks/{webhookId}")]);
      expect(await page.getByRole("status").textContent()).toBe("1 operation");
      await docs.search("no such words");
      await expect.poll(() => page.getByRole("status").textContent()).toBe("0 operations");
      await docs.search("");
      await expect.poll(() => page.locator(".opblock-tag").count()).toBeGreaterThan(10);
      expect(await operations.count()).toBe(0);
      await page.close();
    });
  });
};
