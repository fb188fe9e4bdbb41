import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { STEPS } from "../first-steps/steps.ts";
import { ROOT } from "./source-files.ts";

it("docs/first-steps.md has each command of the recording, in its order, and no path of a machine", () => {
  const document = readFileSync(join(ROOT, "docs", "first-steps.md"), "utf8");
  expect([...document.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command)).toEqual(
    STEPS.map(({ command }) => command),
  );
  expect(document).not.toMatch(/\/(home|root|tmp|Users|work)\//);
});
