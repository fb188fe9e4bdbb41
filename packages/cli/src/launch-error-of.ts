import { LaunchError } from "@conclave/testbed/launch";
import { z } from "zod";
import { firstDefect } from "./first-defect.ts";
import { printable } from "./printable.ts";

const fileSchema = z.looseObject({ code: z.enum(["ENOENT", "EACCES", "EPERM", "EROFS"]), path: z.string() });

/**
 * Maps the causes that a person can repair to a LaunchError: settings, a file, a database that refuses the login or does
 * not answer.
 * @throws the cause itself if it is a defect of ours
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
  // loading these takes most of a second, so only a command that has failed does it
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
