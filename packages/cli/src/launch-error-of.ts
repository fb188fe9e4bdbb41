import { LaunchError } from "@conclave/testbed/launch";
import { z } from "zod";
import { firstDefect } from "./first-defect.ts";
import { printable } from "./printable.ts";

const fileSchema = z.looseObject({ code: z.enum(["ENOENT", "EACCES", "EPERM", "EROFS"]), path: z.string() });

/**
 * The causes of a command's end that a person can mend: settings, a database that refuses the login or does not
 * answer, a file.
 * @throws the cause itself where it is a defect of ours
 */
export const launchErrorOf = async (cause: unknown): Promise<LaunchError> => {
  if (cause instanceof LaunchError) return cause;
  const file = fileSchema.safeParse(cause);
  if (file.success) {
    const { path, code } = file.data;
    return new LaunchError(
      `${path} cannot be used (${code})`,
      "Run the command where the cluster's files are, as the user whose they are.",
    );
  }
  // most of a second to load: a command that has failed has the time
  const { ConfigurationError, Outage, refusedConnection } = await import("@conclave/platform");
  const { ERRORS } = await import("@conclave/custody");
  const known = refusedConnection(cause);
  if (known instanceof ConfigurationError && known.code === "RosterInvalid") {
    return new LaunchError(printable(firstDefect(known.message)), ERRORS[known.code].remedy, known.code);
  }
  if (known instanceof ConfigurationError) {
    return new LaunchError(known.message, "Mend that, and run the command again.");
  }
  if (known instanceof Outage) {
    return new LaunchError(
      known.message,
      "Start it, or name the right one in DATABASE_URL, and run the command again.",
    );
  }
  throw cause;
};
