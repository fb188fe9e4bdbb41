import { startCluster } from "../../integration/throw-away-cluster.ts";
import { startChromium } from "../browser/chromium.ts";
import { DocsPage } from "./docs-page.ts";
import type { Tried } from "./person.ts";
import { ScriptedPage } from "./scripted-page.ts";
import { measurePage } from "./speed.ts";
import { isExpected, tryPage } from "./try-page.ts";

/**
 * `make try-page`: tries everything that the page at /docs of a throw-away cluster offers, in a Chromium; with SCRIPT=1 only by
 * the page's own script, in a tenth of the time. Before that it says how fast a first visit is.
 */

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** An answer as a line, with its body if the page does not lead one to expect it. */
const lineOf = (tried: Tried): string => {
  const { status, operationId, shows, url, body } = tried;
  const line = `${status} ${operationId}${shows === undefined ? "" : ` (${shows})`}`;
  return isExpected(tried) ? line : `${line}\n  UNEXPECTED from ${url}: ${JSON.stringify(body)}`;
};

const cluster = await startCluster({
  signers: 3,
  threshold: 3,
  keyImport: "allowed",
  keyExport: "allowed",
  networks: "all",
});
const { url } = cluster.description.api;
const chromium = process.env["SCRIPT"] === "1" ? undefined : await startChromium([]);
try {
  const figures = chromium === undefined ? [] : await measurePage(chromium, url);
  for (const { name, ms } of figures) say(`${name}: ${ms} ms`);
  const page =
    chromium === undefined
      ? await ScriptedPage.open(url)
      : await DocsPage.open(await chromium.newPage({ viewport: { width: 1280, height: 900 } }), url);
  const { tried, untried } = await tryPage(page, cluster.description, (each) => say(lineOf(each)));
  const unexpected = tried.filter((each) => !isExpected(each));
  const operations = new Set(tried.map(({ operationId }) => operationId));
  say(
    `${operations.size} operations, ${tried.length} requests, ${unexpected.length} answered as nobody expects, ${untried.length} not tried`,
  );
  for (const each of untried) say(`  not tried: ${each}`);
  process.exitCode = unexpected.length + untried.length === 0 ? 0 : 1;
} finally {
  await chromium?.close();
  await cluster.stop();
}
