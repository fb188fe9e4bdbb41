import { spawnSync } from "node:child_process";
import {
  drawOrder,
  drawWorld,
  migratedDump,
  openWorldPool,
  PROFILES,
  type RunOrder,
  readCampaignSettings,
} from "@conclave/simulator";

/**
 * `make same-worlds NODES="/path/to/node22 /path/to/node24"`: runs hostile worlds of the seeds from SEED=1 on, WORLDS=10 of them, on this
 * Node and on each of the others, and compares their digests: of all that each process asked of servers, with the virtual times.
 */

const WORLDS = 10;
const SHOWN_DIGITS = 16;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const usage = (line: string): never => {
  say(line);
  process.exit(2);
};

/** The version of a Node, such as v22.23.3. */
const versionOf = (node: string): string => {
  const { status, stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return status === 0
    ? stdout.trim()
    : usage(`NODES has ${node}, which is no Node: name files, such as ${process.execPath}.`);
};

const paths = [process.execPath, ...(process.env["NODES"] ?? "").split(" ").filter((path) => path !== "")];
const nodes = paths.map((path) => ({ path, version: versionOf(path) }));
if (nodes.length === 1)
  usage('NODES names no other Node: make same-worlds NODES="/path/to/node22 /path/to/node24".');
const read = readCampaignSettings(process.env, { seed: 1, cores: 1 });
const { firstSeed, size, worlds = WORLDS } = read.ok ? read.settings : usage(read.sentence);
const profile = PROFILES.hostile;

/** The digest of a world's run; empty where the world did not end, or its process died. */
const runOn = async (run: RunOrder, seed: number): Promise<string> =>
  (await run(drawOrder(seed, drawWorld(seed, size, profile), profile))).digest.slice(0, SHOWN_DIGITS);

await migratedDump();
const pools = nodes.map(({ path }) => openWorldPool(1, { node: path }));
say(["seed", ...nodes.map(({ version }) => version)].join("\t"));
let different = 0;
for (let seed = firstSeed; seed < firstSeed + worlds; seed += 1) {
  const digests = await Promise.all(pools.map(({ run }) => runOn(run, seed)));
  const isSame = new Set(digests).size === 1 && !digests.includes("");
  if (!isSame) different += 1;
  const shown = digests.map((digest) => digest || "did not end");
  say([seed, ...shown, ...(isSame ? [] : ["different"])].join("\t"));
}
for (const pool of pools) pool.close();
say(
  different === 0
    ? `all ${worlds} worlds are the same on each Node`
    : `${different} of ${worlds} worlds differ, or did not end`,
);
process.exitCode = different === 0 ? 0 : 1;
