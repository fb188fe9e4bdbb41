import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { programVersion } from "../host/installation.ts";
import { forgetState } from "../state/forget-state.ts";
import { stateLayout } from "../state/layout.ts";
import { ProcessTable } from "../state/process-table.ts";
import { listSnapshots } from "./list.ts";
import { noteOutside } from "./note-outside.ts";
import { databasePlace, snapshotsFolder } from "./places.ts";
import { restoreSnapshot, settleRestore } from "./put-back.ts";
import { deleteSnapshot, takeSnapshot } from "./take.ts";
import { diskError } from "./undisturbed.ts";

let folder: string;
let state: string;

const access = { userId: "us", token: "", credential: { id: "", keyFile: "" } };
const DESCRIPTION = {
  threshold: 2,
  api: { url: "" },
  orchestrator: { url: "" },
  chain: { network: "EthereumSepolia", rpcUrl: "" },
  developer: { orgId: "or", ...access, serviceAccount: access },
};
const file = (): string => join(state, "signer-1", "store");
const write = (text: string): void => {
  mkdirSync(join(state, "cluster"), { recursive: true });
  mkdirSync(join(state, "signer-1"), { recursive: true });
  mkdirSync(stateLayout(state).run, { recursive: true });
  writeFileSync(stateLayout(state).roster, "{}");
  writeFileSync(stateLayout(state).description, JSON.stringify(DESCRIPTION));
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
  it("puts all files back as they were, in place of those that there are", async () => {
    chmodSync(file(), 0o640);
    symlinkSync("store", join(state, "signer-1", "link"));
    expect(await takeSnapshot(state, "first")).toBeGreaterThan(0);
    write("after");
    writeFileSync(join(state, "later"), "");
    rmSync(join(state, "signer-1", "link"));
    await restoreSnapshot(state, "first");
    expect(readFileSync(file(), "utf8")).toBe("before");
    expect(statSync(file()).mode & 0o777).toBe(0o640);
    expect(readlinkSync(join(state, "signer-1", "link"))).toBe("store");
    expect(names()).toEqual(["first"]);
    expect(existsSync(join(state, "later"))).toBe(false);
    expect(readdirSync(state).sort()).toEqual(["cluster", "run", "signer-1"]);
    expect(readdirSync(stateLayout(state).run)).toEqual(["cluster.json"]);
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
    const path = databasePlace(state);
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
  });

  it("there is no cluster", async () => {
    forgetState(state);
    await refused(() => takeSnapshot(state, "first"), `no cluster has run in ${state}`);
    await refused(() => restoreSnapshot(state, "first"), "second has no snapshot first");
  });

  it("the cluster runs", async () => {
    await takeSnapshot(state, "first");
    const table = new ProcessTable(stateLayout(state).run);
    await table.acquire();
    await refused(() => takeSnapshot(state, "other"), "the cluster second runs");
    await refused(() => restoreSnapshot(state, "first"), "the cluster second runs");
    table.release();
  });

  it("another command works on its files", async () => {
    await takeSnapshot(state, "first");
    const table = new ProcessTable(stateLayout(state).run);
    await table.acquire("the snapshot other of second is being taken");
    const named = /^the snapshot other of second is being taken \(process \d+\)$/;
    await refused(() => takeSnapshot(state, "second"), named);
    await refused(() => restoreSnapshot(state, "first"), named);
    table.release();
  });
});

it("names a cluster by its folder in hints where it was named so", async () => {
  await takeSnapshot(state, "first");
  await expect(takeSnapshot(state, "first")).rejects.toMatchObject({
    remedy: `Choose another name, or: conclave snapshot --delete first --state ${state}`,
  });
  expect(() => noteOutside({ nodes: [{ network: "Polygon", family: "Evm" }], state })).toThrow(
    expect.objectContaining({
      remedy: `Delete its snapshots first: conclave snapshot --delete first --state ${state}`,
    }),
  );
});

it("a folder that a link leads to is copied, and a link out of the folder is refused", async () => {
  const linked = join(folder, "linked");
  symlinkSync(state, linked);
  await takeSnapshot(linked, "first");
  write("after");
  await restoreSnapshot(linked, "first");
  expect(readFileSync(file(), "utf8")).toBe("before");
  mkdirSync(join(folder, "elsewhere"));
  symlinkSync(join(folder, "elsewhere"), join(state, "signer-2"));
  await expect(takeSnapshot(state, "second")).rejects.toMatchObject({
    message: expect.stringContaining("is a link to"),
  });
  expect(names()).toEqual([]);
});

it("a damaged snapshot is none, and keeps nobody from the others", async () => {
  await takeSnapshot(state, "first");
  await takeSnapshot(state, "second");
  writeFileSync(join(snapshotsFolder(state), "first", "snapshot.json"), "");
  expect(names()).toEqual(["second"]);
  await expect(restoreSnapshot(state, "first")).rejects.toMatchObject({
    message: "second has no snapshot first",
  });
});

describe("the form of a snapshot", () => {
  const about = (): string => join(snapshotsFolder(state), "first", "snapshot.json");
  const described = (more: object): void =>
    writeFileSync(about(), JSON.stringify({ takenAt: "2026-12-01T00:00:00.000Z", bytes: 1, ...more }));

  it("is on record with the version that took it", async () => {
    await takeSnapshot(state, "first");
    expect(listSnapshots(state)).toMatchObject([{ name: "first", form: 1, version: programVersion() }]);
  });

  it.each([{}, { form: 1, version: "0.0.9" }, { form: 1, version: programVersion() }])(
    "of this version or an earlier one is put back: %j",
    async (more) => {
      await takeSnapshot(state, "first");
      described(more);
      write("after");
      await restoreSnapshot(state, "first");
      expect(readFileSync(file(), "utf8")).toBe("before");
    },
  );

  it.each([
    { form: 2 },
    { form: 0, version: "0.0.9" },
    { form: 1, version: "9.0.0" },
    { form: 1, version: "10.0.0" },
    { form: 1, version: "" },
    { form: 1, version: "next" },
  ])("INV-9: that is newer or unknown is not put back, in a sentence: %j", async (more) => {
    await takeSnapshot(state, "first");
    described(more);
    write("after");
    await expect(restoreSnapshot(state, "first")).rejects.toMatchObject({
      name: "LaunchError",
      message: expect.stringMatching(/^the snapshot first was taken by .+, of the form 1$/),
      remedy: "Put it back with the version that took it, or a later one.",
    });
    expect(readFileSync(file(), "utf8")).toBe("after");
    expect(names()).toEqual(["first"]);
    deleteSnapshot(state, "first");
  });
});

describe("snapshots of another user", () => {
  const SOMEBODY_ELSE = 65_534;
  const isRoot = process.getuid?.() === 0;
  /** Works as a user who may not enter a folder. Root may enter any, so it works as somebody else. */
  const shutOut = <Value>(shut: string, work: () => Value): Value => {
    chmodSync(folder, 0o755);
    chmodSync(shut, isRoot ? 0o700 : 0o000);
    if (isRoot) process.seteuid?.(SOMEBODY_ELSE);
    try {
      return work();
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(shut, 0o700);
    }
  };
  const owner = isRoot ? "root" : `the user with the id ${process.getuid?.()}`;

  it("are refused in a sentence that names their folder and its owner", async () => {
    await takeSnapshot(state, "first");
    const of = snapshotsFolder(state);
    const folders = [join(folder, ".snapshots"), of, join(of, "first")];
    for (const shut of folders) {
      for (const each of folders) chmodSync(each, 0o755);
      const refusal = expect.objectContaining({
        name: "LaunchError",
        message: `this user cannot read the snapshots in ${shut}, which belongs to ${owner}`,
        remedy: expect.stringMatching(/^Give the command as .+ chown -R\.$/),
      });
      expect(() => shutOut(shut, () => listSnapshots(state))).toThrow(refusal);
      expect(() => shutOut(shut, () => deleteSnapshot(state, "first"))).toThrow(refusal);
      await expect(shutOut(shut, () => restoreSnapshot(state, "first"))).rejects.toEqual(refusal);
      await expect(shutOut(shut, () => takeSnapshot(state, "second"))).rejects.toEqual(refusal);
    }
    expect(names()).toEqual(["first"]);
  });

  it("keep no cluster from its start that uses nothing of others, and any other", async () => {
    await takeSnapshot(state, "first");
    const shut = join(folder, ".snapshots");
    const start = (nodes: readonly { network: string; family: string }[]) => () =>
      shutOut(shut, () => noteOutside({ nodes, state }));
    expect(start([{ network: "Polygon", family: "Evm" }])).toThrow(/cannot read the snapshots/);
    chmodSync(join(state, "cluster"), 0o777);
    expect(start([])).not.toThrow();
  });
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
  const note = (): string => join(state, "restoring.txt");

  it("while it copied has changed nothing, and the next start removes the copy", async () => {
    await takeSnapshot(state, "first");
    mkdirSync(join(state, "restoring", "cluster"), { recursive: true });
    settleRestore(state);
    expect(existsSync(join(state, "restoring"))).toBe(false);
    expect(readFileSync(file(), "utf8")).toBe("before");
  });

  it("later lets no cluster start and no snapshot be taken, until it is given again or the state is forgotten", async () => {
    await takeSnapshot(state, "first");
    write("after");
    writeFileSync(note(), "first\n");
    rmSync(stateLayout(state).roster);
    rmSync(stateLayout(state).description);
    const interrupted = {
      message: "a restore of second was interrupted",
      remedy: `Give it again: conclave restore first --yes --state ${state}`,
    };
    expect(() => settleRestore(state)).toThrow(expect.objectContaining(interrupted));
    await expect(takeSnapshot(state, "other")).rejects.toMatchObject(interrupted);
    await restoreSnapshot(state, "first");
    expect(readFileSync(file(), "utf8")).toBe("before");
    expect(existsSync(note())).toBe(false);
    settleRestore(state);
  });
});

describe("INV-4: a cluster that uses what does not go back with it", () => {
  const own = { nodes: [] };
  const polygon = { nodes: [{ network: "Polygon", family: "Evm" }] };

  it("takes no snapshot once it has used nodes of others or another PostgreSQL, nor is one put back", async () => {
    await takeSnapshot(state, "first");
    deleteSnapshot(state, "first");
    noteOutside({ ...polygon, state });
    noteOutside({ ...own, state, evmRpcUrl: "http://node" });
    noteOutside({ ...own, state, databaseUrl: "postgres://elsewhere" });
    noteOutside({ ...own, state });
    await expect(takeSnapshot(state, "first")).rejects.toMatchObject({
      message:
        "second has used what is not its own and does not go back with it: Polygon, EthereumSepolia, the PostgreSQL of DATABASE_URL",
    });
  });

  it("keeps what an older version's last start shows, whatever the next one uses", async () => {
    writeFileSync(stateLayout(state).networks, JSON.stringify([{ network: "Polygon" }]));
    writeFileSync(stateLayout(state).databaseUrl, "postgres://user:word@db.example/conclave\n");
    noteOutside({ ...own, state });
    rmSync(stateLayout(state).networks);
    rmSync(stateLayout(state).databaseUrl);
    await expect(takeSnapshot(state, "first")).rejects.toMatchObject({
      message: expect.stringMatching(/: Polygon, the PostgreSQL of DATABASE_URL$/),
    });
  });

  it("starts with nothing of that while it has snapshots", async () => {
    await takeSnapshot(state, "first");
    expect(() => noteOutside({ ...polygon, state })).toThrow(
      /^second has snapshots, so it does not start with Polygon/,
    );
    deleteSnapshot(state, "first");
    expect(() => noteOutside({ ...polygon, state })).not.toThrow();
  });
});
