import { join } from "node:path/posix";
import { expect, it } from "vitest";
import { codeOf } from "./code-text.ts";
import { type SourceFile, sourcesBelow } from "./source-files.ts";

/** Programs that run no cluster start with these parts alone: `conclave status` is there in a fifth of a second. */
const ENTRY = "packages/testbed/src/launch.ts";
/** zod describes what is read; what comes with Node is there anyway */
const MAY_LOAD = /^(node:.*|zod)$/;

/** What a file loads when it is loaded: types cost nothing. */
const LOADED = /^(?:import|export)\s(?!type\b)[^;]*?\bfrom\s+"([^"]+)"/gm;

const loadedBy = ({ text }: SourceFile): readonly string[] => {
  const code = codeOf(text);
  return [...text.matchAll(LOADED)]
    .filter(({ index }) => /\S/.test(code[index] ?? ""))
    .map((match) => match[1] ?? "");
};

it("what testbed/launch hands out loads no package of ours, and no large one of others", () => {
  const sources = new Map(sourcesBelow("packages/testbed/src").map((file) => [file.path, file]));
  const reached = new Set([ENTRY]);
  const heavy: string[] = [];
  for (const path of reached) {
    const file = sources.get(path) ?? expect.fail(`${path} is not there`);
    for (const specifier of loadedBy(file)) {
      if (specifier.startsWith(".")) reached.add(join(path, "..", specifier));
      else if (!MAY_LOAD.test(specifier)) heavy.push(`${path} loads ${specifier}`);
    }
  }
  expect(reached.size).toBeGreaterThan(5);
  expect(heavy).toEqual([]);
});
