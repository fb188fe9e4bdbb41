import { readFileSync } from "node:fs";
import type { Cluster } from "@conclave/testbed";
import { z } from "zod";
import type { OldCopyFact } from "./cluster-facts.ts";

const lineSchema = z.object({
  msg: z.string().regex(/^the store of signer-\d+ is an old copy/),
  held: z.int(),
  signed: z.object({ count: z.int() }),
});

/** The alarms in a signer's log that its store is an old copy; lines truncated by a crash are skipped. */
export const oldCopiesIn = (by: number, log: string): readonly OldCopyFact[] =>
  log.split("\n").flatMap((line): readonly OldCopyFact[] => {
    if (!line.startsWith("{") || !line.endsWith("}") || !line.includes("is an old copy")) return [];
    const read = lineSchema.safeParse(JSON.parse(line));
    return read.success ? [{ by, held: read.data.held, signed: read.data.signed.count }] : [];
  });

/** The old-copy alarms in the logs of all signers. */
export const readOldCopies = ({ layout, description }: Cluster): readonly OldCopyFact[] =>
  description.signers.flatMap(({ index, id }) => oldCopiesIn(index, readFileSync(layout.log(id), "utf8")));
