// Measures how long each chain family takes to build a transfer and to read it like a signer, up to its digests. Part of `make
// bench`; alone: node_modules/.bin/tsx test/bench/family-builds.ts
import { BUILD_SAMPLES, type BuildSample } from "../../packages/chains/src/testing/build-samples.ts";

const WARM_UP = 100;
const RUNS = 300;
/** The budget of building plus reading, in milliseconds. */
const BUDGET_MS = 2;
const COLUMN = 12;

const timesOf = ({ family, build, read }: BuildSample): readonly number[] => {
  const once = (): number => {
    const began = performance.now();
    const built = build();
    const reading = built.ok ? read(built.value.unsigned) : built;
    if (!reading.ok) throw new Error(`a transfer on ${family} is not built: ${reading.problem.message}`);
    return performance.now() - began;
  };
  for (let run = 0; run < WARM_UP; run += 1) once();
  return Array.from({ length: RUNS }, once).sort((one, other) => one - other);
};

const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(2).padStart(COLUMN);

process.stdout.write(`Build and digest of a transfer, ms (budget ${BUDGET_MS})\n`);
process.stdout.write(
  `${"family".padEnd(COLUMN)}${"kind".padEnd(COLUMN)}${"p50".padStart(COLUMN)}${"p99".padStart(COLUMN)}\n`,
);
for (const sample of BUILD_SAMPLES) {
  const times = timesOf(sample);
  process.stdout.write(
    `${sample.family.padEnd(COLUMN)}${sample.kind.padEnd(COLUMN)}${at(times, 0.5)}${at(times, 0.99)}\n`,
  );
}
