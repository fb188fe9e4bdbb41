import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { LaunchError } from "../launch-error.ts";
import type { StateLayout } from "./layout.ts";

const access = {
  userId: z.string(),
  token: z.string(),
  credential: z.object({ id: z.string(), keyFile: z.string() }),
};
/** The members of a description that every version writes. */
export const describedSchema = z.object({
  threshold: z.int(),
  api: z.object({ url: z.string() }),
  orchestrator: z.object({ url: z.string() }),
  chain: z.object({ network: z.string(), rpcUrl: z.string() }),
  networks: z
    .array(z.object({ network: z.string(), url: z.string(), adminUrl: z.string() }))
    .readonly()
    .default([]),
  developer: z.object({ orgId: z.string(), ...access, serviceAccount: z.object(access) }),
});

/**
 * Reads the description that the start of the cluster wrote into this state folder.
 * @returns undefined where none was written. Throws a LaunchError for a file that is none
 */
export const readDescription = (layout: StateLayout): z.infer<typeof describedSchema> | undefined => {
  if (!existsSync(layout.description)) return undefined;
  try {
    return describedSchema.parse(JSON.parse(readFileSync(layout.description, "utf8")));
  } catch {
    throw new LaunchError(
      `${layout.description} does not describe a cluster`,
      "Start the cluster again, which writes it anew.",
    );
  }
};
