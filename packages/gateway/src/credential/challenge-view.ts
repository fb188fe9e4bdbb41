import type { Credential } from "@conclave/platform";
import type { ChallengeView, RelyingPartyView } from "../schemas/people/user-action.ts";

/** A credential as a challenge lists it; a decoy has exactly these fields. */
export type ListedCredential = Pick<Credential, "id" | "kind" | "encryptedPrivateKey">;

const listed = ({ id }: ListedCredential) => ({ type: "public-key" as const, id });

/**
 * The data with which a client signs a challenge (wire interface, section B.3, step 2).
 * @param credentials those that may sign
 * @param rp needed because browser signers up to 0.5.8 do not ask an authenticator without it
 */
export const challengeView = (
  { challenge, challengeIdentifier }: { readonly challenge: string; readonly challengeIdentifier: string },
  credentials: readonly ListedCredential[],
  rp: RelyingPartyView,
): ChallengeView => {
  const of = (kind: Credential["kind"]) => credentials.filter((credential) => credential.kind === kind);
  const kinds = (["Fido2", "Key", "PasswordProtectedKey"] as const).filter((kind) => of(kind).length > 0);
  const supported = kinds.length > 0 ? kinds : (["Key"] as const);
  const protectedKeys = of("PasswordProtectedKey").map((credential) => ({
    ...listed(credential),
    encryptedPrivateKey: credential.encryptedPrivateKey ?? "",
  }));
  return {
    challenge,
    challengeIdentifier,
    rp,
    supportedCredentialKinds: supported.map((kind) => ({
      kind,
      factor: "either",
      requiresSecondFactor: false,
    })),
    allowCredentials: {
      key: of("Key").map(listed),
      webauthn: of("Fido2").map(listed),
      ...(protectedKeys.length === 0 ? {} : { passwordProtectedKey: protectedKeys }),
    },
    userVerification: "required",
    attestation: "none",
    externalAuthenticationUrl: "",
  };
};
