import type { UserId } from "@conclave/custody";
import type { Credential } from "@conclave/platform";
import type { FirstRegistrationView, RegistrationView } from "../schemas/people/credential.ts";
import type { RelyingPartyView } from "../schemas/people/user-action.ts";
import { AUTHENTICATOR_ALGORITHMS } from "./attestation.ts";

const FACTORS = ["Fido2", "Key", "PasswordProtectedKey"] as const;

/** The person for whom a credential is made. */
export interface Registrant {
  readonly id: UserId;
  readonly username: string;
}

/**
 * The data with which a client makes a new credential (wire interface, section B.6): the members common to all
 * registrations.
 * @param known the user's authenticators, which are not registered twice
 */
export const registrationView = (
  rp: RelyingPartyView,
  user: Registrant,
  { challenge, token }: { readonly challenge: string; readonly token: string },
  known: readonly Credential[],
): RegistrationView => ({
  user: { id: user.id, displayName: user.username, name: user.username },
  temporaryAuthenticationToken: token,
  challenge,
  rp,
  authenticatorSelection: {
    residentKey: "preferred",
    requireResidentKey: false,
    userVerification: "required",
  },
  attestation: "none",
  pubKeyCredParams: AUTHENTICATOR_ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
  excludeCredentials: known
    .filter(({ kind }) => kind === "Fido2")
    .map((credential) => ({ type: "public-key", id: credential.id })),
});

/** The same for a person's first credentials. */
export const firstRegistrationView = (
  rp: RelyingPartyView,
  user: Registrant,
  challenge: { readonly challenge: string; readonly token: string },
): FirstRegistrationView => ({
  ...registrationView(rp, user, challenge, []),
  supportedCredentialKinds: { firstFactor: [...FACTORS], secondFactor: [...FACTORS] },
  otpUrl: "",
});
