import { z } from "zod";
import { ConfigurationError } from "../../config/environment.ts";

/** PostgreSQL's conditions "invalid_password", "invalid_authorization_specification" and "invalid_catalog_name" (appendix A of its manual). */
const refusedSchema = z.looseObject({ code: z.enum(["28P01", "28000", "3D000"]), message: z.string() });

/** An error of a process that starts: a login that the database refuses is a setting that is wrong. Any other error as it is. */
export const refusedLogin = (error: unknown): unknown => {
  const refused = refusedSchema.safeParse(error);
  if (!refused.success) return error;
  return new ConfigurationError(
    `the database refuses the login (${refused.data.message}): check DATABASE_URL, and its password in DATABASE_PASSWORD_FILE or DATABASE_PASSWORD`,
  );
};
