import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { clientOperations, contradictions, operationTable } from "./operation-table.ts";

const DOCUMENT = "docs/api.md";
const [BEGIN, END] = ["<!-- the operations of a client library: begin -->", "<!-- end -->"];

/** docs/api.md with this table in its place. */
const withTable = (text: string, table: string): string => {
  const [before, rest = ""] = text.split(BEGIN);
  const [, after] = rest.split(END);
  return `${before}${BEGIN}\n${table}\n${END}${after ?? ""}`;
};

describe("the operations of the newest client library", () => {
  it("are read whole from its clients", () => {
    expect(clientOperations()).toHaveLength(179);
  });

  it("are not served and refused at once", () => {
    expect(contradictions()).toEqual([]);
  });

  // WRITE_API_TABLE=1 npx vitest run test/house/operation-table.test.ts
  it("stand in docs/api.md as the code has them; WRITE_API_TABLE=1 writes them there", () => {
    const text = readFileSync(DOCUMENT, "utf8");
    expect(text).toContain(BEGIN);
    const made = withTable(text, operationTable());
    if (process.env["WRITE_API_TABLE"] === "1") writeFileSync(DOCUMENT, made);
    else expect(text).toBe(made);
  });
});
