import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** How long a condition is waited for: it comes true long before, on an idle machine. */
const expectation = { poll: { timeout: 30_000, interval: 20 } };

const source = { conditions: ["source"] };
const plainRooms = ["threshold", "custody", "cluster", "chains", "testbed", "cli"];

/** Vitest itself would leave one of two cores idle. */
const maxWorkers = Math.max(2, availableParallelism());

/** One PostgreSQL for all files of a room that keeps records. */
const withDatabase = { globalSetup: ["packages/platform/src/testing/shared-postgres.ts"] };

const room = (name: string, folder: string, more: { readonly globalSetup?: string[] } = {}) => ({
  resolve: source,
  ssr: { resolve: source },
  test: {
    name,
    include: [`${folder}/src/**/*.test.ts`],
    expect: expectation,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // files leave nothing behind that a next file could meet: modules are loaded once for all of a worker's
    isolate: false,
    maxWorkers,
    ...more,
  },
});

/** These take longest: they come first, and the others run beside them. */
const LONG = ["full-size.test.ts", "integration/shared.test.ts", "compat/compat.test.ts"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((file) => moduleId.endsWith(file));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      ...plainRooms.map((name) => room(name, `packages/${name}`)),
      room("platform", "packages/platform", withDatabase),
      room("gateway", "packages/gateway", withDatabase),
      room("orchestrator", "packages/orchestrator", withDatabase),
      room("signer", "packages/signer"),
      {
        resolve: source,
        ssr: { resolve: source },
        test: {
          name: "house",
          include: ["test/house/**/*.test.ts"],
          expect: expectation,
          testTimeout: 60_000,
          maxWorkers,
        },
      },
      {
        resolve: source,
        ssr: { resolve: source },
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          expect: expectation,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // two clusters at a time: each waits more than it works
          maxWorkers: 2,
          // real processes, after the unit tests have left the cores to them
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve: source,
        ssr: { resolve: source },
        test: {
          name: "compat",
          include: ["test/compat/**/*.test.ts"],
          expect: expectation,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // beside the integration tests, which share these two workers
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
