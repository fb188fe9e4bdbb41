import { type Logger, makeLogger } from "@conclave/platform/logger";
import type { ReachedCounts } from "./reached.ts";

const EVENT = /"event":"([a-z-]+)"/;

/**
 * A log whose lines are counted by their declared events, and go nowhere.
 * @param service such as orchestrator; the counts are named by it
 */
export const countingLogger = (service: string, reached: ReachedCounts): Logger =>
  makeLogger({
    name: service,
    level: "debug",
    destination: {
      write: (line) => {
        const event = EVENT.exec(line)?.[1];
        if (event !== undefined) reached.add(`${service} logs ${event}`);
      },
    },
  });
