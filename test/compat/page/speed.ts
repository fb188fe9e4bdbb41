import type { Browser, Page } from "playwright-core";

/** A figure of the page at /docs, in milliseconds. */
export interface PageFigure {
  readonly name: string;
  readonly ms: number;
}

/** Waits until the page has drawn. */
const drawn = (page: Page): Promise<unknown> =>
  page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");

/** The time from a press to the next picture. */
const pressed = async (page: Page, name: string, press: () => Promise<void>): Promise<PageFigure> => {
  const began = performance.now();
  await press();
  await drawn(page);
  return { name, ms: Math.round(performance.now() - began) };
};

/** Measures a first visit to the page at /docs: its first picture, its sections, and one press of each kind. */
export const measurePage = async (chromium: Browser, url: string): Promise<readonly PageFigure[]> => {
  const page = await chromium.newPage({ viewport: { width: 1280, height: 900 } });
  const began = performance.now();
  await page.goto(`${url}/docs`);
  await page.locator(".opblock-tag").first().waitFor();
  const sections = { name: "sections are shown", ms: Math.round(performance.now() - began) };
  const painted = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1,
  );
  const tag = page.locator(".opblock-tag").first();
  const operation = page.locator(".opblock-summary-control").first();
  const presses: readonly (readonly [string, () => Promise<void>])[] = [
    ["unfold a section", () => tag.click()],
    ["unfold an operation", () => operation.click()],
    ["try it out", () => page.locator(".try-out__btn").first().click()],
    ["search", () => page.getByLabel("Search operations").fill("approve")],
    ["open the dialog for the token", () => page.locator(".scheme-container button.authorize").click()],
  ];
  const figures: PageFigure[] = [];
  for (const [name, press] of presses) figures.push(await pressed(page, name, press));
  await page.close();
  return [{ name: "first paint", ms: Math.round(painted) }, sections, ...figures];
};
