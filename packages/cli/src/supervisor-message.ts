import { z } from "zod";

/** What the background half of `up --detach` tells the half that waits in the terminal. */
export const supervisorMessageSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("progress"), text: z.string() }),
  z.object({ kind: z.literal("ready"), text: z.string() }),
  z.object({ kind: z.literal("failed"), message: z.string(), remedy: z.string() }),
]);
export type SupervisorMessage = z.infer<typeof supervisorMessageSchema>;
