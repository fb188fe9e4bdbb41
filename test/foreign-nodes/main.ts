// `make foreign-nodes`: tests what Conclave builds and signs with other implementations' nodes and libraries, if installed.
// Prints the table of docs/chains.md. Takes some ten minutes, longer if a node's deadlines must pass.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "@conclave/testbed";
import { tryInCluster } from "./cluster/run-cluster.ts";
import { absenceOf, chosenKinds, foundKinds } from "./find.ts";
import { trySuite } from "./suite.ts";
import { findingsText, withFindings } from "./table.ts";

const DOCUMENT = join(repositoryRoot(), "docs", "chains.md");

const say = (words: string): void => void process.stderr.write(`foreign-nodes: ${words}\n`);

const found = foundKinds();
const missing = chosenKinds().filter((kind) => !found.some((one) => one.kind === kind));
for (const kind of missing) say(absenceOf(kind));
const suite = await trySuite(found);
const { nodes, trials, readings, absent } = await tryInCluster(found);
const findings = {
  nodes,
  trials: [...suite, ...trials],
  readings,
  absent: [...missing.map(absenceOf), ...absent],
};
const text = findingsText(findings);
process.stdout.write(`${text}\n`);
if (process.env["CONCLAVE_FOREIGN"] === undefined)
  writeFileSync(DOCUMENT, withFindings(readFileSync(DOCUMENT, "utf8"), text));
const tried = [...findings.trials, ...readings];
const bad = tried.filter(({ isGood }) => !isGood).length;
say(bad === 0 ? "all as it should be" : `${bad} of ${tried.length} are not as they should be`);
process.exitCode = bad === 0 ? 0 : 1;
