import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "@conclave/testbed";
import { z } from "zod";
import type { FoundKind } from "./find.ts";
import type { ForeignKind } from "./node.ts";
import type { Trial } from "./table.ts";

const assertionSchema = z.object({
  ancestorTitles: z.array(z.string()),
  title: z.string(),
  status: z.string(),
  failureMessages: z.array(z.string()),
  meta: z.object({ says: z.string().optional() }).default({}),
});
type Assertion = z.infer<typeof assertionSchema>;
const reportSchema = z.object({
  testResults: z.array(
    z.object({ message: z.string().optional(), assertionResults: z.array(assertionSchema) }),
  ),
});

const firstLine = (words: string): string => words.split("\n")[0] ?? "";

/** Counts a node's passed tests. The node's own known faults are listed, and their tests must still fail. */
const judged = ({ name: node, suite }: ForeignKind, own: readonly Assertion[], broken: string): Trial => {
  const { ownFaults = [] } = suite;
  const isOwn = ({ title }: Assertion): boolean => ownFaults.some((fault) => fault.title === title);
  const passed = own.filter(({ status }) => status === "passed");
  const wrong = [
    ...own.flatMap((one) =>
      one.status === "passed" || isOwn(one)
        ? []
        : [`"${one.title}": ${firstLine(one.failureMessages.join())}`],
    ),
    ...passed.flatMap((one) =>
      isOwn(one) ? [`"${one.title}" passes, and is listed as a fault of the node`] : [],
    ),
    ...(own.length === 0 ? [`no test ran: ${broken}`] : []),
  ];
  const found = [
    `${passed.length} of ${own.length}`,
    ...ownFaults.map(({ why }) => `${node} itself: ${why}`),
  ];
  return { node, column: "conformance", isGood: wrong.length === 0, found: [...found, ...wrong].join("; ") };
};

/** The refusal messages of a node that the chain's code understood as permanent. */
const ownWords = ({ name: node }: ForeignKind, own: readonly Assertion[]): readonly Trial[] =>
  own.flatMap(({ meta: { says } }) =>
    says === undefined ? [] : [{ node, column: "its own words", isGood: true, found: says }],
  );

/** Runs the conformance suite on each node, in a vitest process, and counts the passed tests. */
export const trySuite = async (found: readonly FoundKind[]): Promise<readonly Trial[]> => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-foreign-suite-"));
  const report = join(folder, "report.json");
  const files = new Set(
    found.map(({ kind }) => `test/foreign-nodes/${kind.suite.file.toLowerCase()}.test.ts`),
  );
  const args = ["run", ...files, "--project", "foreign-nodes", "--reporter=default", "--reporter=json"];
  const child = spawn("node_modules/.bin/vitest", [...args, `--outputFile.json=${report}`], {
    cwd: repositoryRoot(),
    stdio: ["ignore", 2, 2],
  });
  await once(child, "exit");
  try {
    const { testResults } = reportSchema.parse(JSON.parse(readFileSync(report, "utf8")));
    const all = testResults.flatMap(({ assertionResults }) => assertionResults);
    const broken = testResults.map(({ message = "" }) => firstLine(message)).join(" ");
    return found.flatMap(({ kind }) => {
      const own = all.filter(({ ancestorTitles: [first] }) => first === kind.name);
      return [judged(kind, own, broken), ...ownWords(kind, own)];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
