import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parsePlan } from "@conclave/chaos";
import { expect, it } from "vitest";
import { reportOf } from "../workers/world-report.ts";
import { drawOrder } from "./draw-order.ts";
import { isProfileName, PROFILES } from "./profile.ts";

/** Plans of worlds that failed once, by the profile and the seed of the world. */
const FOLDER = join(import.meta.dirname, "failed-plans");

it.each(readdirSync(FOLDER))(
  "the world of a plan that failed once has no finding: %s",
  async (file) => {
    const [, name = "", seed] = /^([a-z]+)-(\d+)\.plan$/.exec(file) ?? [];
    const parsed = parsePlan(readFileSync(join(FOLDER, file), "utf8"));
    if (!parsed.ok || !isProfileName(name)) expect.fail(`${file} is a plan, with its profile and its seed`);
    const { plan } = parsed;
    expect(plan.seed).toBe(Number(seed));
    const { findings, outcomes } = await reportOf(drawOrder(plan.seed, plan, PROFILES[name]));
    expect(findings).toEqual([]);
    expect(outcomes).toHaveLength(plan.faults.length);
  },
  240_000,
);
