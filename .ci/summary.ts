// The last lines of a run, from vitest's JSON report: the files that took longest, each test that failed, and `N passed, N failed`.
// The exit code is 0 only when all passed.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";

interface TestFile {
  /** its path */
  readonly name: string;
  /** Unix milliseconds */
  readonly startTime: number;
  readonly endTime: number;
  readonly status: "passed" | "failed";
  readonly message: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages?: readonly string[] | null;
  }[];
}
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly TestFile[];
}

const LONGEST = 10;
const MS_PER_SECOND = 1_000;
const [file = "", code] = process.argv.slice(2);
const { numPassedTests, numFailedTests, testResults }: Report = existsSync(file)
  ? JSON.parse(readFileSync(file, "utf8"))
  : { numPassedTests: 0, numFailedTests: 0, testResults: [] };

const pathOf = ({ name }: TestFile): string => relative(process.cwd(), name);
const firstLineOf = (text: string | undefined): string => text?.trim().split("\n")[0] ?? "";
const secondsOf = ({ startTime, endTime }: TestFile): number => (endTime - startTime) / MS_PER_SECOND;

// a file that cannot even be loaded has no tests to fail
const isUnloaded = ({ status, assertionResults }: TestFile): boolean =>
  status === "failed" && assertionResults.every((one) => one.status !== "failed");

const failuresIn = (each: TestFile): readonly string[] =>
  isUnloaded(each)
    ? [`${pathOf(each)}: ${firstLineOf(each.message)}`]
    : each.assertionResults
        .filter(({ status }) => status === "failed")
        .map(
          ({ fullName, failureMessages }) =>
            `${pathOf(each)}: ${fullName}: ${firstLineOf(failureMessages?.[0])}`,
        );

const longest = [...testResults].sort((one, other) => secondsOf(other) - secondsOf(one)).slice(0, LONGEST);
for (const each of longest) console.log(`took ${Math.round(secondsOf(each))} s: ${pathOf(each)}`);
for (const failure of testResults.flatMap(failuresIn)) console.log(`failed: ${failure}`);

const failed = numFailedTests + testResults.filter(isUnloaded).length;
// the run as a whole can fail although no test did: set-up, an unhandled rejection, no report
const missed = failed === 0 && (code !== "0" || numPassedTests === 0) ? 1 : 0;
console.log(`${numPassedTests} passed, ${failed + missed} failed`);
process.exitCode = failed + missed === 0 ? 0 : 1;
