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

/** The log record of a transfer's signing. */
export type SigningRecord = z.infer<typeof signedSchema>;

/** The JSON lines with a message in a process's log; a crash may have truncated a line. */
const linesOf = (layout: StateLayout, process: string): readonly z.infer<typeof lineSchema>[] =>
  readFileSync(layout.log(process), "utf8")
    .split("\n")
    .flatMap((line) => {
      if (!line.startsWith("{") || !line.endsWith("}")) return [];
      return [lineSchema.parse(JSON.parse(line))];
    });

const alarmSchema = z.object({
  shownBy: z.number(),
  held: z.number(),
  signed: z.object({
    clusterId: z.string(),
    signer: z.number(),
    count: z.number(),
    signature: z.string(),
    bytes: z.string(),
  }),
});

/** The alarm in a signer's log that its store is an old copy; undefined if there is none. */
export const storeAlarmOf = (
  layout: StateLayout,
  signer: number,
): z.infer<typeof alarmSchema> | undefined => {
  const line = linesOf(layout, `signer-${signer}`).findLast(({ msg }) => msg.includes("is an old copy"));
  return line === undefined ? undefined : alarmSchema.parse(line);
};

/** The quorum and the attempt that signed a transfer, by the orchestrator's log. */
export const signingOf = (layout: StateLayout, transferId: string): SigningRecord => {
  const line = linesOf(layout, "orchestrator").findLast(
    (entry) => entry.msg === "request signed" && entry["requestId"] === transferId,
  );
  return signedSchema.parse(line);
};

const eventSchema = z.looseObject({
  time: z.string(),
  event: z.string(),
  requestId: z.string().optional(),
});

/** A line of a log with the name of its event. */
export type LoggedEvent = z.infer<typeof eventSchema>;

/** The events in a process's log, in their order. */
export const loggedEventsOf = (layout: StateLayout, process: string): readonly LoggedEvent[] =>
  linesOf(layout, process).flatMap((line) => eventSchema.safeParse(line).data ?? []);
