import type { Locator, Page } from "playwright-core";
import { z } from "zod";
import type { Documented } from "./documented.ts";
import type { Pressing, Shown } from "./pressing.ts";

const bodySchema = z.record(z.string(), z.unknown());
/** timeout for a busy machine */
const ANSWERED_MS = 120_000;
const DRAWN_MS = 30_000;

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The page at /docs, used like a person: the test reads and presses what is visible. */
export class DocsPage implements Pressing {
  private readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(page: Page, url: string): Promise<DocsPage> {
    page.setDefaultTimeout(ANSWERED_MS);
    await page.goto(`${url}/docs`);
    await page.locator(".opblock-tag").first().waitFor();
    return new DocsPage(page);
  }

  async authorize(token: string): Promise<void> {
    await this.page.locator(".scheme-container button.authorize").click();
    const dialog = this.page.locator(".dialog-ux");
    const pressed = (name: string): Locator => dialog.getByRole("button", { name, exact: true });
    if ((await pressed("Logout").count()) > 0) await pressed("Logout").click();
    await dialog.locator("input").fill(token);
    await pressed("Authorize").click();
    await pressed("Close").click();
  }

  async tryOut(
    { tag, operationId }: Documented,
    shows: string | undefined,
    typed: ReadonlyMap<string, string>,
  ): Promise<Shown> {
    await this.search(operationId);
    const block = this.page.locator(`[id="operations-${tag.replaceAll(" ", "_")}-${operationId}"]`);
    await this.open(block);
    await block.locator(".try-out__btn").click();
    if (shows !== undefined) await this.choose(block, shows);
    for (const [name, id] of typed) await this.type(block, name, id);
    await block.locator("button.execute").click();
    const shown = await this.read(block);
    await block.locator(".btn-clear").click();
    await block.locator(".try-out__btn.cancel").click();
    await block.locator(".opblock-summary-control").click();
    return shown;
  }

  /** Searches, which unfolds the sections of what is found. */
  async search(words: string): Promise<void> {
    await this.page.getByLabel("Search operations").fill(words);
  }

  /** Unfolds an operation. It presses again if needed, because a press is lost while the page re-renders. */
  private async open(block: Locator): Promise<void> {
    const body = block.locator(".opblock-body");
    while (!(await body.isVisible())) {
      await block.locator(".opblock-summary-control").click();
      await body.waitFor({ timeout: DRAWN_MS }).catch(() => undefined);
    }
  }

  private async choose(block: Locator, shows: string): Promise<void> {
    const examples = block.locator(".opblock-section-request-body .examples-select-element");
    if ((await examples.count()) > 0) await examples.selectOption({ value: shows });
  }

  /** Types an id into its field, and replaces the body's member of the same name. */
  private async type(block: Locator, name: string, id: string): Promise<void> {
    const field = block.locator(`tr[data-param-name="${name}"] input`);
    if ((await field.count()) > 0) await field.fill(id);
    const body = block.locator("textarea.body-param__text");
    if ((await body.count()) === 0) return;
    const example = bodySchema.safeParse(jsonOf(await body.inputValue())).data;
    if (example?.[name] !== undefined)
      await body.fill(JSON.stringify({ ...example, [name]: id }, undefined, 2));
  }

  private async read(block: Locator): Promise<Shown> {
    const answer = block.locator(".live-responses-table");
    const status = await answer.locator(".response .response-col_status").textContent();
    const url = await block.locator(".request-url pre").textContent();
    const code = answer.locator(".response .response-col_description pre").first();
    return {
      status: Number.parseInt(status ?? "", 10),
      url: url ?? "",
      body: (await code.count()) > 0 ? jsonOf((await code.textContent()) ?? "") : undefined,
    };
  }
}
