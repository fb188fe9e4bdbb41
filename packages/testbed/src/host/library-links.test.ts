import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { linkLibraries } from "./library-links.ts";

let folder: string;
const listed = (target: string): void =>
  writeFileSync(
    join(folder, "native", "pg-symlinks.json"),
    JSON.stringify([{ source: "native/lib/libpq.so.5.18", target }]),
  );

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-links-"));
  mkdirSync(join(folder, "native", "lib"), { recursive: true });
  writeFileSync(join(folder, "native", "lib", "libpq.so.5.18"), "library");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("links among PostgreSQL's libraries", () => {
  it("are made where no install script has run, within the package, and once", () => {
    listed("native/lib/libpq.so");
    linkLibraries(folder);
    linkLibraries(folder);
    expect(readlinkSync(join(folder, "native/lib/libpq.so"))).toBe("libpq.so.5.18");
    expect(readFileSync(join(folder, "native/lib/libpq.so"), "utf8")).toBe("library");
  });

  it("are asked for in a sentence where they cannot be made", () => {
    listed("native/elsewhere/libpq.so");
    expect(() => linkLibraries(folder)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining("lack their links: ENOENT"),
        remedy: `Let a user who may write there run: cd ${folder} && node scripts/hydrate-symlinks.js`,
      }),
    );
  });
});
