import { z } from "zod";
import { organisationIdSchema } from "../identifiers.ts";
import { plainText } from "../text.ts";
import { givenUsernameSchema } from "./user-body.ts";

const LONGEST_CODE = 256;
const LONGEST_CREDENTIAL_ID = 1_024;

/** The body of POST /auth/recover/user/code. */
export const recoveryCodeBodySchema = z.strictObject({
  orgId: organisationIdSchema,
  username: givenUsernameSchema,
});

const credentialId = plainText(LONGEST_CREDENTIAL_ID).describe(
  "The credential id of the recovery key that will sign",
);

/** The body of POST /auth/recover/user/init. */
export const recoveryChallengeBodySchema = z.strictObject({
  orgId: organisationIdSchema,
  username: givenUsernameSchema,
  verificationCode: z.string().max(LONGEST_CODE),
  credentialId,
});

/** The body of POST /auth/recover/user/delegated. */
export const delegatedRecoveryBodySchema = z.strictObject({ username: givenUsernameSchema, credentialId });
