import { expect, it } from "vitest";
import { z } from "zod";
import { firstDefect } from "./first-defect.ts";

const defectsOf = (value: unknown): string => {
  const schema = z.strictObject({ name: z.string(), size: z.int() }).refine(() => false, "is never right");
  const { error } = schema.safeParse(value);
  return `the file is not valid:\n${error === undefined ? "" : z.prettifyError(error)}`;
};

it("a file with several defects is refused in one line, which names the first and counts the others", () => {
  expect(firstDefect(defectsOf({ name: 1, size: "2" }))).toMatch(
    /^the file is not valid: [^\n]*expected string[^\n]*, at name, and 1 more$/,
  );
  expect(firstDefect(defectsOf({ name: "one", size: 2 }))).toBe("the file is not valid: is never right");
});

it("a sentence without defects stays as it is", () => {
  expect(firstDefect("the roster is not JSON")).toBe("the roster is not JSON");
});
