import type {
  createCredentialBodySchema,
  credentialByCodeBodySchema,
  credentialChallengeBodySchema,
  credentialCodeBodySchema,
  credentialStateBodySchema,
  delegatedRecoveryBodySchema,
  firstCredentialBodySchema,
  loginChallengeBodySchema,
  logoutBodySchema,
  recoveryChallengeBodySchema,
  recoveryCodeBodySchema,
  registerBodySchema,
  registerEndUserBodySchema,
  registrationChallengeBodySchema,
  registrationCodeBodySchema,
} from "@conclave/custody";
import type { recoverBodySchema } from "../../schemas/people/recovery.ts";
import type { actionBodySchema, initBodySchema } from "../../schemas/people/user-action.ts";
import { SAMPLE_IDS } from "../vocabulary/ids.ts";
import type { Examples } from "./examples.ts";

const base64url = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

const CHALLENGE = base64url("example-challenge");
const CRED_ID = base64url("credential-1");
const IDENTIFIER = "eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl";
const { orgId, credentialUuid } = SAMPLE_IDS;

const assertion = {
  credId: CRED_ID,
  clientData: base64url({ type: "key.get", challenge: CHALLENGE, origin: "http://localhost:8080" }),
  signature: base64url("the signature over the client data"),
};
const attested = {
  credId: CRED_ID,
  clientData: base64url({ type: "key.create", challenge: CHALLENGE, origin: "http://localhost:8080" }),
  attestationData: base64url({ publicKey: "the public key in PEM", signature: "hex of the signature" }),
};

export const ACTION_CHALLENGE_EXAMPLES: Examples<typeof initBodySchema> = {
  "before POST /wallets": {
    userActionPayload: '{"network":"EthereumSepolia"}',
    userActionHttpMethod: "POST",
    userActionHttpPath: "/wallets",
    userActionServerKind: "Api",
  },
};

export const SIGNED_CHALLENGE_EXAMPLES: Examples<typeof actionBodySchema> = {
  "form: signed by a key (the SDK's AsymmetricKeySigner)": {
    challengeIdentifier: IDENTIFIER,
    firstFactor: { kind: "Key", credentialAssertion: assertion },
  },
  "form: signed by an authenticator (WebAuthn)": {
    challengeIdentifier: IDENTIFIER,
    firstFactor: {
      kind: "Fido2",
      credentialAssertion: {
        ...assertion,
        authenticatorData: base64url("what the authenticator says"),
        userHandle: "",
      },
    },
  },
};

export const LOGIN_CHALLENGE_EXAMPLES: Examples<typeof loginChallengeBodySchema> = {
  "by username": { orgId, username: "jane@example.com" },
  "by an authenticator that knows who its holder is": { orgId },
};

export const LOGOUT_EXAMPLES: Examples<typeof logoutBodySchema> = {
  "this session": { allSessions: false },
};

export const REGISTRATION_CHALLENGE_EXAMPLES: Examples<typeof registrationChallengeBodySchema> = {
  "form: the code is in the answer of POST /auth/users": {
    orgId,
    username: "jane@example.com",
    registrationCode: "the code of the invitation",
  },
};

export const REGISTER_EXAMPLES: Examples<typeof registerBodySchema> = {
  "form: a key": {
    firstFactorCredential: { credentialKind: "Key", credentialInfo: attested, credentialName: "Laptop" },
  },
};

export const REGISTRATION_CODE_EXAMPLES: Examples<typeof registrationCodeBodySchema> = {
  "of anybody": { orgId, username: "jane@example.com" },
};

export const CREDENTIAL_CHALLENGE_EXAMPLES: Examples<typeof credentialChallengeBodySchema> = {
  "for a key": { kind: "Key" },
  "for an authenticator": { kind: "Fido2" },
};

export const FIRST_CREDENTIAL_EXAMPLES: Examples<typeof firstCredentialBodySchema> = {
  "form: a key": {
    credentialKind: "Key",
    credentialInfo: attested,
    credentialName: "Laptop",
    challengeIdentifier: IDENTIFIER,
  },
};

export const CREATE_CREDENTIAL_EXAMPLES: Examples<typeof createCredentialBodySchema> =
  FIRST_CREDENTIAL_EXAMPLES;

export const CREDENTIAL_STATE_EXAMPLES: Examples<typeof credentialStateBodySchema> = {
  "one of yours": { credentialUuid },
};

export const CREDENTIAL_CODE_EXAMPLES: Examples<typeof credentialCodeBodySchema> = {
  "for as long as a code may live": { expiration: "2099-12-31T23:59:59.000Z" },
};

export const CREDENTIAL_BY_CODE_EXAMPLES: Examples<typeof credentialByCodeBodySchema> = {
  "form: the code is in the answer of POST /auth/credentials/code": {
    credentialKind: "Key",
    code: "the code that the first device shows",
  },
};

export const REGISTER_END_USER_EXAMPLES: Examples<typeof registerEndUserBodySchema> = {
  "form: a key, and a wallet": {
    firstFactorCredential: { credentialKind: "Key", credentialInfo: attested, credentialName: "Phone" },
    wallets: [{ network: "EthereumSepolia", name: "Savings" }],
  },
};

export const RECOVERY_CODE_EXAMPLES: Examples<typeof recoveryCodeBodySchema> = {
  "of anybody": { orgId, username: "jane@example.com" },
};

export const RECOVERY_CHALLENGE_EXAMPLES: Examples<typeof recoveryChallengeBodySchema> = {
  "form: the code is in the answer of POST /auth/users/{userId}/recovery-code": {
    orgId,
    username: "jane@example.com",
    verificationCode: "the code that an administrator hands on",
    credentialId: CRED_ID,
  },
};

export const DELEGATED_RECOVERY_EXAMPLES: Examples<typeof delegatedRecoveryBodySchema> = {
  "form: of an end user who has a recovery key": { username: "shopper-7", credentialId: CRED_ID },
};

export const RECOVER_EXAMPLES: Examples<typeof recoverBodySchema> = {
  "form: a new key, signed by the recovery key": {
    recovery: { kind: "RecoveryKey", credentialAssertion: assertion },
    newCredentials: {
      firstFactorCredential: { credentialKind: "Key", credentialInfo: attested, credentialName: "Laptop" },
    },
  },
};
