import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./source-files.ts";
import { titlesIn } from "./titles.ts";

const MARK = "judged when: ";

/** The filled cells of the table in docs/policies.md, as "row, column". */
const cells = (): readonly string[] => {
  const document = readFileSync(join(ROOT, "docs/policies.md"), "utf8");
  const [, section = ""] = document.split("## What is judged when\n");
  const [header = [], , ...rows] = (section.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return rows.flatMap(([row = "", ...said]) =>
    said.flatMap((cell, at) => (cell === "" ? [] : [`${row}, ${header[at + 1]}`])),
  );
};

/** The titles of tests about the table; a parametrised test has one for each of its rows. */
const named = (text: string): readonly string[] => {
  const titles = titlesIn(text);
  return titles
    .filter((title) => title.includes(MARK))
    .flatMap((title) => (title.includes("%s") ? titles.map((row) => title.replace("%s", row)) : [title]));
};

const FOLDERS = ["policy", "fee-bump", "coin-gathering", "."];

it("each cell of the table of what is judged when has a test whose title names it", () => {
  const titles = FOLDERS.flatMap((folder) => {
    const path = join(ROOT, "packages/gateway/src", folder);
    return readdirSync(path)
      .filter((name) => name.endsWith(".test.ts"))
      .flatMap((name) => named(readFileSync(join(path, name), "utf8")));
  });
  expect(cells().length).toBeGreaterThan(20);
  expect(cells().filter((cell) => !titles.some((title) => title.includes(cell)))).toEqual([]);
});
