import type { World } from "@conclave/custody";
import { processWorld } from "./world.ts";

/** Makes a new id of the schema's kind from system randomness, for a process's own code: adapters, commands and tests. */
export const freshId: World["freshId"] = processWorld.freshId;
