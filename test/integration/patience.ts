/** How long a test waits for a condition of a running cluster, in ms; on an idle machine it takes seconds. */
export const PATIENCE_MS = 240_000;
