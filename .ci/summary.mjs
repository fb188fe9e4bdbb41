// The last line of a run: `N passed, N failed`, from vitest's JSON report. The exit code is 0 only when all passed.
import { existsSync, readFileSync } from "node:fs";

const [file, code] = process.argv.slice(2);

const count = () => {
  if (!existsSync(file)) return { passed: 0, failed: 0 };
  const report = JSON.parse(readFileSync(file, "utf8"));
  // a file that cannot even be loaded has no tests to fail
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.every((one) => one.status !== "failed"),
  ).length;
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded };
};

const { passed, failed } = count();
// the run as a whole can fail although no test did: set-up, an unhandled rejection, no report
const missed = failed === 0 && code !== "0" ? 1 : 0;
console.log(`${passed} passed, ${failed + missed} failed`);
process.exitCode = failed + missed === 0 ? 0 : 1;
