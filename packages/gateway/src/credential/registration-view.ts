import type { UserId } from "@conclave/custody";
import type { Credential } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { AUTHENTICATOR_ALGORITHMS } from "./attestation.ts";

const FACTORS = ["Fido2", "Key", "PasswordProtectedKey"] as const;

/** For whom a credential is made. */
export interface Registrant {
  readonly id: UserId;
  readonly username: string;
}

/**
 * What a client needs to make a new credential (wire interface, section B.6): the members that every registration has.
 * @param known the user's authenticators, which are not registered twice
 */
export const registrationView = (
  { relyingParties: [{ id }] }: Pick<Dependencies, "relyingParties">,
  user: Registrant,
  { challenge, token }: { readonly challenge: string; readonly token: string },
  known: readonly Credential[],
) => ({
  user: { id: user.id, displayName: user.username, name: user.username },
  temporaryAuthenticationToken: token,
  challenge,
  rp: { id, name: id },
  authenticatorSelection: {
    residentKey: "preferred" as const,
    requireResidentKey: false,
    userVerification: "required" as const,
  },
  attestation: "none" as const,
  pubKeyCredParams: AUTHENTICATOR_ALGORITHMS.map((alg) => ({ type: "public-key" as const, alg })),
  excludeCredentials: known
    .filter(({ kind }) => kind === "Fido2")
    .map((credential) => ({ type: "public-key" as const, id: credential.id })),
});

/** The same for somebody's first credentials. */
export const firstRegistrationView = (
  dependencies: Pick<Dependencies, "relyingParties">,
  user: Registrant,
  challenge: { readonly challenge: string; readonly token: string },
) => ({
  ...registrationView(dependencies, user, challenge, []),
  supportedCredentialKinds: { firstFactor: [...FACTORS], secondFactor: [...FACTORS] },
  otpUrl: "",
});
