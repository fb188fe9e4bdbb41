import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { edited, type Mutant, mutantsOf } from "../mutants/edit.ts";
import { EDITED_FILES } from "../mutants/lists/every-list.ts";
import { pathsBelow, ROOT } from "./source-files.ts";

const mutants = mutantsOf(EDITED_FILES);
const sources = new Map<string, string>();

const sourceOf = (path: string): string => {
  const known = sources.get(path) ?? readFileSync(join(ROOT, path), "utf8");
  sources.set(path, known);
  return known;
};

const named = ({ path, weakens }: Mutant): string => `${path}: ${weakens}`;

describe("the edits of make mutants", () => {
  it("still apply: the text of each occurs once in its file", () => {
    const rotten = mutants.filter((mutant) => edited(sourceOf(mutant.path), mutant) === undefined);
    expect(rotten.map(named)).toEqual([]);
  });

  it("have distinct descriptions, and tests that exist", () => {
    const names = mutants.map(named);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    const paths = new Set(pathsBelow("packages", "test/house/protocol"));
    expect(mutants.flatMap(({ tests }) => tests).filter((test) => !paths.has(test))).toEqual([]);
  });

  it("cover every verifier of a proof", () => {
    const proofs = pathsBelow("packages/threshold/src/proofs").filter((path) => !path.endsWith(".test.ts"));
    const weakened = new Set(mutants.map(({ path }) => path));
    expect(proofs.filter((path) => !weakened.has(path))).toEqual([]);
  });

  it("that replace nothing, or what stands in two places, are no edits", () => {
    expect(edited("if (a) b;", { find: "if (a) ", put: "" })).toBe("b;");
    expect(edited("a a", { find: "a", put: "" })).toBeUndefined();
    expect(edited("b", { find: "a", put: "" })).toBeUndefined();
    expect(edited("a", { find: "a", put: "a" })).toBeUndefined();
  });
});
