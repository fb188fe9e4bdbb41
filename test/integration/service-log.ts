import { readFileSync } from "node:fs";
import type { StateLayout } from "@conclave/testbed";
import { z } from "zod";

const lineSchema = z.looseObject({ msg: z.string() });
const signedSchema = z.object({
  requestId: z.string(),
  quorum: z.array(z.number()),
  attempts: z.number(),
  path: z.enum(["pooled", "interactive"]),
});

/** How a transfer came to its signature. */
export type SigningRecord = z.infer<typeof signedSchema>;

/** The lines of a process's log that are JSON with a message; a crash may cut one short. */
const linesOf = (layout: StateLayout, process: string): readonly z.infer<typeof lineSchema>[] =>
  readFileSync(layout.log(process), "utf8")
    .split("\n")
    .flatMap((line) => {
      if (!line.startsWith("{") || !line.endsWith("}")) return [];
      return [lineSchema.parse(JSON.parse(line))];
    });

/** By which quorum and at which attempt a transfer was signed, as the orchestrator's log tells. */
export const signingOf = (layout: StateLayout, transferId: string): SigningRecord => {
  const line = linesOf(layout, "orchestrator").findLast(
    (entry) => entry.msg === "request signed" && entry["requestId"] === transferId,
  );
  return signedSchema.parse(line);
};
