import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { BaseSequencer, type ProjectConfig, type TestSpecification } from "vitest/node";
import { LONG_TESTS } from "./test/long-tests.ts";

/** How long a condition is waited for: it comes true long before, on an idle machine. */
const expectation = { poll: { timeout: 60_000, interval: 20 } };

const source = { conditions: ["source"] };
type ProjectOptions = NonNullable<ProjectConfig>;

/** One more than there are cores: those that wait for a database leave a core to the others. */
const maxWorkers = availableParallelism() + 1;

const project = (
  name: string,
  include: readonly string[],
  more: ProjectOptions = {},
): TestProjectConfiguration => ({
  resolve: source,
  ssr: { resolve: source },
  test: {
    name,
    include: [...include],
    expect: expectation,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // test files leave no state behind, so a worker loads each module once and shares it among all its files
    isolate: false,
    maxWorkers,
    ...more,
  },
});

const withPostgres: ProjectOptions = {
  globalSetup: ["packages/platform/src/testing/postgres/shared-postgres.ts"],
  setupFiles: ["packages/platform/src/testing/postgres/each-file.ts"],
};

/** Real processes, after the unit tests have left the cores to them; one cluster more than cores at a time: each waits more than it works. */
const processes: ProjectOptions = {
  testTimeout: 600_000,
  hookTimeout: 300_000,
  maxWorkers,
  sequence: { groupOrder: 1 },
};

/** These take longest of the gate: they come first, and the others run beside them. */
const FIRST = [
  "campaign/many-worlds.test.ts",
  "world/run-world.test.ts",
  "cluster/src/cluster-signing.test.ts",
  "full-size.test.ts",
  "compat/compat.test.ts",
  "chaos/chaos.test.ts",
  "integration/shared.test.ts",
  "integration/two-of-three.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      FIRST.some((file) => moduleId.endsWith(file));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const longFiles = LONG_TESTS.map(({ file }) => file);
/** Whether a long test is one of real processes. */
const isOfProcesses = (file: string): boolean => file.startsWith("test/");

export default defineConfig({
  test: {
    // the projects share sources, and each would compile them anew
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: [
      // one project, so that its workers load what the packages share once for all of them
      project(
        "packages",
        ["packages/*/src/**/*.test.ts", "test/house/**/*.test.ts", "test/timing/*.test.ts"],
        { ...withPostgres, exclude: longFiles },
      ),
      // one project, so that its workers load the testbed and the chains' libraries once for all of them
      project(
        "integration",
        [
          "test/integration/**/*.test.ts",
          "test/chaos/*.test.ts",
          "test/chaos/{check,facts,inject,load}/*.test.ts",
          "test/compat/*.test.ts",
        ],
        { ...processes, exclude: longFiles },
      ),
      // every case of long lists, of which the gate holds a part: `make long-tests`
      project(
        "long",
        longFiles.filter((file) => !isOfProcesses(file)),
        withPostgres,
      ),
      project("long-processes", longFiles.filter(isOfProcesses), processes),
      // these take minutes, so `make test` leaves them out: `make clients`, `make chaos-points`
      project("clients", ["test/compat/python/*.test.ts"], processes),
      // records, and signers' stores, that are put back to an earlier moment, with all families at once: `make restores`
      project("restores", ["test/restores/*.test.ts"], { ...processes, maxWorkers: 1 }),
      // members that come and go while transfers are paid: `make roster-changes`
      project("rosters", ["test/rosters/*.test.ts"], { ...processes, maxWorkers: 1 }),
      project("chaos-points", ["test/chaos/points/*.test.ts"], processes),
      // nodes that others made, where they are installed: `make foreign-nodes`
      project("foreign-nodes", ["test/foreign-nodes/*.test.ts"], processes),
    ],
  },
});
