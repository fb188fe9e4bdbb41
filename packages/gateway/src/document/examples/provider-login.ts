import type {
  providerLoginBodySchema,
  providerLoginStartBodySchema,
  ssoLoginStartBodySchema,
} from "@conclave/custody";
import { SAMPLE_IDS } from "../vocabulary/ids.ts";
import type { Examples } from "./examples.ts";

const { orgId } = SAMPLE_IDS;
const redirectUri = "https://wallets.example.com/signed-in";

export const PROVIDER_LOGIN_START_EXAMPLES: Examples<typeof providerLoginStartBodySchema> = {
  "form: where the organisation has an identity provider": { orgId, redirectUri },
};

export const SSO_LOGIN_START_EXAMPLES: Examples<typeof ssoLoginStartBodySchema> = {
  "form: where the organisation has an identity provider": { orgId, clientId: "conclave", redirectUri },
};

export const PROVIDER_LOGIN_EXAMPLES: Examples<typeof providerLoginBodySchema> = {
  "form: as the provider sent the person back to the redirect address": {
    code: "the code of the address",
    state: "the state of the address",
  },
};
