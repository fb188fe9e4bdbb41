import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeServerFolder, removeAbandoned } from "./server-folder.ts";

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "conclave-server-folders-"));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

it("folders of killed test runs are removed, those of living ones stay", async () => {
  const living = await makeServerFolder(parent);
  const { pid: dead } = spawnSync(process.execPath, ["--eval", ""]);
  const abandoned = join(parent, basename(living).replace(`-${process.pid}-`, `-${dead}-`));
  // a container counts its processes by itself
  const ofContainer = basename(abandoned).replace(/-\d+-/, "-1-");
  await mkdir(join(abandoned, "data"), { recursive: true });
  await mkdir(join(parent, ofContainer));
  await mkdir(join(parent, "another-program"));

  await removeAbandoned(parent);
  expect((await readdir(parent)).sort()).toEqual(["another-program", ofContainer, basename(living)].sort());
});
