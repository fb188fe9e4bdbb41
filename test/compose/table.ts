/** A trial, and its outcome. */
export interface Row {
  readonly what: string;
  readonly isGood: boolean;
  /** the defect, or a measured value */
  readonly found: string;
}

/** The rows as a Markdown table, for docs/containers.md. */
export const tableOf = (rows: readonly Row[]): string =>
  [
    "| tried | | |",
    "|---|---|---|",
    ...rows.map(({ what, isGood, found }) => `| ${what} | ${isGood ? "yes" : "NO"} | ${found} |`),
  ].join("\n");

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** The elapsed time, in the table's form. */
export const timed = async (work: () => Promise<unknown>): Promise<string> => {
  const began = performance.now();
  await work();
  return seconds(performance.now() - began);
};

/** Tries something, and records its result or the error. */
export const row = async (what: string, work: () => Promise<string>): Promise<Row> => {
  process.stderr.write(`compose-test: ${what}\n`);
  const done: Row = await work().then(
    (found) => ({ what, isGood: true, found }),
    (error: unknown) => ({
      what,
      isGood: false,
      found: error instanceof Error ? error.message : String(error),
    }),
  );
  // printed at once, so that it is seen even if the run is stopped
  process.stderr.write(`compose-test:   ${done.isGood ? "yes" : "NO"} ${done.found}\n`);
  return done;
};
