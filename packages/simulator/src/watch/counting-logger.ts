import { type Logger, makeLogger } from "@conclave/platform/logger";
import type { WorldWatch } from "./world-watch.ts";

const EVENT = /"event":"([a-z-]+)"/;

/**
 * A log whose lines are counted by their declared events, kept until the world ends, and go nowhere.
 * @param service such as orchestrator; the counts are named by it
 */
export const countingLogger = (
  service: string,
  { reached, said }: Pick<WorldWatch, "reached" | "said">,
): Logger =>
  makeLogger({
    name: service,
    level: "debug",
    destination: {
      write: (line) => {
        said.add(`the log of a ${service}`, line);
        const event = EVENT.exec(line)?.[1];
        if (event !== undefined) reached.add(`${service} logs ${event}`);
      },
    },
  });
