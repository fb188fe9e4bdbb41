import { isPlainText } from "@conclave/custody";
import type { Credential } from "@conclave/platform";
import { verifyAuthenticationResponse } from "@simplewebauthn/server";
import { z } from "zod";
import { isClientDataOf, isCrossOrigin, isIssuedChallenge } from "./client-data.ts";
import { algorithmSchema, signatureHolds } from "./signature.ts";

const LONGEST = 8_192;
const base64url = z
  .string()
  .max(LONGEST)
  .regex(/^[A-Za-z0-9_-]+={0,2}$/, "is not base64url");

const assertion = {
  /** it is looked up as received */
  credId: z.string().max(LONGEST).refine(isPlainText, "is no credId"),
  clientData: base64url,
  signature: base64url,
  algorithm: algorithmSchema.optional(),
};

/**
 * A credential's signature over a challenge (wire interface, section B.3, step 4). Passwords and one-time codes are not
 * accepted here, as they do not depend on the request.
 */
export const factorSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("Key"), credentialAssertion: z.strictObject(assertion) }),
  z.strictObject({ kind: z.literal("PasswordProtectedKey"), credentialAssertion: z.strictObject(assertion) }),
  z.strictObject({
    kind: z.literal("Fido2"),
    credentialAssertion: z.strictObject({
      ...assertion,
      authenticatorData: base64url,
      /** some client libraries send an empty one */
      userHandle: z.string().max(LONGEST).optional(),
    }),
  }),
]);
export type Factor = z.infer<typeof factorSchema>;

/** The verdict on a signature; with the authenticator's signature count, 0 for keys. */
export type AssertionVerdict =
  | { readonly holds: true; readonly signCount: number }
  | { readonly holds: false };

const REFUSED: AssertionVerdict = { holds: false };

/** Whether a factor is a signature by this credential over this challenge (wire interface, section B.4). */
export const judgeAssertion = async (
  credential: Credential,
  factor: Factor,
  challenge: string,
): Promise<AssertionVerdict> => {
  if (credential.kind !== factor.kind || credential.id !== factor.credentialAssertion.credId) return REFUSED;
  if (factor.kind === "Fido2") return judgeAuthenticator(credential, factor, challenge);
  const { clientData, signature, algorithm } = factor.credentialAssertion;
  if (!isClientDataOf(clientData, "key.get", challenge)) return REFUSED;
  const signed = signatureHolds(
    credential.publicKey,
    Buffer.from(clientData, "base64url"),
    Buffer.from(signature, "base64url"),
    algorithm,
  );
  return signed ? { holds: true, signCount: 0 } : REFUSED;
};

/**
 * Web Authentication Level 3, section 7.2: origin and relying party must be those of the registration, and the user
 * verified.
 */
const judgeAuthenticator = async (
  { id, coseKey, signCount, origin, relyingPartyId }: Credential,
  { credentialAssertion: { clientData, authenticatorData, signature } }: Extract<Factor, { kind: "Fido2" }>,
  challenge: string,
): Promise<AssertionVerdict> => {
  if (coseKey === undefined || isCrossOrigin(clientData)) return REFUSED;
  const response = { clientDataJSON: clientData, authenticatorData, signature };
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: "public-key", response, clientExtensionResults: {} },
      expectedChallenge: (found) => isIssuedChallenge(found, challenge),
      expectedOrigin: origin,
      expectedRPID: relyingPartyId,
      credential: { id, publicKey: new Uint8Array(coseKey), counter: signCount },
      requireUserVerification: true,
    });
    return verified ? { holds: true, signCount: authenticationInfo.newCounter } : REFUSED;
  } catch {
    // the library reports a failed check by an exception
    return REFUSED;
  }
};
