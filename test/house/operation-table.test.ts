import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  CLIENT_OPERATIONS,
  NPM_CLIENTS,
  npmOperations,
  PYTHON_CLIENT,
  readClientLists,
  shapeOf,
  textOfLists,
} from "./client-operations.ts";
import { contradictions, forgotten, operationTable } from "./operation-table.ts";

const DOCUMENT = "docs/api.md";
const [BEGIN, END] = ["<!-- the operations of client libraries: begin -->", "<!-- end -->"];
const WRITES = process.env["WRITE_API_TABLE"] === "1";

/** docs/api.md with its table replaced. */
const withTable = (text: string, table: string): string => {
  const [before, rest = ""] = text.split(BEGIN);
  const [, after] = rest.split(END);
  return `${before}${BEGIN}\n${table}\n${END}${after ?? ""}`;
};

describe("the operations of client libraries", () => {
  // WRITE_API_TABLE=1 npx vitest run test/house/operation-table.test.ts; the Python client's list: WRITE_API_TABLE=1 make clients
  it("are listed as each generation of the npm library has them; WRITE_API_TABLE=1 lists them", () => {
    const lists = readClientLists();
    const found = Object.fromEntries(Object.keys(NPM_CLIENTS).map((each) => [each, npmOperations(each)]));
    const text = textOfLists({ ...found, [PYTHON_CLIENT]: lists[PYTHON_CLIENT] ?? [] });
    if (WRITES) writeFileSync(CLIENT_OPERATIONS, text);
    expect(readFileSync(CLIENT_OPERATIONS, "utf8")).toBe(text);
  });

  it("are read whole", () => {
    const sizes = Object.entries(readClientLists()).map(([version, list]) => [version, list.length]);
    expect(sizes).toEqual([
      ["0.4.3", 101],
      ["0.5.8", 111],
      ["0.6.12", 138],
      ["0.7.18", 159],
      ["0.8.3", 161],
      ["0.8.21", 179],
      ["1.0.4", 266],
    ]);
    for (const list of Object.values(readClientLists())) {
      expect(new Set(list.map(shapeOf)).size).toBe(list.length);
    }
  });

  it("are not served and refused at once", () => {
    expect(contradictions()).toEqual([]);
  });

  it("are each served, or refused with a reason", () => {
    expect(forgotten(readClientLists())).toEqual([]);
  });

  it("stand in docs/api.md as the code has them; WRITE_API_TABLE=1 writes them there", () => {
    const text = readFileSync(DOCUMENT, "utf8");
    expect(text).toContain(BEGIN);
    const made = withTable(text, operationTable(readClientLists()));
    if (WRITES) writeFileSync(DOCUMENT, made);
    else expect(text).toBe(made);
  });
});
