import { z } from "zod";
import { ConfigurationError } from "../../config/environment.ts";

/**
 * PostgreSQL's conditions "invalid_authorization_specification", "invalid_password" and "invalid_catalog_name"
 * (appendix A of its manual).
 */
const refusedSchema = z.looseObject({ code: z.enum(["28P01", "28000", "3D000"]), message: z.string() });

/**
 * Node's error codes for a server certificate that it does not accept (its documentation of TLS, "X509 certificate
 * error codes").
 */
const unverifiedSchema = z.looseObject({
  code: z.enum([
    "SELF_SIGNED_CERT_IN_CHAIN",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "UNABLE_TO_GET_ISSUER_CERT",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "CERT_NOT_YET_VALID",
    "CERT_HAS_EXPIRED",
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ]),
  message: z.string(),
});

/**
 * At a process's start, a refused login or certificate means a wrong setting, and becomes a configuration error. Other
 * errors are unchanged.
 */
export const refusedConnection = (error: unknown): unknown => {
  const unverified = unverifiedSchema.safeParse(error);
  if (unverified.success) {
    return new ConfigurationError(
      `the database's TLS certificate is not accepted (${unverified.data.message}): check sslrootcert and the host in DATABASE_URL`,
    );
  }
  const refused = refusedSchema.safeParse(error);
  if (!refused.success) return error;
  return new ConfigurationError(
    `the database refuses the login (${refused.data.message}): check DATABASE_URL, and its password in DATABASE_PASSWORD_FILE or DATABASE_PASSWORD`,
  );
};
