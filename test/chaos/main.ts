import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChaosPlan, drawPlan, parsePlan, plannedText, planText, QUIET_PLAN } from "@conclave/chaos";
import { runCampaign } from "./campaign.ts";
import { DRAWABLE } from "./drawable.ts";
import { reportText } from "./report.ts";

/**
 * `make chaos`: injects faults into a cluster of real processes under load, and checks every invariant at the end. PLAN=file
 * runs that plan; otherwise a plan is drawn by SEED (by default from the clock), for DURATION seconds of load.
 */

const DURATION_S = 300;
const LOAD_PER_SECOND = 1;
const NETWORKS = ["EthereumSepolia", "Stellar", "Bitcoin"];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const readPlan = (file: string): ChaosPlan => {
  const parsed = parsePlan(readFileSync(file, "utf8"));
  if (parsed.ok) {
    const simulated = parsed.plan.faults.find(({ fault }) => fault.kind === "power" || fault.kind === "lose");
    if (simulated === undefined) return parsed.plan;
    say(`${file}: "${plannedText(simulated)}" is for simulated machines: run the plan by make simulate.`);
    process.exit(2);
  }
  for (const { line, message, remedy } of parsed.problems) say(`${file}:${line}: ${message}. ${remedy}`);
  process.exit(2);
};

/** Draws a plan, and converts it to text and back, because a later run reads it from text. */
const drawn = (): ChaosPlan => {
  const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
  const lastsMs = Number(process.env["DURATION"] ?? DURATION_S) * 1_000;
  if (!Number.isSafeInteger(seed) || !(lastsMs > 0)) {
    say("SEED is a whole number, and DURATION a number of seconds.");
    process.exit(2);
  }
  const load = { ...QUIET_PLAN.load, perSecond: LOAD_PER_SECOND, lastsMs, networks: NETWORKS };
  const plan = drawPlan({ ...QUIET_PLAN, seed, orchestrators: 2, gateways: 2, load }, DRAWABLE);
  if (parsePlan(planText(plan)).ok) return plan;
  say(
    "SEED has nine digits at most, and DURATION is of seconds of less than a day in which there is something to do.",
  );
  process.exit(2);
};

const file = process.env["PLAN"] ?? "";
const plan = file === "" ? drawn() : readPlan(file);
const folder = mkdtempSync(join(tmpdir(), "conclave-chaos-"));
const keeps = process.env["KEEP"] !== undefined;
say(
  `${planText(plan)}\nthe cluster starts; logs and the timeline stay in ${folder}${keeps ? "" : " if anything is found"}\n`,
);
const parameters = process.env["REAL"] === undefined ? "INSECURE-TEST" : "CGGMP24-128";
const campaign = await runCampaign(plan, { folder, keeps, parameters, report: say });
const report = reportText(campaign);
say(`\n${report}`);
const isClean =
  campaign.findings.length === 0 && campaign.outcomes.every(({ trouble }) => trouble === undefined);
if (keeps || !isClean) {
  writeFileSync(join(folder, "report"), report);
  say(
    `kept in ${folder}: the plan (PLAN=${join(folder, "plan")} replays it), the report, the timeline, all logs`,
  );
}
process.exit(isClean ? 0 : 1);
