import { ERRORS, fail, isErrorCode, type Problem, type Result } from "@conclave/custody";
import { Metadata, type ServiceError, type StatusObject, status } from "@grpc/grpc-js";

/** The trailer that carries a problem's code of the table in custody/errors.ts. */
const CODE_KEY = "conclave-code";

/** A problem as a gRPC status, which separates refusals from outages. */
export const toStatus = ({ code, message }: Problem): StatusObject => {
  const metadata = new Metadata();
  metadata.set(CODE_KEY, code);
  const isOutage = ERRORS[code].kind === "outage";
  return { code: isOutage ? status.UNAVAILABLE : status.FAILED_PRECONDITION, details: message, metadata };
};

/** The problem of a failed call: the one that the server named, otherwise an outage of the transport. */
export const fromServiceError = (error: ServiceError): Result<never> => {
  const [code] = error.metadata.get(CODE_KEY);
  if (typeof code === "string" && isErrorCode(code)) return fail(code, {}, error.details);
  return fail("ServiceUnavailable", { grpc: status[error.code] }, "The signer does not answer.");
};
