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

/** The deviations in a signer's log; lines truncated by a crash are skipped. */
export const caughtIn = (by: number, log: string): readonly CaughtFact[] =>
  log.split("\n").flatMap((line): readonly CaughtFact[] => {
    if (!line.startsWith("{") || !line.endsWith("}")) return [];
    const read = lineSchema.safeParse(JSON.parse(line));
    if (!read.success || cannotBeShown(read.data.check)) return [];
    const { culprit, check, time } = read.data;
    return [{ by, culprit, check, atMs: Date.parse(time) }];
  });

/** The peers that each signer of a cluster has caught. */
export const readCaught = ({ layout, description }: Cluster): readonly CaughtFact[] =>
  description.signers.flatMap(({ index, id }) => caughtIn(index, readFileSync(layout.log(id), "utf8")));
