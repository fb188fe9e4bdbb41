import { readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { foldersIn, importsOf, isTest, ROOT, roomOf, sourcesBelow } from "./source-files.ts";

const CORE = ["threshold", "custody"];
const MIDDLE = ["cluster", "chains", ...CORE];

/**
 * The allowed imports. Imports run one way: services → gateway, orchestrator, signer → platform → chains, cluster → threshold,
 * custody; cli → testbed → platform. The simulated ledgers import no other package of this repository, so that they cannot
 * share its mistakes about a chain family.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "packages/threshold": [],
  "packages/custody": [],
  "packages/chaos": ["custody"],
  "packages/cluster": CORE,
  "packages/chains": CORE,
  "packages/ledgers": [],
  "packages/postgres-model": [],
  "packages/platform": MIDDLE,
  "packages/simulator": ["gateway", "orchestrator", "signer", "platform", "ledgers", "chaos", ...MIDDLE],
  "packages/testbed": ["platform", "ledgers", ...MIDDLE],
  "packages/cli": ["testbed", "platform", ...MIDDLE],
  "packages/gateway": ["platform", ...MIDDLE],
  "packages/orchestrator": ["platform", ...MIDDLE],
  "packages/signer": ["platform", ...MIDDLE],
  "services/gateway": ["gateway", "platform", ...MIDDLE],
  "services/ledger": ["ledgers", "platform"],
  "services/orchestrator": ["orchestrator", "platform", ...MIDDLE],
  "services/signer": ["signer", "platform", ...MIDDLE],
};

/** Packages that any test may use: simulated nodes, through their chain's SDK, and the model of PostgreSQL. */
const FOR_TESTS = ["ledgers", "postgres-model"];

const sources = sourcesBelow("packages", "services");

const namesSchema = z.record(z.string(), z.string()).default({});
const manifestSchema = z.object({ dependencies: namesSchema, devDependencies: namesSchema });

const sibling = (specifier: string): string | undefined => /^@conclave\/([a-z-]+)/.exec(specifier)?.[1];

const leavesItsRoom = (path: string, specifier: string): boolean =>
  specifier.startsWith(".") && !normalize(join(path, "..", specifier)).startsWith(`${roomOf(path)}/`);

/** Entry points that no shipped code imports. Only the packages of GATES may import the reduced parameters. */
const FOR_TESTS_ALONE = /^@conclave\/[a-z-]+\/(testing(\/|$)|insecure-test-parameters$)/;
const GATES = ["packages/platform/src", "packages/signer/src"];

/** Test support outside folders named `testing`: the gateway's fuzzing and the simulator, which are not shipped. */
const TEST_SUPPORT = ["packages/gateway/src/fuzz/", "packages/simulator/src/"];
const isForTests = (path: string): boolean =>
  isTest(path) || TEST_SUPPORT.some((folder) => path.startsWith(folder));

const isTestSupport = (path: string, specifier: string): boolean => {
  if (specifier.startsWith(".")) return isForTests(normalize(join(path, "..", specifier)));
  if (!FOR_TESTS_ALONE.test(specifier)) return false;
  return !specifier.endsWith("/insecure-test-parameters") || !GATES.some((gate) => path.startsWith(gate));
};

describe("imports", () => {
  it("knows every package and service", () => {
    const rooms = ["packages", "services"].flatMap((folder) =>
      foldersIn(folder).map((name) => `${folder}/${name}`),
    );
    expect(rooms.sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  it("of each package are listed in packages/README.md, with its purpose", () => {
    const rows = readFileSync(join(ROOT, "packages", "README.md"), "utf8").matchAll(
      /^\| \[([a-z-]+)\]\(\1\/README\.md\) \| [^|]+ \| ([a-z, ]+) \|$/gm,
    );
    const listed = [...rows].map(([, name = "", imports = ""]) => [
      `packages/${name}`,
      imports === "none" ? [] : imports.split(", ").sort(),
    ]);
    const allowed = Object.entries(ALLOWED)
      .filter(([room]) => room.startsWith("packages/"))
      .map(([room, imports]) => [room, [...imports].sort()]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(allowed));
  });

  it("run one way between packages", () => {
    const broken = sources.flatMap((file) =>
      importsOf(file).flatMap((specifier) => {
        const target = sibling(specifier);
        const allowed = [...(ALLOWED[roomOf(file.path)] ?? []), ...(isTest(file.path) ? FOR_TESTS : [])];
        if (target === undefined || allowed.includes(target) || roomOf(file.path).endsWith(`/${target}`))
          return [];
        return [
          `${file.path} imports ${specifier}, but ${roomOf(file.path)} may only import: ${allowed.join(", ")}`,
        ];
      }),
    );
    expect(broken).toEqual([]);
  });

  it("keep chains and their simulated ledgers apart: a mistake that both shared would cancel out", () => {
    const manifests = ["ledgers", "chains"].map((room) => {
      const text = readFileSync(join(ROOT, "packages", room, "package.json"), "utf8");
      return manifestSchema.parse(JSON.parse(text));
    });
    const [ledgers, chains] = manifests.map(({ dependencies, devDependencies }) => ({
      dependencies: Object.keys(dependencies),
      all: [...Object.keys(dependencies), ...Object.keys(devDependencies)],
    }));
    expect(ledgers?.all.filter((name) => name.startsWith("@conclave/"))).toEqual([]);
    expect(chains?.dependencies).not.toContain("@conclave/ledgers");
  });

  it("never reach into another room by a relative path", () => {
    const code = sources.filter(({ path }) => !isTest(path));
    const broken = code.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => /\.(ts|js)$/.test(specifier) && leavesItsRoom(file.path, specifier))
        .map((specifier) => `${file.path} imports ${specifier}, which lies outside ${roomOf(file.path)}`),
    );
    expect(broken).toEqual([]);
  });

  it("of a service never name the simulator", () => {
    const broken = sourcesBelow("services").flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith("@conclave/simulator"))
        .map((specifier) => `${file.path} imports ${specifier}: a service knows nothing of the simulator`),
    );
    expect(broken).toEqual([]);
  });

  it("of examples name nothing of this repository: they can be copied away as they are", () => {
    const broken = sourcesBelow("examples").flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith("@conclave/") || specifier.startsWith("../"))
        .map((specifier) => `${file.path} imports ${specifier}`),
    );
    expect(broken).toEqual([]);
  });

  it("of what we ship never name test support or the reduced parameters", () => {
    const broken = sources
      .filter(({ path }) => !isForTests(path) && !path.startsWith("packages/threshold/"))
      .flatMap((file) =>
        importsOf(file)
          .filter((specifier) => isTestSupport(file.path, specifier))
          .map((specifier) => `${file.path} imports ${specifier}, which is for tests`),
      );
    expect(broken).toEqual([]);
  });

  it.each([
    ["services/signer/src/run.ts", "@conclave/platform/testing", true],
    ["services/signer/src/run.ts", "@conclave/platform/testing/faults", true],
    ["packages/platform/src/compute/worker.ts", "../testing/faults/orders.ts", true],
    ["services/signer/src/main.ts", "./testing/main.ts", true],
    ["packages/gateway/src/run.ts", "@conclave/threshold/insecure-test-parameters", true],
    ["packages/signer/src/run.ts", "@conclave/threshold/insecure-test-parameters", false],
    ["services/signer/src/main.ts", "./run.ts", false],
    ["services/signer/src/run.ts", "@conclave/platform/fault-points", false],
  ])("of test support are known: %s imports %s", (path, specifier, isFound) => {
    expect(isTestSupport(path, specifier)).toBe(isFound);
  });
});
