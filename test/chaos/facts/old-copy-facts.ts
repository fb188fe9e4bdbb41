import { readFileSync } from "node:fs";
import type { Cluster } from "@conclave/testbed";
import { z } from "zod";
import type { OldCopyFact } from "./cluster-facts.ts";

const lineSchema = z.object({
  msg: z.string().regex(/^the store of signer-\d+ is an old copy/),
  held: z.int(),
  signed: z.object({ count: z.int() }),
});

/** Where lines of a signer's log tell that its store is an old copy; a line that a crash has cut short tells nothing. */
export const oldCopiesIn = (by: number, log: string): readonly OldCopyFact[] =>
  log.split("\n").flatMap((line): readonly OldCopyFact[] => {
    if (!line.startsWith("{") || !line.endsWith("}") || !line.includes("is an old copy")) return [];
    const read = lineSchema.safeParse(JSON.parse(line));
    return read.success ? [{ by, held: read.data.held, signed: read.data.signed.count }] : [];
  });

/** Which signers of a cluster have heard that their stores are old copies. */
export const readOldCopies = ({ layout, description }: Cluster): readonly OldCopyFact[] =>
  description.signers.flatMap(({ index, id }) => oldCopiesIn(index, readFileSync(layout.log(id), "utf8")));
