import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { WorldEntry } from "../workers/world-worker.ts";

const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

/** The process of a worker, run from its current source. It is no bundle, because migrations and PGlite lie beside their modules. */
export const SOURCE_CHILD: WorldEntry = {
  url: new URL("../workers/world-child.ts", import.meta.url),
  execArgv: ["--import", tsx, "--conditions", "source"],
};
