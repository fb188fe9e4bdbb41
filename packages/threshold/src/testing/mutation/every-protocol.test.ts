import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import * as threshold from "../../index.ts";

const source = fileURLToPath(new URL("../..", import.meta.url));

/** The test files that lie in every field of a protocol. */
const suites = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".mutation.test.ts"))
  .map((path) => readFileSync(join(source, path), "utf8"))
  .filter((text) => text.includes("mutationsOf"));

it("INV-7 every protocol of the package has a suite that lies in every field", () => {
  const starts = Object.keys(threshold).filter((name) => /^start[A-Z]/.test(name));
  expect(starts.length).toBeGreaterThan(0);
  expect(starts.filter((start) => !suites.some((text) => text.includes(`${start}(`)))).toEqual([]);
});
