import { cpus } from "node:os";
import { timingsOf } from "./measure.ts";
import { type SecretPath, secretPaths } from "./secret-paths.ts";
import { CERTAIN, largestT, SEEN } from "./welch.ts";

/**
 * `make timing`: measures whether the duration of computations with secrets depends on the secrets. It finds only what
 * is visible from inside one process; finding nothing proves nothing.
 */

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const verdictOf = (t: number): string => {
  if (t >= CERTAIN) return "depends on the secret";
  return t >= SEEN ? "may depend on it" : "no difference seen";
};

const median = (sample: readonly number[]): number =>
  sample.toSorted((a, b) => a - b)[Math.floor(sample.length / 2)] ?? Number.NaN;

const isMissed = ({ control }: SecretPath, t: number): boolean =>
  (control === "leaks" && t < CERTAIN) || (control === "constant" && t >= CERTAIN);

say(
  `${cpus()[0]?.model ?? "unknown CPU"}, Node ${process.version}; |t| by crops (dudect), medians of one computation in ns`,
);
say(
  `${"path".padEnd(38)} ${"fixed secret".padEnd(16)} ${"fixed".padStart(10)} ${"drawn".padStart(10)} ${"|t|".padStart(8)}`,
);
const missed: string[] = [];
for (const path of secretPaths()) {
  for (const [name, secret] of Object.entries(path.fixed)) {
    const timings = timingsOf(path, secret);
    const t = largestT(timings);
    const [fixed, drawn] = [timings.fixed, timings.drawn].map((sample) =>
      (median(sample) / path.calls).toFixed(0),
    );
    say(
      `${path.name.padEnd(38)} ${name.padEnd(16)} ${fixed?.padStart(10)} ${drawn?.padStart(10)} ${t.toFixed(1).padStart(8)}  ${verdictOf(t)}`,
    );
    if (isMissed(path, t)) missed.push(path.name);
  }
}
for (const name of missed)
  say(
    `${name}: it is known, and was not measured so: these numbers are worth nothing. Measure on an idle machine.`,
  );
process.exit(missed.length === 0 ? 0 : 1);
