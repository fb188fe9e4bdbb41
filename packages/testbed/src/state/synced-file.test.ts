import { execFileSync } from "node:child_process";
import fs, {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { writePrivate } from "./private-file.ts";
import { writePublic } from "./replaced-file.ts";
import { moveSynced, syncFolder, writeSynced } from "./synced-file.ts";

/** Records writes to disk and renames, in order. */
const watchDisk = (): readonly string[] => {
  const calls: string[] = [];
  const paths = new Map<number, string>();
  const { openSync, fsyncSync, renameSync } = fs;
  vi.spyOn(fs, "openSync").mockImplementation((path, ...rest) => {
    const descriptor = openSync(path, ...rest);
    paths.set(descriptor, String(path));
    return descriptor;
  });
  vi.spyOn(fs, "fsyncSync").mockImplementation((descriptor) => {
    fsyncSync(descriptor);
    calls.push(`sync ${paths.get(descriptor)}`);
  });
  vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    renameSync(from, to);
    calls.push(`rename ${String(from)}`);
  });
  syncBuiltinESMExports();
  return calls;
};
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

let folder: string;
let file: string;
let victim: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-synced-"));
  mkdirSync(join(folder, "own"));
  file = join(folder, "own", "tls.crt");
  victim = join(folder, "victim");
  writeFileSync(victim, "somebody else's");
});

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe.each([
  ["writeSynced", writeSynced, "644"],
  ["writePublic", writePublic, "644"],
  ["writePrivate", writePrivate, "600"],
])("%s", (_, write, mode) => {
  it("replaces a link, and does not write through it", () => {
    symlinkSync("../victim", file);
    write(file, "new");
    expect(readFileSync(victim, "utf8")).toBe("somebody else's");
    expect(lstatSync(file).isSymbolicLink()).toBe(false);
    expect(readFileSync(file, "utf8")).toBe("new");
  });

  it("writes through no link, even if its name contains the process id", () => {
    symlinkSync("../victim", `${file}.${process.pid}.new`);
    write(file, "new");
    expect(readFileSync(victim, "utf8")).toBe("somebody else's");
    expect(readFileSync(file, "utf8")).toBe("new");
  });

  it("gives the file its mode, whatever the process's mask and the file of before", () => {
    writeFileSync(file, "old");
    chmodSync(file, 0o640);
    const mask = process.umask(0o077);
    try {
      write(file, "new");
    } finally {
      process.umask(mask);
    }
    expect(modeOf(file)).toBe(mode);
  });

  it("leaves nothing beside a file that it cannot replace", () => {
    mkdirSync(file);
    expect(() => write(file, "new")).toThrow();
    expect(readdirSync(join(folder, "own"))).toEqual(["tls.crt"]);
  });
});

it("a file that is written has its content on the disk before its name, and the name after", () => {
  const calls = watchDisk();
  writeSynced(file, "new");
  const [fresh] = calls;
  expect(fresh).toMatch(/^sync .*\/own\/tls\.crt\.[0-9a-f]{32}\.new$/);
  expect(calls).toEqual([fresh, fresh?.replace("sync", "rename"), `sync ${join(folder, "own")}`]);
});

describe("moveSynced", () => {
  it("has the file on the disk before it takes the place of the other, and its name after", () => {
    const next = join(folder, "own", "tls.next.crt");
    writeFileSync(next, "new");
    const calls = watchDisk();
    moveSynced(next, file);
    expect(calls).toEqual([`sync ${next}`, `rename ${next}`, `sync ${join(folder, "own")}`]);
    expect(existsSync(next)).toBe(false);
    expect(readFileSync(file, "utf8")).toBe("new");
  });

  it("makes a file public that only its owner could read", () => {
    const next = join(folder, "own", "tls.next.crt");
    writeFileSync(next, "new", { mode: 0o600 });
    moveSynced(next, file);
    expect(modeOf(file)).toBe("644");
  });

  it("does not touch the target of a link", () => {
    chmodSync(victim, 0o600);
    const next = join(folder, "own", "tls.next.crt");
    symlinkSync("../victim", next);
    expect(() => moveSynced(next, file)).toThrow("ELOOP");
    expect(modeOf(victim)).toBe("600");
  });
});

it("a folder is synced without waiting for a pipe, and without what links name", () => {
  writeFileSync(file, "own");
  symlinkSync("../victim", join(folder, "own", "link"));
  symlinkSync("nowhere", join(folder, "own", "dangling"));
  execFileSync("mkfifo", [join(folder, "own", "pipe")]);
  const calls = watchDisk();
  syncFolder(join(folder, "own"));
  expect(calls).toEqual([`sync ${file}`, `sync ${join(folder, "own")}`]);
});
