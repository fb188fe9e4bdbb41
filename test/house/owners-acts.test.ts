import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ACTS_BY_STAGE, OWNERS_ACTS, REQUEST_STAGES } from "@conclave/custody";
import { describe, expect, it } from "vitest";

const API = readFileSync(fileURLToPath(new URL("../../docs/api.md", import.meta.url)), "utf8");
const section = API.split("### Which act works in which state")[1]?.split("\n## ")[0] ?? "";
const rows = section
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(1)
  .map((line) =>
    line
      .split("|")
      .map((cell) => cell.trim())
      .slice(1, -1),
  );

/** The first words of a cell of the document, by outcome. */
const WORDS = {
  works: "works",
  abort: "409, `abort` it",
  cancel: "409, `cancel` it",
  "cancel again": "409, `cancel` it again",
  "abort the replacement": "409, `abort` the replacement",
  "act on the replacement": "409, act on that one",
  over: "409",
} as const;

describe("docs/api.md", () => {
  it("shows which act works in which state, as the table of the code says", () => {
    expect(rows).toHaveLength(REQUEST_STAGES.length);
    for (const [at, stage] of REQUEST_STAGES.entries()) {
      const [name = "", ...cells] = rows[at] ?? [];
      expect(name.startsWith(stage)).toBe(true);
      for (const [column, act] of OWNERS_ACTS.entries()) {
        const words = WORDS[ACTS_BY_STAGE[stage][act]];
        expect([stage, act, cells[column]?.startsWith(words)]).toEqual([stage, act, true]);
      }
    }
  });
});
