import { readCampaignSettings } from "@conclave/simulator";
import { PLANTED_BUGS } from "./bugs.ts";
import { hunt } from "./hunt.ts";

/**
 * `make planted-bugs`: plants each bug of the list by itself, in the sources as they are loaded, and runs worlds until one of them finds
 * it. BUGS=3,6 names some; 0 is no bug, whose worlds must find nothing. WORLDS=30 is the most for each, PROFILE=hostile their profile,
 * SEED=1 the first world, CORES=1 how many run at a time.
 */

const WORLDS = 30;
const NO_BUG = { number: 0, title: "no bug", invariant: "", edits: [] };
const KNOWN = [NO_BUG, ...PLANTED_BUGS];

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const usage = (line: string): never => {
  say(line);
  process.exit(2);
};

const read = readCampaignSettings(
  { ...process.env, PLAN: "", PROFILE: process.env["PROFILE"] || "hostile" },
  { seed: 1, cores: 1 },
);
const settings = read.ok ? read.settings : usage(read.sentence);
const wanted = (process.env["BUGS"] ?? "")
  .split(",")
  .map((text) => text.trim())
  .filter((text) => text !== "");
const unknown = wanted.find((text) => !KNOWN.some(({ number }) => String(number) === text));
if (unknown !== undefined)
  usage(`BUGS has no bug ${unknown}: there are ${KNOWN.map(({ number }) => number).join(", ")}.`);
const bugs =
  wanted.length === 0 ? PLANTED_BUGS : KNOWN.filter(({ number }) => wanted.includes(String(number)));

say("| bug | planted | breaks | found by | worlds | seconds |\n|---:|---|---|---|---:|---:|");
for (const bug of bugs) {
  const { worlds, unjudged, seconds, violated, words, reached } = await hunt(bug, {
    ...settings,
    worlds: settings.worlds ?? WORLDS,
  });
  const missed = unjudged === 0 ? "not found" : `not found, and ${unjudged} worlds broke off`;
  const by = violated.length === 0 ? missed : violated.join(" ");
  if (bug.number === NO_BUG.number && (violated.length > 0 || unjudged > 0)) process.exitCode = 1;
  say(`| ${bug.number} | ${bug.title} | ${bug.invariant} | ${by} | ${worlds} | ${seconds} |`);
  if (process.env["SHOW"]) say(`${words}\n${JSON.stringify(reached, undefined, 1)}`);
}
