// The last line of a run: `N passed, N failed`, from vitest's JSON report. The exit code is 0 only when all passed.
import { existsSync, readFileSync } from "node:fs";

interface TestFile {
  readonly status: "passed" | "failed";
  readonly assertionResults: readonly { readonly status: string }[];
}
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly TestFile[];
}

const [file = "", code] = process.argv.slice(2);

// a file that cannot even be loaded has no tests to fail
const isUnloaded = ({ status, assertionResults }: TestFile): boolean =>
  status === "failed" && assertionResults.every((one) => one.status !== "failed");

const count = (): { readonly passed: number; readonly failed: number } => {
  if (!existsSync(file)) return { passed: 0, failed: 0 };
  const report: Report = JSON.parse(readFileSync(file, "utf8"));
  const unloaded = report.testResults.filter(isUnloaded).length;
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded };
};

const { passed, failed } = count();
// the run as a whole can fail although no test did: set-up, an unhandled rejection, no report
const missed = failed === 0 && (code !== "0" || passed === 0) ? 1 : 0;
console.log(`${passed} passed, ${failed + missed} failed`);
process.exitCode = failed + missed === 0 ? 0 : 1;
