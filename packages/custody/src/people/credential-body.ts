import { z } from "zod";
import { credentialUuidSchema, organisationIdSchema } from "../identifiers.ts";
import { nameText, shortText } from "../text.ts";
import { givenUsernameSchema } from "./user-body.ts";

const LONGEST_TOKEN = 4_096;
const LONGEST_CREDENTIAL_ID = 1_024;
const LONGEST_CLIENT_DATA = 8_192;
/** an attestation may carry certificates */
const LONGEST_ATTESTATION = 65_536;
const LONGEST_ENCRYPTED_KEY = 8_192;
const NAME_LENGTH = 100;
const LONGEST_CODE = 256;
/** in milliseconds: the largest date of JavaScript */
const LATEST_TIMESTAMP = 8_640_000_000_000_000;

const base64url = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[A-Za-z0-9_-]+={0,2}$/, "is not base64url");

/** The kinds that a user can register. Passwords and one-time codes are not among them: they cannot sign a request. */
export const REGISTRABLE_KINDS = ["Fido2", "Key", "PasswordProtectedKey", "RecoveryKey"] as const;
export type RegistrableKind = (typeof REGISTRABLE_KINDS)[number];

/** The client's statement of a new credential (wire interface, section B.6). */
const credentialInfoSchema = z.strictObject({
  credId: base64url(LONGEST_CREDENTIAL_ID),
  clientData: base64url(LONGEST_CLIENT_DATA),
  attestationData: base64url(LONGEST_ATTESTATION),
});
export type CredentialInfo = Readonly<z.infer<typeof credentialInfoSchema>>;

const encryptedPrivateKey = shortText(LONGEST_ENCRYPTED_KEY);
const name = nameText(NAME_LENGTH);

const fido2 = { credentialKind: z.literal("Fido2"), credentialInfo: credentialInfoSchema };
const key = { credentialKind: z.literal("Key"), credentialInfo: credentialInfoSchema };
const protectedKey = {
  credentialKind: z.literal("PasswordProtectedKey"),
  credentialInfo: credentialInfoSchema,
  encryptedPrivateKey,
};
const recoveryKey = {
  credentialKind: z.literal("RecoveryKey"),
  credentialInfo: credentialInfoSchema,
  encryptedPrivateKey: encryptedPrivateKey.optional(),
};

/** The body of POST /auth/credentials/init. */
export const credentialChallengeBodySchema = z.strictObject({ kind: z.enum(REGISTRABLE_KINDS) });

const answered = { credentialName: name, challengeIdentifier: z.string().max(LONGEST_TOKEN) };

const answeredFactors = [
  z.strictObject({ ...fido2, ...answered }),
  z.strictObject({ ...key, ...answered }),
  z.strictObject({ ...protectedKey, ...answered }),
] as const;

/** The body of POST /auth/credentials. */
export const createCredentialBodySchema = z.discriminatedUnion("credentialKind", [
  ...answeredFactors,
  z.strictObject({ ...recoveryKey, ...answered }),
]);
export type CreateCredentialBody = z.infer<typeof createCredentialBodySchema>;

/** The body of POST /auth/login/oidc/credentials: the first credential of an invited employee. */
export const firstCredentialBodySchema = z.discriminatedUnion("credentialKind", answeredFactors);
export type FirstCredentialBody = z.infer<typeof firstCredentialBodySchema>;

/** The body of POST /auth/credentials/code: when the code expires, as an ISO 8601 date or a Unix timestamp. */
export const credentialCodeBodySchema = z.strictObject({
  expiration: z.union([z.iso.datetime({ offset: true }), z.number().min(0).max(LATEST_TIMESTAMP)]),
});

/** The body of POST /auth/credentials/code/init. */
export const credentialByCodeBodySchema = z.strictObject({
  credentialKind: z.enum(REGISTRABLE_KINDS),
  code: z.string().max(LONGEST_CODE),
});

/** The body of PUT /auth/credentials/activate and …/deactivate. */
export const credentialStateBodySchema = z.strictObject({ credentialUuid: credentialUuidSchema });

const named = { credentialName: name.optional() };
const factor = z.discriminatedUnion("credentialKind", [
  z.strictObject({ ...fido2, ...named }),
  z.strictObject({ ...key, ...named }),
  z.strictObject({ ...protectedKey, ...named }),
]);

/** The body of POST /auth/registration: the first credentials of a new user. */
export const registerBodySchema = z.strictObject({
  firstFactorCredential: factor,
  secondFactorCredential: factor.optional(),
  recoveryCredential: z.strictObject({ ...recoveryKey, ...named }).optional(),
});
export type RegisterBody = z.infer<typeof registerBodySchema>;

/** wallets of a new end user: for each, all signers together make a key */
export const MOST_WALLETS_OF_NEW = 10;
/** longer than the name of any network; which names are known is checked later, with error codes of its own */
const NETWORK_LENGTH = 256;

/** The body of POST /auth/registration/enduser: also names the wallets of the new end user. */
export const registerEndUserBodySchema = registerBodySchema.extend({
  wallets: z
    .array(z.strictObject({ network: shortText(NETWORK_LENGTH), name: name.optional() }))
    .max(MOST_WALLETS_OF_NEW),
});
export type RegisterEndUserBody = z.infer<typeof registerEndUserBodySchema>;

/** One credential that is being registered. */
export interface NewCredential {
  readonly credentialKind: RegistrableKind;
  readonly credentialInfo: CredentialInfo;
  readonly credentialName?: string | undefined;
  readonly encryptedPrivateKey?: string | undefined;
}

/** The body of POST /auth/registration/init. */
export const registrationChallengeBodySchema = z.strictObject({
  orgId: organisationIdSchema,
  username: givenUsernameSchema,
  registrationCode: z.string().max(256),
});

/** The body of PUT /auth/registration/code, and of POST /auth/login/code. */
export const registrationCodeBodySchema = z.strictObject({
  orgId: organisationIdSchema,
  username: givenUsernameSchema,
});

/** The body of POST /auth/login/init. */
export const loginChallengeBodySchema = z.strictObject({
  orgId: organisationIdSchema,
  username: givenUsernameSchema.optional(),
  /** only from clients that received a code by mail; this service sends no mail */
  loginCode: z.string().max(256).optional(),
});

/** The body of POST /auth/login/delegated. */
export const delegatedLoginBodySchema = z.strictObject({ username: givenUsernameSchema });

/** The body of PUT and POST /auth/logout. */
export const logoutBodySchema = z.strictObject({ allSessions: z.boolean().optional() });
