/** What was tried, and what came of it. */
export interface Row {
  readonly what: string;
  readonly isGood: boolean;
  /** what was found wrong, or a figure */
  readonly found: string;
}

/** The rows as a table of Markdown, as docs/containers.md shows it. */
export const tableOf = (rows: readonly Row[]): string =>
  [
    "| tried | | |",
    "|---|---|---|",
    ...rows.map(({ what, isGood, found }) => `| ${what} | ${isGood ? "yes" : "NO"} | ${found} |`),
  ].join("\n");
