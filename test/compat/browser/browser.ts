import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { CompatWorld } from "../compat-world.ts";
import { openPage, startChromium } from "./chromium.ts";
import type { Visit } from "./page.ts";
import { BROWSER_GENERATIONS, type BrowserGeneration, type Site, startSite } from "./site.ts";

/** A host name for this machine other than localhost. */
const ELSEWHERE = "shop.example";

const visitedSchema = z.strictObject({
  walletId: z.string(),
  wallets: z.array(z.string()),
  refused: z.number().optional(),
});

/** Tests web pages of other origins in a real browser, with an authenticator and the vendor's browser signer from npm. */
export const browser = (world: () => CompatWorld): void => {
  describe("a page of another origin in Chromium", () => {
    let chromium: Browser | undefined;
    let site: Site | undefined;
    beforeAll(async () => {
      [chromium, site] = await Promise.all([startChromium([ELSEWHERE]), startSite()]);
    });
    afterAll(async () => {
      await chromium?.close();
      await site?.stop();
    });
    const opened = async (generation: BrowserGeneration, host = "localhost") => {
      const context = await chromium?.newContext();
      if (context === undefined || site === undefined) return expect.fail("there is no browser");
      return openPage(context, `http://${host}:${site.port}/${generation}/`);
    };

    /** Invites a user who may make wallets to the page's application. */
    const invite = async (generation: BrowserGeneration): Promise<Visit> => {
      const { administrator, older, cluster } = world();
      const { orgId } = cluster.description.developer;
      const { appId } = await older.auth.createApplication({
        body: {
          name: `shop ${generation}`,
          kind: "ClientSideApplication",
          relyingPartyId: "localhost",
          origin: `http://localhost:${site?.port}`,
        },
      });
      const username = `customer-${generation}@acme.example`;
      const invited = await administrator.auth.createUser({
        body: { email: username, kind: "CustomerEmployee" },
      });
      const { registrationCode } = z.object({ registrationCode: z.string() }).parse(invited);
      const { id: permissionId } = await administrator.permissions.createPermission({
        body: { name: `customer ${generation}`, operations: ["Wallets:Create", "Wallets:Read"] },
      });
      const identityId = invited.userId;
      await administrator.permissions.createAssignment({ permissionId, body: { identityId } });
      return { baseUrl: cluster.description.api.url, appId, orgId, username, registrationCode };
    };

    it.each(BROWSER_GENERATIONS)(
      "registers a passkey by the browser signer %s, logs in with it, and signs for a wallet",
      async (generation) => {
        const visit = await invite(generation);
        const page = await opened(generation);
        const visited = visitedSchema.parse(
          await page.evaluate((asked) => Reflect.get(globalThis, "conclave").visit(asked), visit),
        );
        expect(visited.wallets).toContain(visited.walletId);
        expect(visited.refused).toBe(404);
        const { service } = world();
        expect(await service.wallets.getWallet({ walletId: visited.walletId })).toMatchObject({
          status: "Active",
        });
      },
    );

    it("is shown nothing where nobody configured its origin", async () => {
      const { url } = world().cluster.description.api;
      const page = await opened("0-5-8", ELSEWHERE);
      const refusals: string[] = [];
      page.on("console", (message) => refusals.push(message.text()));
      const asked: unknown = await page.evaluate(
        (baseUrl) => Reflect.get(globalThis, "conclave").ask(baseUrl),
        url,
      );
      expect(asked).toMatch(/TypeError: Failed to fetch/);
      await expect.poll(() => refusals.join()).toMatch(/blocked by CORS policy/);
    });
  });
};
