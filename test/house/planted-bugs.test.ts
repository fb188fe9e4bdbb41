import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PLANTED_BUGS } from "../planted-bugs/bugs.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const EDITS = PLANTED_BUGS.flatMap(({ title, edits }) => edits.map((edit) => [title, edit] as const));

describe("the planted bugs", () => {
  it.each(EDITS)("are planted once: %s", (_, { path, find, put }) => {
    expect(readFileSync(join(ROOT, path), "utf8").split(find)).toHaveLength(2);
    expect(put).not.toBe(find);
  });

  it("have a number each", () => {
    expect(new Set(PLANTED_BUGS.map(({ number }) => number)).size).toBe(PLANTED_BUGS.length);
  });
});
