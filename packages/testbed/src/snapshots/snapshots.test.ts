import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { forgetState } from "../state/forget-state.ts";
import { stateLayout } from "../state/layout.ts";
import { ProcessTable } from "../state/process-table.ts";
import { listSnapshots } from "./list.ts";
import { noteOutsideNodes } from "./note-outside-nodes.ts";
import { snapshotsFolder, stateParts } from "./places.ts";
import { restoreSnapshot, settleInterrupted } from "./put-back.ts";
import { deleteSnapshot, takeSnapshot } from "./take.ts";
import { diskError } from "./undisturbed.ts";

let folder: string;
let state: string;

const file = (): string => join(state, "signer-1", "store");
const write = (text: string): void => {
  mkdirSync(join(state, "cluster"), { recursive: true });
  mkdirSync(join(state, "signer-1"), { recursive: true });
  writeFileSync(stateLayout(state).roster, "{}");
  writeFileSync(file(), text);
};
const names = (): readonly string[] => listSnapshots(state).map(({ name }) => name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-snapshots-"));
  state = join(folder, "second");
  write("before");
});
afterEach(() => {
  forgetState(state);
  rmSync(folder, { recursive: true, force: true });
});

describe("a snapshot of a stopped cluster", () => {
  it("puts all files back as they were, and keeps the state that it replaces", async () => {
    chmodSync(file(), 0o640);
    symlinkSync("store", join(state, "signer-1", "link"));
    expect(await takeSnapshot(state, "first")).toBeGreaterThan(0);
    write("after");
    rmSync(join(state, "signer-1", "link"));
    await restoreSnapshot(state, "first");
    expect(readFileSync(file(), "utf8")).toBe("before");
    expect(statSync(file()).mode & 0o777).toBe(0o640);
    expect(readlinkSync(join(state, "signer-1", "link"))).toBe("store");
    expect(names()).toEqual(["first", "replaced"]);

    await restoreSnapshot(state, "replaced");
    expect(readFileSync(file(), "utf8")).toBe("after");
    expect(readdirSync(folder).sort()).toEqual([".snapshots", "second"]);
  });

  it("survives a reset of the cluster", async () => {
    await takeSnapshot(state, "first");
    forgetState(state);
    await restoreSnapshot(state, "first");
    expect(readFileSync(file(), "utf8")).toBe("before");
    expect(names()).toEqual(["first"]);
  });

  it("has PostgreSQL's data with it where they are outside the state folder, and so has a reset", async () => {
    const path =
      stateParts(state).find(({ name }) => name === "database")?.path ?? expect.fail("no such part");
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "records"), "before");
    await takeSnapshot(state, "first");
    writeFileSync(join(path, "records"), "after");
    await restoreSnapshot(state, "first");
    expect(readFileSync(join(path, "records"), "utf8")).toBe("before");
    forgetState(state);
    expect(existsSync(path)).toBe(false);
  });

  it("is deleted by its name", async () => {
    await takeSnapshot(state, "first");
    deleteSnapshot(state, "first");
    expect(names()).toEqual([]);
    expect(readdirSync(snapshotsFolder(state))).toEqual([]);
  });
});

describe("nothing changes, and one sentence says why, where", () => {
  const refused = async (work: () => unknown, message: RegExp | string): Promise<void> => {
    const before = readdirSync(folder, { recursive: true }).sort();
    await expect(async () => work()).rejects.toMatchObject({
      name: "LaunchError",
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before);
    if (existsSync(file())) expect(readFileSync(file(), "utf8")).toBe("before");
  };

  it.each(["../x", "a/b", "", ".", "First", "x".repeat(33)])("%j is no name", async (name) => {
    await refused(() => takeSnapshot(state, name), `"${name}" is no name for a snapshot`);
    await refused(() => restoreSnapshot(state, name), `"${name}" is no name for a snapshot`);
    await refused(() => deleteSnapshot(state, name), `"${name}" is no name for a snapshot`);
  });

  it("there is no such snapshot, or one already", async () => {
    await refused(() => restoreSnapshot(state, "first"), "second has no snapshot first");
    await refused(() => deleteSnapshot(state, "first"), "second has no snapshot first");
    await takeSnapshot(state, "first");
    await refused(() => takeSnapshot(state, "first"), "second has a snapshot first already");
    await refused(() => takeSnapshot(state, "replaced"), /the last restore replaced/);
  });

  it("there is no cluster", async () => {
    forgetState(state);
    await refused(() => takeSnapshot(state, "first"), `there is no cluster in ${state}`);
  });

  it("the cluster runs", async () => {
    await takeSnapshot(state, "first");
    const table = new ProcessTable(stateLayout(state).run);
    await table.acquire();
    await refused(() => takeSnapshot(state, "other"), "second runs");
    await refused(() => restoreSnapshot(state, "first"), "second runs");
    table.release();
  });
});

it("the next copy removes the rest of an interrupted one", async () => {
  for (const left of [`${state}.restoring`, join(snapshotsFolder(state), ".unfinished", "state")])
    mkdirSync(left, { recursive: true });
  await takeSnapshot(state, "first");
  write("after");
  await restoreSnapshot(state, "first");
  expect(readFileSync(file(), "utf8")).toBe("before");
  expect(readdirSync(folder).sort()).toEqual([".snapshots", "second"]);
});

it.each([
  ["ENOSPC", "the disk is full"],
  ["EACCES", "a file of it cannot be read or written"],
  ["EROFS", "its disk cannot be written"],
])("says of %s that %s, and that nothing has changed", (code, why) => {
  const cause = Object.assign(new Error(code), { code });
  expect(diskError("the copy", cause)).toMatchObject({
    name: "LaunchError",
    message: `the copy: ${why}; nothing has changed`,
  });
});

describe("a restore that was interrupted", () => {
  it("is undone where the state folder is not in its place yet", async () => {
    await takeSnapshot(state, "first");
    renameSync(state, `${state}.leaving`);
    await expect(restoreSnapshot(state, "none")).rejects.toMatchObject({
      message: "second has no snapshot none",
    });
    expect(readFileSync(file(), "utf8")).toBe("before");
  });

  it("is undone before the cluster starts", async () => {
    await takeSnapshot(state, "first");
    renameSync(state, `${state}.leaving`);
    // where a start in the background writes
    mkdirSync(join(state, "logs"), { recursive: true });
    settleInterrupted(state);
    expect(readFileSync(file(), "utf8")).toBe("before");
    settleInterrupted(state);
    expect(readFileSync(file(), "utf8")).toBe("before");
  });

  it("is finished where it is", async () => {
    await takeSnapshot(state, "first");
    renameSync(state, `${state}.leaving`);
    write("restored");
    await expect(restoreSnapshot(state, "none")).rejects.toMatchObject({
      message: "second has no snapshot none",
    });
    expect(readFileSync(file(), "utf8")).toBe("restored");
    expect(names()).toEqual(["first", "replaced"]);
  });
});

describe("INV-4: a cluster that uses what does not go back with it", () => {
  const outside = { state: "", nodes: [{ network: "Polygon", family: "Evm" }] };

  it("takes no snapshot once it has used nodes of others, nor is one put back", async () => {
    await takeSnapshot(state, "first");
    deleteSnapshot(state, "first");
    noteOutsideNodes({ ...outside, state });
    noteOutsideNodes({ state, nodes: [], evmRpcUrl: "http://node" });
    await expect(takeSnapshot(state, "first")).rejects.toMatchObject({
      message:
        "second has used nodes of others (Polygon, EthereumSepolia), whose chains do not go back with it",
    });
  });

  it("starts with no nodes of others while it has snapshots", async () => {
    await takeSnapshot(state, "first");
    expect(() => noteOutsideNodes({ ...outside, state })).toThrow(
      /^second has snapshots, so it does not start/,
    );
    deleteSnapshot(state, "first");
    expect(() => noteOutsideNodes({ ...outside, state })).not.toThrow();
  });

  it("takes none of records that are in another PostgreSQL", async () => {
    mkdirSync(stateLayout(state).run, { recursive: true });
    writeFileSync(stateLayout(state).databaseUrl, "postgres://user:word@db.example/conclave\n");
    await expect(takeSnapshot(state, "first")).rejects.toMatchObject({
      message: "the records of second are in the PostgreSQL of DATABASE_URL, which does not go back with it",
    });
  });
});
