import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { areValid } from "./testing/three-of-five.ts";

const ROOM = join(import.meta.dirname, "..");
const SRC = join(ROOM, "src");
const readme = readFileSync(join(ROOM, "README.md"), "utf8");
const source = readFileSync(join(SRC, "testing", "three-of-five.ts"), "utf8");
const MOST_LINES = 40;

/** The example in the form for users, with imports by the name of the package. */
const fromOutside = source
  .replace('"../index.ts"', '"@conclave/threshold"')
  .replace('"../insecure-test-parameters.ts"', '"@conclave/threshold/insecure-test-parameters"')
  .replace('"./index.ts"', '"@conclave/threshold/testing"');

const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block);

it("the README's first example makes a key of five, signs with three, and every signer's signature is valid", () => {
  expect(blocks[0]).toBe(fromOutside);
  expect(fromOutside.trim().split("\n").length).toBeLessThan(MOST_LINES);
  expect(areValid).toEqual([true, true, true]);
});

/** The names that the index exports, with the files that define them. */
const exportsOf = (index: string) =>
  [...index.matchAll(/export (?:type )?\{([^}]*)\} from "\.\/([^"]+)";/g)].flatMap(
    ([, names = "", file = ""]) =>
      names
        .split(",")
        .map((name) => name.trim().replace(/^type /, ""))
        .filter((name) => name !== "")
        .map((name) => ({ name, file })),
  );

it("the README's table of the API names every value that the package exports, and nothing else", () => {
  const index = readFileSync(join(SRC, "index.ts"), "utf8");
  const values = [...index.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && !name.startsWith("type ")),
  );
  const [table = ""] = /^\| subject \| names \|\n(?:\|.*\n)+/m.exec(readme) ?? [];
  const named = [...table.matchAll(/`([A-Za-z0-9_]+)`/g)].map(([, name = ""]) => name);
  expect(values.length).toBeGreaterThan(50);
  expect(named.sort()).toEqual(values.sort());
});

it("everything that the package exports has a comment before it", () => {
  const all = exportsOf(readFileSync(join(SRC, "index.ts"), "utf8"));
  expect(all.length).toBeGreaterThan(50);
  const undocumented = all.filter(({ name, file }) => {
    const text = readFileSync(join(SRC, file), "utf8");
    return !new RegExp(`\\*/\\nexport (const|class|interface|type|function) ${name}\\b`).test(text);
  });
  expect(undocumented).toEqual([]);
});
