import { readFileSync } from "node:fs";
import type { Cluster } from "@conclave/testbed";
import { cannotBeShown } from "@conclave/threshold";
import { z } from "zod";
import type { CaughtFact } from "./cluster-facts.ts";

const lineSchema = z.object({
  msg: z.literal("a peer deviated from the protocol"),
  time: z.iso.datetime(),
  culprit: z.number(),
  check: z.string(),
});

/** The deviations that lines of a signer's log tell; a line that a crash has cut short tells none. */
export const caughtIn = (by: number, log: string): readonly CaughtFact[] =>
  log.split("\n").flatMap((line): readonly CaughtFact[] => {
    if (!line.startsWith("{") || !line.endsWith("}")) return [];
    const read = lineSchema.safeParse(JSON.parse(line));
    if (!read.success || cannotBeShown(read.data.check)) return [];
    const { culprit, check, time } = read.data;
    return [{ by, culprit, check, atMs: Date.parse(time) }];
  });

/** Whom the signers of a cluster have caught. */
export const readCaught = ({ layout, description }: Cluster): readonly CaughtFact[] =>
  description.signers.flatMap(({ index, id }) => caughtIn(index, readFileSync(layout.log(id), "utf8")));
