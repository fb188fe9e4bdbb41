import { availableParallelism } from "node:os";
import { join } from "node:path";
import { mutantsOf } from "./edit.ts";
import { type Laboratory, openLaboratory, type Verdict } from "./laboratory.ts";
import { EDITED_FILES } from "./lists/every-list.ts";

/**
 * `make mutants`: makes each listed edit by itself, and reports the edits that no test notices. The arguments are parts
 * of paths or descriptions; only edits that contain one of them are tried.
 */

const root = join(import.meta.dirname, "..", "..");
const wanted = process.argv.slice(2);
const mutants = mutantsOf(EDITED_FILES).filter(
  ({ path, weakens }) => wanted.length === 0 || wanted.some((part) => `${path}: ${weakens}`.includes(part)),
);

/** Shares all work among as many laboratories as there are cores. */
const sharedOut = async <T>(
  all: readonly T[],
  perform: (laboratory: Laboratory, one: T) => Promise<void>,
) => {
  const rest = [...all];
  const worker = async (): Promise<void> => {
    const laboratory = await openLaboratory(root);
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await perform(laboratory, one);
    await laboratory.close();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const red: string[] = [];
const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))];
await sharedOut(tests, async (laboratory, test) => {
  red.push(...(await laboratory.redWithout([test])));
});
if (red.length > 0) {
  say(`red without any edit, so that they show nothing:\n${red.join("\n")}`);
  process.exit(1);
}

const count: Record<Verdict["kind"], number> = { killed: 0, survived: 0, unfit: 0 };
await sharedOut(mutants, async (laboratory, mutant) => {
  const verdict = await laboratory.judge(mutant);
  count[verdict.kind] += 1;
  const what = `${mutant.path}: ${mutant.weakens}`;
  if (verdict.kind === "killed") say(`killed    ${what}\n            by ${verdict.by}`);
  else
    say(
      verdict.kind === "survived" ? `SURVIVED  ${what}` : `UNFIT     ${what}\n            ${verdict.reason}`,
    );
});
say(`${mutants.length} mutants, ${count.killed} killed, ${count.survived} survived, ${count.unfit} unfit`);
process.exit(count.survived + count.unfit === 0 && mutants.length > 0 ? 0 : 1);
