import type { Figure } from "../figure.ts";
import { rounded } from "../table.ts";
import type { ProtocolRun } from "../threshold/protocol-run.ts";
import { stepOf } from "../threshold/step-figures.ts";
import type { PowerClass } from "./power-counter.ts";

const sizeOf = ({ modulusBits, exponentBits }: PowerClass): string => `${modulusBits}/${exponentBits}`;

const sumOver = (classes: readonly PowerClass[], size: string, taken: (one: PowerClass) => number): number =>
  classes.filter((one) => sizeOf(one) === size).reduce((sum, one) => sum + taken(one), 0);

const count = ({ count: many }: PowerClass): number => many;
const ms = ({ ms: cpu }: PowerClass): number => cpu;

/** Classes that cost less than this in total are left out. */
const SHARE_MIN_MS = 1;

/**
 * Lists the modular powers of one signer by size of modulus and exponent, the most expensive first, with their number in each step.
 *
 * @param runs presignings with precomputed masks
 * @param prepared the powers for one signer's masks of all these presignings together
 */
export const powerFigures = (
  prefix: string,
  runs: readonly ProtocolRun<unknown>[],
  prepared: readonly PowerClass[],
): readonly Figure[] => {
  const spent = runs.flatMap(({ steps }) => steps.flat());
  const all = [...prepared, ...spent.flatMap(({ powers }) => powers)];
  const parties = runs[0]?.steps[0]?.length ?? 1;
  const msOf = (size: string): number =>
    sumOver(prepared, size, ms) / runs.length +
    spent.reduce((sum, { powers }) => sum + sumOver(powers, size, ms), 0) / runs.length / parties;
  const sizes = [...new Set(all.map(sizeOf))]
    .filter((size) => msOf(size) >= SHARE_MIN_MS)
    .sort((a, b) => msOf(b) - msOf(a));
  const steps = runs[0]?.steps.length ?? 0;
  return sizes.map((size) => {
    const [modulus = "", exponent = ""] = size.split("/");
    const ahead = sumOver(prepared, size, count) / runs.length;
    const bySteps = Array.from({ length: steps }, (_, step) =>
      stepOf(runs, step, ({ powers }) => sumOver(powers, size, count)),
    );
    const each = sumOver(all, size, ms) / sumOver(all, size, count);
    return {
      name: `${prefix}.powers.${modulus}.${exponent}`,
      unit: "count",
      label: `  powers: modulus ${modulus} bits, exponent ${exponent}`,
      value: ahead + bySteps.reduce((sum, one) => sum + one, 0),
      note: `${rounded(each)} ms each; in the masks ${rounded(ahead)}, by step ${bySteps.join(" / ")}`,
    };
  });
};
