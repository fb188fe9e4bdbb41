import { z } from "zod";
import { isPlainText, nameText, shortText } from "../text.ts";

const USERNAME_LENGTH = 254;
const NAME_LENGTH = 100;
const EXTERNAL_ID_LENGTH = 100;

/** An employee may always log in with a credential, which signs the employee's actions anyway. */
const isSSORequired = z.literal(false, "nobody is required to log in by single sign-on here").optional();

/** A name must not look like an id: lists are searched by either. */
const username = nameText(USERNAME_LENGTH).refine((text) => !/^us-/.test(text), "must not look like an id");

export const personNameSchema = nameText(NAME_LENGTH);
export const personExternalIdSchema = shortText(EXTERNAL_ID_LENGTH);

/** A username by which a caller identifies a user: it need not be one that could be registered. */
export const givenUsernameSchema = z.string().max(USERNAME_LENGTH).refine(isPlainText, "is no username");

/** The body of POST /auth/users: creates an employee; end users are registered by delegation. */
export const createUserBodySchema = z.strictObject({
  email: z.email().max(USERNAME_LENGTH).pipe(username),
  kind: z.literal("CustomerEmployee"),
  /** accepted because older clients send it, and ignored: a person registers a credential of their own */
  publicKey: z.string().max(4_096).optional(),
  externalId: personExternalIdSchema.optional(),
  isSSORequired,
});
export type CreateUserBody = z.infer<typeof createUserBodySchema>;

/** The body of PUT /auth/users/{userId}: absent fields stay unchanged. */
export const updateUserBodySchema = z.strictObject({
  name: personNameSchema.optional(),
  externalId: personExternalIdSchema.optional(),
  isSSORequired,
});

/** The body of POST /auth/registration/delegated: an end user, under the name that the organisation uses. */
export const delegatedRegistrationBodySchema = z.strictObject({
  email: username,
  kind: z.literal("EndUser"),
  externalId: personExternalIdSchema.optional(),
});
export type DelegatedRegistrationBody = z.infer<typeof delegatedRegistrationBodySchema>;
