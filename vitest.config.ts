import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const source = { conditions: ["source"] };
/** Pure: their files leave nothing behind that a next file could meet, so that modules are loaded once for all. */
const pureRooms = ["threshold", "custody", "cluster"];
const rooms = ["chains", "platform", "testbed", "cli"];
const services = ["gateway", "orchestrator", "signer"];

const room = (name: string, folder: string, isolate = true) => ({
  resolve: source,
  ssr: { resolve: source },
  test: { name, include: [`${folder}/src/**/*.test.ts`], testTimeout: 60_000, hookTimeout: 120_000, isolate },
});

/** The one file at full size waits for primes: it comes first, so that the others run beside it. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith("full-size.test.ts");
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      ...pureRooms.map((name) => room(name, `packages/${name}`, false)),
      ...rooms.map((name) => room(name, `packages/${name}`)),
      ...services.map((name) => room(name, `services/${name}`)),
      {
        resolve: source,
        ssr: { resolve: source },
        test: { name: "house", include: ["test/house/**/*.test.ts"], testTimeout: 60_000 },
      },
      {
        resolve: source,
        ssr: { resolve: source },
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
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
          testTimeout: 60_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
