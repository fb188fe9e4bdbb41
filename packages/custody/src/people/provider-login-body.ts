import { z } from "zod";
import { organisationIdSchema } from "../identifiers.ts";
import { shortText } from "../text.ts";

const LONGEST_URL = 2_048;
const LONGEST_CLIENT_ID = 256;
/** Entra ID's codes are the longest in use, with up to two thousand characters */
const LONGEST_CODE = 4_096;
const LONGEST_STATE = 8_192;
const LONGEST_NONCE = 256;

const begun = { orgId: organisationIdSchema, redirectUri: shortText(LONGEST_URL) };

/** The body of POST /auth/login/oidc/init. */
export const providerLoginStartBodySchema = z.strictObject({
  ...begun,
  /** a value of the client's, which the provider writes into its ID token; one is made where it is absent */
  nonce: shortText(LONGEST_NONCE).optional(),
});
export type ProviderLoginStartBody = z.infer<typeof providerLoginStartBodySchema>;

/** The body of POST /auth/login/sso/init. */
export const ssoLoginStartBodySchema = z.strictObject({ ...begun, clientId: shortText(LONGEST_CLIENT_ID) });
export type SsoLoginStartBody = z.infer<typeof ssoLoginStartBodySchema>;

/** The body of POST /auth/login/oidc and …/sso: the parameters with which the provider sent the person back. */
export const providerLoginBodySchema = z.strictObject({
  code: shortText(LONGEST_CODE),
  state: shortText(LONGEST_STATE),
  /** the provider's own name (RFC 9207), where it sends one */
  iss: shortText(LONGEST_URL).optional(),
});
export type ProviderLoginBody = z.infer<typeof providerLoginBodySchema>;
