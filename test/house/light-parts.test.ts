import { join } from "node:path/posix";
import { expect, it } from "vitest";
import { codeOf } from "./code-text.ts";
import { type SourceFile, sourcesBelow } from "./source-files.ts";

/** The entry point of programs that start no cluster; it loads few modules, so that `conclave status` starts in 0.2 s. */
const ENTRY = "packages/testbed/src/launch.ts";
/** zod parses input; Node's own modules are loaded anyway */
const MAY_LOAD = /^(node:.*|zod)$/;

/** Imports that are loaded at run time; type imports are not. */
const LOADED = /^(?:import|export)\s(?!type\b)[^;]*?\bfrom\s+"([^"]+)"/gm;

/** The commands that operators use most and that tests run often. */
const COMMANDS = [
  "discard-epochs",
  "order",
  "records/faults",
  "records/key-passage",
  "records/parked",
  "records/reconcile",
  "refresh",
  "reprovision",
  "roster/change",
  "roster/move",
  "roster/show",
  "verify-evidence",
] as const;
/** Packages with separate entry points for their parts: loading the whole package takes most of a second. */
const WHOLE = new Set(["@conclave/platform", "@conclave/testbed"]);

const loadedBy = ({ text }: SourceFile): readonly string[] => {
  const code = codeOf(text);
  return [...text.matchAll(LOADED)]
    .filter(({ index }) => /\S/.test(code[index] ?? ""))
    .map((match) => match[1] ?? "");
};

/** The modules outside a folder's sources that a file loads, directly or through other files of the folder. */
const loadedFrom = (
  folder: string,
  entry: string,
): readonly { readonly path: string; readonly of: string }[] => {
  const sources = new Map(sourcesBelow(folder).map((file) => [file.path, file]));
  const reached = new Set([entry]);
  const others: { path: string; of: string }[] = [];
  for (const path of reached) {
    for (const specifier of loadedBy(sources.get(path) ?? expect.fail(`${path} is not there`))) {
      if (specifier.startsWith(".")) reached.add(join(path, "..", specifier));
      else others.push({ path, of: specifier });
    }
  }
  expect(others.length).toBeGreaterThan(0);
  return others;
};

it("an import of testbed/launch loads no package of ours, and no large one of others", () => {
  const loaded = loadedFrom("packages/testbed/src", ENTRY);
  expect(new Set(loaded.map(({ path }) => path)).size).toBeGreaterThan(5);
  expect(loaded.filter(({ of }) => !MAY_LOAD.test(of))).toEqual([]);
});

it.each(COMMANDS)("conclave %s loads neither the platform nor the testbed as a whole", (command) => {
  const loaded = loadedFrom("packages/cli/src", `packages/cli/src/commands/${command}.ts`);
  expect(loaded.filter(({ of }) => WHOLE.has(of))).toEqual([]);
});
