import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { pathOfVectors, VECTOR_FILES } from "./vector-files.ts";

const WRITES = process.env["WRITE_PROTOCOL_VECTORS"] === "1";

// WRITE_PROTOCOL_VECTORS=1 npx vitest run test/house/protocol/written-vectors.test.ts
it.each(Object.entries(VECTOR_FILES))(
  "%s is what the code makes; WRITE_PROTOCOL_VECTORS=1 writes it",
  (name, make) => {
    const text = `${JSON.stringify(make(), undefined, 2)}\n`;
    if (WRITES) writeFileSync(pathOfVectors(name), text);
    expect(readFileSync(pathOfVectors(name), "utf8")).toBe(text);
  },
);
