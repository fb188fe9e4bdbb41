import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clustersFolder, isClone, repositoryRoot } from "./installation.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-installation-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("finds this clone", () => {
  expect(isClone()).toBe(true);
  expect(clustersFolder()).toBe(join(repositoryRoot(), ".conclave"));
});

describe("the clusters of an installed package", () => {
  it("are among the user's data, never in the package's folder", () => {
    expect(clustersFolder(folder, { XDG_DATA_HOME: "/data" })).toBe("/data/conclave");
    expect(clustersFolder(folder, {})).toBe(join(homedir(), ".local", "share", "conclave"));
  });

  it.each(["", "data", "./data"])("ignore XDG_DATA_HOME=%j, which is not absolute", (given) => {
    expect(clustersFolder(folder, { XDG_DATA_HOME: given })).toBe(
      join(homedir(), ".local", "share", "conclave"),
    );
  });

  it("are in .conclave once the folder is a workspace", () => {
    writeFileSync(join(folder, "pnpm-workspace.yaml"), "");
    expect(clustersFolder(folder, { XDG_DATA_HOME: "/data" })).toBe(join(folder, ".conclave"));
  });
});
