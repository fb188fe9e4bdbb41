import { startCluster } from "../../integration/throw-away-cluster.ts";
import type { Tried } from "./person.ts";
import { isExpected, tryPage } from "./try-page.ts";

/** `make try-page`: a throw-away cluster, and everything that its page at /docs offers, tried in a Chromium. */

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** An answer in a line; in full where it is not what the page leads one to expect. */
const told = (tried: Tried): string => {
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
try {
  const { tried, untried } = await tryPage(cluster.description, (each) => say(told(each)));
  const unexpected = tried.filter((each) => !isExpected(each));
  const operations = new Set(tried.map(({ operationId }) => operationId));
  say(
    `${operations.size} operations, ${tried.length} requests, ${unexpected.length} answered as nobody expects, ${untried.length} not tried`,
  );
  for (const each of untried) say(`  not tried: ${each}`);
  process.exitCode = unexpected.length + untried.length === 0 ? 0 : 1;
} finally {
  await cluster.stop();
}
