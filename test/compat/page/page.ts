import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "../browser/chromium.ts";
import type { CompatWorld } from "../compat-world.ts";
import { DocsPage } from "./docs-page.ts";
import { documentedBy } from "./documented.ts";
import { Person, type Tried } from "./person.ts";

/**
 * Tests the page at /docs in a real browser where an example needs an id or account of the caller. `make try-page` tries the
 * whole page, which takes minutes.
 */
export const docsPage = (world: () => CompatWorld): void => {
  describe("the page at /docs in Chromium", () => {
    let chromium: Browser | undefined;
    let person: Person | undefined;
    beforeAll(async () => {
      const { api, developer } = world().cluster.description;
      chromium = await startChromium([]);
      const page = await DocsPage.open(await chromium.newPage(), api.url);
      await page.authorize(developer.token);
      person = new Person(page, await documentedBy(api.url), async () => undefined);
    });
    afterAll(async () => {
      await chromium?.close();
    });

    const pressed = async (operationId: string, shows?: string): Promise<Tried> => {
      if (person === undefined) return expect.fail("there is no page");
      await person.tryOut(operationId, shows === undefined ? undefined : [shows]);
      return person.tried.at(-1) ?? expect.fail("nothing was tried");
    };

    it("sends an example of one network from the newest wallet there, and signs bytes of the wallet's own account", async () => {
      const names = ["Tron: a wallet", "Bitcoin: a wallet with a Schnorr key", "Solana: a wallet"];
      for (const shows of names) expect(await pressed("createWallet", shows)).toMatchObject({ status: 200 });
      for (const shows of ["Tron: a payment that is not sent", "Bitcoin: a payment that is not sent (PSBT)"])
        expect(await pressed("generateSignature", shows)).toMatchObject({
          status: 200,
          body: { status: "Signed" },
        });
      expect(await pressed("transferAsset", "Tron: 0.5 TRX")).toMatchObject({
        status: 200,
        body: { network: "TronNile" },
      });
      expect(await pressed("getTransfer")).toMatchObject({ status: 200, body: { network: "TronNile" } });
      expect(await pressed("createWallet", "on a key that there is")).toMatchObject({ status: 200 });
    });
  });
};
