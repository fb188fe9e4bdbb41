import { z } from "zod";
import { permissionIdSchema } from "../identifiers.ts";
import { nameText, shortText } from "../text.ts";
import { personExternalIdSchema, personNameSchema } from "./user-body.ts";

/** The longest lifetime of a long-lived token, and its default (wire interface, section B.2). */
const MOST_DAYS_VALID = 730;
const DEFAULT_DAYS_VALID = 365;
const DAY_SECONDS = 86_400;

const PEM_LENGTH = 4_096;
const ORIGIN_LENGTH = 256;
const CREDENTIAL_NAME_LENGTH = 100;

/** A public key in PEM. This schema checks the frame only; code that can parse keys checks the rest. */
const publicKey = z
  .string()
  .max(PEM_LENGTH)
  .regex(/^-----BEGIN (RSA )?PUBLIC KEY-----/, "is not a public key in PEM");

const daysValid = z.int().min(1).max(MOST_DAYS_VALID).optional();

const common = {
  name: personNameSchema,
  permissionId: permissionIdSchema.optional(),
  externalId: personExternalIdSchema.optional(),
};

/** The body of POST /auth/service-accounts. */
export const createServiceAccountBodySchema = z.strictObject({ ...common, publicKey, daysValid });
export type CreateServiceAccountBody = z.infer<typeof createServiceAccountBodySchema>;

/** The body of POST /auth/service-accounts/credentials. */
export const createServiceAccountCredentialBodySchema = z.strictObject({
  publicKey,
  name: nameText(CREDENTIAL_NAME_LENGTH).optional(),
});
export type CreateServiceAccountCredentialBody = z.infer<typeof createServiceAccountCredentialBodySchema>;

/** The body of POST /auth/pats. */
export const createPatBodySchema = z
  .strictObject({
    ...common,
    publicKey,
    daysValid,
    secondsValid: z
      .int()
      .min(1)
      .max(MOST_DAYS_VALID * DAY_SECONDS)
      .optional(),
  })
  .refine(({ daysValid: days, secondsValid }) => days === undefined || secondsValid === undefined, {
    error: "daysValid and secondsValid exclude each other",
    path: ["secondsValid"],
  });
export type CreatePatBody = z.infer<typeof createPatBodySchema>;

/**
 * https, or http on this machine: where WebAuthn works (a "secure context"). Browsers write hosts in ASCII.
 * An Android app's origin is the SHA-256 of its signing certificate, 32 bytes in base64url (Android's
 * CallingAppInfo.getOrigin); the last digit has two unused bits.
 */
const ORIGIN =
  /^(https:\/\/[a-z0-9.-]+(:\d+)?|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?|android:apk-key-hash:[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/;
const origin = z.string().max(ORIGIN_LENGTH).regex(ORIGIN, "is not an origin");
const relyingPartyId = shortText(ORIGIN_LENGTH).regex(/^[A-Za-z0-9.-]+$/, "is not a domain");

/** The body of POST /auth/apps. */
export const createApplicationBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({ ...common, relyingPartyId, origin, kind: z.literal("ClientSideApplication") }),
  z.strictObject({
    ...common,
    relyingPartyId,
    origin,
    kind: z.literal("ServerSideApplication"),
    publicKey,
    daysValid,
  }),
]);
export type CreateApplicationBody = z.infer<typeof createApplicationBodySchema>;

/** The body that changes a service account, a token or an application: absent fields stay unchanged. */
export const renameBodySchema = z.strictObject({
  name: personNameSchema.optional(),
  externalId: personExternalIdSchema.optional(),
});
export type RenameBody = z.infer<typeof renameBodySchema>;

/** The lifetime of a token, in seconds. */
export const lifetimeSeconds = (asked: {
  readonly daysValid?: number | undefined;
  readonly secondsValid?: number | undefined;
}): number => asked.secondsValid ?? (asked.daysValid ?? DEFAULT_DAYS_VALID) * DAY_SECONDS;
