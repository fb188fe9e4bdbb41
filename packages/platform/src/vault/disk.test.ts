import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DISK } from "./disk.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "disk-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a file that cannot be opened is not taken as overwritten: a missing one is", async () => {
  const path = join(folder, "group-keys.json.old");
  await DISK.blank(path);
  await mkdir(path);
  await expect(DISK.blank(path)).rejects.toThrow("EISDIR");
});

test("a file that cannot be looked at is not taken as missing", async () => {
  const path = join(folder, "group-keys.json");
  expect(await DISK.inodeOf(path)).toBeUndefined();
  await symlink(path, path); // a link to itself cannot be read
  await expect(DISK.inodeOf(path)).rejects.toThrow("ELOOP");
});

test("a second name that could not be made is not taken as made: a missing file needs none", async () => {
  const [path, second] = [join(folder, "group-keys.json"), join(folder, "group-keys.json.old")];
  await DISK.link(path, second);
  await writeFile(path, "keys");
  await DISK.link(path, second);
  await expect(DISK.link(path, second)).rejects.toThrow("EEXIST");
});

test("an overwritten file has nothing of its content left", async () => {
  const path = join(folder, "group-keys.json.old");
  await writeFile(path, "keys");
  await DISK.blank(path);
  expect(await DISK.read(path)).toBe("\0\0\0\0");
});
