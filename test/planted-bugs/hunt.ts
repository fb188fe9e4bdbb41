import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { drawOrder, drawWorld, openWorldPool, PROFILES, runCampaign } from "@conclave/simulator";
import type { BugEdit, PlantedBug } from "./planted-bug.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** The smallest cluster in which a signer may be dead. */
const SIZE = { signers: 3, threshold: 2, transfers: 16 };
const MS_PER_SECOND = 1_000;
/** Names of findings of worlds that did not end. */
const UNJUDGED: readonly string[] = ["world", "worker", "time"];

/** The worlds in which a bug is looked for. */
export interface HuntSettings {
  readonly profile: keyof typeof PROFILES;
  readonly firstSeed: number;
  /** how many at most */
  readonly worlds: number;
  readonly cores: number;
}

/** The end of a hunt. */
export interface Hunt {
  /** worlds that were run, the failed one included */
  readonly worlds: number;
  /** worlds that threw, died or did not end */
  readonly unjudged: number;
  readonly seconds: number;
  /** the invariants that the failed world violated; empty where none did */
  readonly violated: readonly string[];
  /** the first finding */
  readonly words: string;
  /** by name, how often it was reached */
  readonly reached: Readonly<Record<string, number>>;
}

const tsx = pathToFileURL(createRequire(join(ROOT, "package.json")).resolve("tsx")).href;

/** The process of a worker, which loads the sources with these edits. */
const entryWith = (edits: readonly BugEdit[]) => {
  const register = pathToFileURL(join(import.meta.dirname, "edit-register.mjs"));
  const placed = edits.map(({ path, find, put }) => ({
    url: pathToFileURL(join(ROOT, path)).href,
    find,
    put,
  }));
  register.searchParams.set("edits", JSON.stringify(placed));
  return {
    url: pathToFileURL(join(ROOT, "packages/simulator/src/workers/world-child.ts")),
    execArgv: ["--import", register.href, "--import", tsx, "--conditions", "source"],
  };
};

/** Runs worlds on the edited sources until one fails, or all have run. */
export const hunt = async (
  { edits, isOfCoins }: Pick<PlantedBug, "edits" | "isOfCoins">,
  { profile: name, firstSeed, worlds, cores }: HuntSettings,
): Promise<Hunt> => {
  const drawn = PROFILES[name];
  const profile = isOfCoins === true ? { ...drawn, coins: 1 } : drawn;
  const pool = openWorldPool(cores, { entry: entryWith(edits) });
  const beganMs = performance.now();
  let violated: readonly string[] = [];
  let words = "";
  let unjudged = 0;
  const sum = await runCampaign({
    firstSeed,
    cores,
    goesOn: (begun) => violated.length === 0 && begun < worlds,
    orderOf: (seed) => drawOrder(seed, drawWorld(seed, SIZE, profile), profile),
    run: pool.run,
    ended: ({ order, report: { findings } }) => {
      // the end of a world that threw, died or hung says nothing of the bug
      const [first] = findings.filter(({ invariant }) => !UNJUDGED.includes(invariant));
      if (findings.length > 0 && first === undefined) unjudged += 1;
      if (first === undefined || violated.length > 0) return;
      violated = [...new Set(findings.map(({ invariant }) => invariant))].sort();
      words = `seed ${order.seed}: ${first.words}`;
    },
  });
  pool.close();
  const seconds = Math.round((performance.now() - beganMs) / MS_PER_SECOND);
  return { worlds: sum.worlds, unjudged, seconds, violated, words, reached: sum.reached };
};
