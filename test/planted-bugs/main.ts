import { PROFILES } from "@conclave/simulator";
import { PLANTED_BUGS } from "./bugs.ts";
import { type HuntSettings, hunt } from "./hunt.ts";

/**
 * `make planted-bugs`: plants each bug of the list by itself, in the sources as they are loaded, and runs worlds until one of them finds it.
 * BUGS=3,6 names some; 0 is no bug, whose worlds must find nothing. WORLDS=30 is the most for each, PROFILE=hostile their profile, SEED=1 the first world, CORES=1 how many run at
 * a time.
 */

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const numberOf = (name: string, otherwise: number): number => {
  const text = process.env[name] ?? "";
  return text === "" ? otherwise : Number(text);
};
const isProfile = (name: string): name is HuntSettings["profile"] => Object.hasOwn(PROFILES, name);

const NO_BUG = { number: 0, title: "no bug", invariant: "", edits: [] };
const profile = process.env["PROFILE"] || "hostile";
const wanted = (process.env["BUGS"] ?? "")
  .split(",")
  .filter((text) => text !== "")
  .map(Number);
if (!isProfile(profile)) {
  say(`PROFILE is one of ${Object.keys(PROFILES).join(", ")}, not "${profile}".`);
  process.exit(2);
}
const settings: HuntSettings = {
  profile,
  firstSeed: numberOf("SEED", 1),
  worlds: numberOf("WORLDS", 30),
  cores: numberOf("CORES", 1),
};
const bugs =
  wanted.length === 0
    ? PLANTED_BUGS
    : [NO_BUG, ...PLANTED_BUGS].filter(({ number }) => wanted.includes(number));

say("| bug | planted | breaks | found by | worlds | seconds |\n|---:|---|---|---|---:|---:|");
for (const bug of bugs) {
  const { worlds, seconds, violated, words, reached } = await hunt(bug, settings);
  const by = violated.length === 0 ? "not found" : violated.join(" ");
  say(`| ${bug.number} | ${bug.title} | ${bug.invariant} | ${by} | ${worlds} | ${seconds} |`);
  if (process.env["SHOW"]) say(`${words}\n${JSON.stringify(reached, undefined, 1)}`);
}
