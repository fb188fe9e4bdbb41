import { createHash } from "node:crypto";
import { type CredentialInfo, fail, type NewCredential, ok, type Result } from "@conclave/custody";
import { verifyRegistrationResponse } from "@simplewebauthn/server";
import { decodeAttestationObject } from "@simplewebauthn/server/helpers";
import { z } from "zod";
import { isClientDataOf, isCrossOrigin, isIssuedChallenge, readJson } from "./client-data.ts";
import { pemOfCoseKey } from "./cose-key.ts";
import { readPublicKey } from "./public-key.ts";
import { algorithmSchema, signatureHolds } from "./signature.ts";

/** A domain for which authenticators may be registered, and the only origin of its pages. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** The public key of a new credential, after its holder signed the challenge of the registration. */
export interface AuthenticatorKey {
  /** SPKI in PEM */
  readonly publicKey: string;
  readonly relyingPartyId: string;
  readonly origin: string;
  readonly signCount: number;
  readonly coseKey: Uint8Array | undefined;
}

/** COSE algorithms that are requested of authenticators: ES256, EdDSA, RS256. */
export const AUTHENTICATOR_ALGORITHMS: readonly number[] = [-7, -8, -257];

/**
 * Accepted attestation formats. No attestation is requested, but some authenticators still send their own signature
 * ("packed").
 */
const FORMATS: readonly string[] = ["none", "packed"];

const refused = (reason: string): Result<never> => fail("CredentialRefused", { reason });

/**
 * Judges a new credential's signature over its challenge (wire interface, section B.6). @returns CredentialRefused,
 * with the reason
 */
export const judgeAttestation = (
  { credentialKind, credentialInfo }: NewCredential,
  challenge: string,
  relyingParties: readonly RelyingParty[],
): Promise<Result<AuthenticatorKey>> =>
  credentialKind === "Fido2"
    ? judgeAuthenticator(credentialInfo, challenge, relyingParties)
    : Promise.resolve(judgeKey(credentialInfo, challenge));

const keyAttestationSchema = z.looseObject({
  publicKey: z.string(),
  /** hex: DER for ECDSA, raw for Ed25519 */
  signature: z.string().regex(/^(0x)?([0-9a-f]{2})+$/i),
  algorithm: algorithmSchema.optional(),
});

/** Judges the attestation of a plain key: the key signs a text with the hash of its client data and its own public key. */
const judgeKey = (info: CredentialInfo, challenge: string): Result<AuthenticatorKey> => {
  if (!isClientDataOf(info.clientData, "key.create", challenge)) {
    return refused("clientData is not of this challenge, or not of the type key.create");
  }
  const attestation = keyAttestationSchema.safeParse(readJson(info.attestationData));
  if (!attestation.success) return refused("attestationData is not {publicKey, signature in hex}");
  const { publicKey: pem, signature, algorithm } = attestation.data;
  const publicKey = readPublicKey(pem);
  if (!publicKey.ok) return publicKey;
  const clientDataHash = createHash("sha256").update(Buffer.from(info.clientData, "base64url")).digest("hex");
  const signed = Buffer.from(JSON.stringify({ clientDataHash, publicKey: pem }), "utf8");
  const raw = Buffer.from(signature.replace(/^0x/i, ""), "hex");
  if (!signatureHolds(publicKey.value, signed, raw, algorithm)) return refused("the signature does not hold");
  return ok({
    publicKey: publicKey.value,
    relyingPartyId: "",
    origin: "",
    signCount: 0,
    coseKey: undefined,
  });
};

/** Web Authentication Level 3, section 7.1. */
const judgeAuthenticator = async (
  { credId, clientData, attestationData }: CredentialInfo,
  challenge: string,
  relyingParties: readonly RelyingParty[],
): Promise<Result<AuthenticatorKey>> => {
  if (isCrossOrigin(clientData)) return refused("it was asked for in a frame of another origin");
  const response = { clientDataJSON: clientData, attestationObject: attestationData };
  try {
    // other formats contain certificates, whose revocation lists the library would fetch from any URL in them
    const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationData, "base64url")));
    if (!FORMATS.includes(attestation.get("fmt"))) return refused("no attestation was asked for");
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { id: credId, rawId: credId, type: "public-key", response, clientExtensionResults: {} },
      expectedChallenge: (found) => isIssuedChallenge(found, challenge),
      expectedOrigin: relyingParties.map(({ origin }) => origin),
      expectedRPID: relyingParties.map(({ id }) => id),
      requireUserVerification: true,
      supportedAlgorithmIDs: [...AUTHENTICATOR_ALGORITHMS],
    });
    if (registrationInfo === undefined) return refused("the attestation does not hold");
    const { credential, origin, rpID = "" } = registrationInfo;
    if (credential.id !== credId) return refused("credId is not the authenticator's");
    if (!relyingParties.some((party) => party.id === rpID && party.origin === origin)) {
      return refused("the origin is of another relying party");
    }
    return ok({
      publicKey: pemOfCoseKey(credential.publicKey),
      relyingPartyId: rpID,
      origin,
      signCount: credential.counter,
      coseKey: credential.publicKey,
    });
  } catch (error) {
    // the library reports a failed check by an exception; its message quotes only what the client sent
    return refused(error instanceof Error ? error.message.slice(0, MOST_REASON) : "not an attestation");
  }
};

const MOST_REASON = 200;
