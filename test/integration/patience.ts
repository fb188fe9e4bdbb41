/** How long a test waits for a condition of a cluster that runs, in ms: it comes true within seconds on an idle machine. */
export const PATIENCE_MS = 240_000;
