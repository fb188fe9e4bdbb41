import { ClientError, ResponseBodyError } from "openid-client";
import { z } from "zod";

/** OAuth's error of a token endpoint that refuses a code (RFC 6749, section 5.2). */
const CODE_REFUSED = "invalid_grant";
/** codes of openid-client for an ID token that is not the one of this login */
const NOT_OF_THIS_LOGIN: ReadonlySet<string> = new Set([
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_KEY_SELECTION_FAILED",
]);

/** Whether the provider answered as it should, and its answer does not prove this login. */
export const isRefusal = (error: unknown): boolean => {
  if (error instanceof ResponseBodyError) return error.error === CODE_REFUSED;
  return error instanceof ClientError && NOT_OF_THIS_LOGIN.has(error.code ?? "");
};

/** A short text for the log and the caller, without any value of a token. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof ResponseBodyError) {
    return error.error === CODE_REFUSED
      ? "the provider refuses the code: it is not valid, was used before, or has expired"
      : `the provider answered the error ${error.error.slice(0, 100)}`;
  }
  return error instanceof Error ? `${error.message}${causeOf(error)}`.slice(0, 200) : "no answer";
};

const causeSchema = z.union([
  z.object({ claim: z.string() }).transform(({ claim }) => claim),
  z.object({ code: z.string() }).transform(({ code }) => code),
]);

/** The name of the claim, or the code of the failure, that an error was caused by; libraries wrap it in general words. */
const causeOf = ({ cause }: Error): string => {
  const inner = cause instanceof Error ? cause.cause : undefined;
  const found = [inner, cause].map((each) => causeSchema.safeParse(each)).find(({ success }) => success);
  return found?.data === undefined ? "" : ` (${found.data})`;
};
