import type { WorldEntry } from "../workers/world-worker.ts";

/** The process of a worker as `make setup` bundled it: from its source it takes half a minute to start. */
export const COMPILED_CHILD: WorldEntry = {
  url: new URL("../../dist/bundle/world-child.js", import.meta.url),
  execArgv: [],
};
