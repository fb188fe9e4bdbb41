import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createVitest, type TestModule, type Vitest } from "vitest/node";
import { edited, type Mutant } from "./edit.ts";

/** The outcome of an edit: a test failed; none did; or the edit is unusable, because it proves nothing. */
export type Verdict =
  | { readonly kind: "killed"; readonly by: string }
  | { readonly kind: "survived" }
  | { readonly kind: "unfit"; readonly reason: string };

/**
 * Runs test files on the source with one edit. The edit is made while the file is loaded, so that no file on disk
 * changes.
 */
export interface Laboratory {
  readonly judge: (mutant: Mutant) => Promise<Verdict>;
  /** The test files that fail without any edit. */
  readonly redWithout: (tests: readonly string[]) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

const SECONDS = 1000;

const titleOf = ({ children }: TestModule): string | undefined => {
  for (const test of children.allTests("failed")) return test.fullName;
  return undefined;
};

const verdictOf = (modules: readonly TestModule[]): Verdict => {
  if (modules.length === 0) return { kind: "unfit", reason: "no test ran" };
  for (const module of modules) {
    const by = titleOf(module);
    if (by !== undefined) return { kind: "killed", by };
  }
  // code that does not load was judged by no test, so the edit is no weaker check
  const broken = modules.find((module) => module.state() === "failed");
  if (broken === undefined) return { kind: "survived" };
  const reason = broken.errors()[0]?.message ?? "a hook of its tests failed";
  return { kind: "unfit", reason: `tests do not load: ${reason}` };
};

/** A laboratory with one worker; several can run in parallel. @param root of the repository */
export const openLaboratory = async (root: string): Promise<Laboratory> => {
  let current: Mutant | undefined;
  const edits = {
    name: "conclave:mutant",
    enforce: "pre",
    transform: (code: string, id: string): string | undefined =>
      current !== undefined && id === join(root, current.path) ? edited(code, current) : undefined,
  } as const;
  const source = { conditions: ["source"] };
  const vitest: Vitest = await createVitest(
    "test",
    {
      config: false,
      root,
      watch: false,
      include: ["packages/*/src/**/*.test.ts", "test/house/protocol/*.test.ts"],
      // starts PostgreSQL at the first test that needs it
      globalSetup: ["packages/platform/src/testing/postgres/shared-postgres.ts"],
      setupFiles: ["packages/platform/src/testing/postgres/each-file.ts"],
      reporters: [{}],
      bail: 1,
      isolate: false,
      pool: "threads",
      maxWorkers: 1,
      fileParallelism: false,
      testTimeout: 120 * SECONDS,
      hookTimeout: 120 * SECONDS,
      expect: { poll: { timeout: 30 * SECONDS, interval: 20 } },
    },
    { resolve: source, ssr: { resolve: source }, plugins: [edits] },
  );
  const run = async (tests: readonly string[]): Promise<readonly TestModule[]> => {
    const found = await vitest.globTestSpecifications(tests.map((test) => join(root, test)));
    if (found.length !== tests.length) throw new RangeError(`no such tests: ${tests.join(", ")}`);
    vitest.state.filesMap.clear(); // drops results of earlier runs for files that this run skips
    return (await vitest.runTestSpecifications(found)).testModules;
  };
  const load = (path: string, mutant: Mutant | undefined): void => {
    current = mutant;
    vitest.invalidateFile(join(root, path));
  };
  return {
    judge: async (mutant) => {
      if (edited(readFileSync(join(root, mutant.path), "utf8"), mutant) === undefined) {
        return { kind: "unfit", reason: "its text does not occur exactly once" };
      }
      load(mutant.path, mutant);
      const verdict = verdictOf(await run(mutant.tests));
      load(mutant.path, undefined);
      return verdict;
    },
    redWithout: async (tests) =>
      (await run(tests)).filter((module) => module.state() !== "passed").map(({ moduleId }) => moduleId),
    close: () => vitest.close(),
  };
};
