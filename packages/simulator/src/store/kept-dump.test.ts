import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keptDump } from "./kept-dump.ts";

const DUMP = { definitions: ["create table a (id text)"], rows: [{ text: "insert into a …", json: "[]" }] };

describe("a dump of a migrated database", () => {
  let root: string;
  let source: string;
  let made: number;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "conclave-dump-"));
    source = join(root, "001.sql");
    made = 0;
    await writeFile(source, "create table a (id text)");
  });
  afterEach(() => rm(root, { recursive: true }));

  const folder = (): string => join(root, "kept");
  const read = (kept = folder()) =>
    keptDump({
      folder: kept,
      sources: [source],
      make: async () => {
        made += 1;
        return DUMP;
      },
    });

  it("is made once, and read by later processes", async () => {
    expect([await read(), await read(), made]).toEqual([DUMP, DUMP, 1]);
  });

  it("is made anew once a source has changed", async () => {
    await read();
    await writeFile(source, "create table a (id text, name text)");
    await read();
    expect(made).toBe(2);
  });

  it.each(["{", '{"definitions":[]}'])("is made anew where the kept file has %s", async (text) => {
    await read();
    const [file = ""] = await readdir(folder());
    await writeFile(join(folder(), file), text);
    expect([await read(), await read(), made]).toEqual([DUMP, DUMP, 2]);
  });

  it("is made by each process where nothing can be kept", async () => {
    const file = join(root, "a file");
    await writeFile(file, "");
    expect([await read(file), await read(file), made]).toEqual([DUMP, DUMP, 2]);
  });
});
