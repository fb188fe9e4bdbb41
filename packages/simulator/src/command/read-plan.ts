import { readFileSync } from "node:fs";
import { type ChaosPlan, parsePlan } from "@conclave/chaos";
import { whyNotRun } from "../world/why-not-run.ts";

/** A plan, and its seed where its text names one. */
export interface GivenPlan {
  readonly plan: ChaosPlan;
  readonly seed: number | undefined;
}

/** A plan that worlds can run, or the sentences that say why the file has none. */
export type ReadPlan =
  | { readonly ok: true; readonly given: GivenPlan }
  | { readonly ok: false; readonly sentences: readonly string[] };

const refused = (...sentences: readonly string[]): ReadPlan => ({ ok: false, sentences });

/** Reads the plan of a file. */
export const readPlan = (file: string): ReadPlan => {
  const text = textOf(file);
  if (text === undefined)
    return refused(
      `PLAN=${file} cannot be read: name a file with a plan, such as examples/a-signer-dies.plan.`,
    );
  const parsed = parsePlan(text);
  if (!parsed.ok)
    return refused(
      ...parsed.problems.map(({ line, message, remedy }) => `${file}:${line}: ${message}. ${remedy}`),
    );
  const whyNot = whyNotRun(parsed.plan);
  if (whyNot !== undefined) return refused(`${file}: ${whyNot}`);
  const { plan } = parsed;
  return { ok: true, given: { plan, seed: /^seed \d/m.test(text) ? plan.seed : undefined } };
};

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
};
