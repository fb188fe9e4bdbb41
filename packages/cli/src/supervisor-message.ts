import { z } from "zod";

/** A message of the background process of `up --detach` to the process that waits in the terminal. */
export const supervisorMessageSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("progress"), text: z.string() }),
  z.object({ kind: z.literal("ready"), text: z.string() }),
  z.object({ kind: z.literal("failed"), message: z.string(), remedy: z.string() }),
]);
export type SupervisorMessage = z.infer<typeof supervisorMessageSchema>;
