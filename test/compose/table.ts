/** A trial, and its outcome. */
export interface Row {
  readonly what: string;
  readonly isGood: boolean;
  /** the defect, or a figure */
  readonly found: string;
}

/** The rows as a table of Markdown, as docs/containers.md shows it. */
export const tableOf = (rows: readonly Row[]): string =>
  [
    "| tried | | |",
    "|---|---|---|",
    ...rows.map(({ what, isGood, found }) => `| ${what} | ${isGood ? "yes" : "NO"} | ${found} |`),
  ].join("\n");

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** The waited time, as the table shows it. */
export const timed = async (work: () => Promise<unknown>): Promise<string> => {
  const began = performance.now();
  await work();
  return seconds(performance.now() - began);
};

/** Does something, and says what came of it or why it failed. */
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
  // a reader who stops it in the middle has seen this outcome
  process.stderr.write(`compose-test:   ${done.isGood ? "yes" : "NO"} ${done.found}\n`);
  return done;
};
