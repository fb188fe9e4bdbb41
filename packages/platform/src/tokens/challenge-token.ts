import type { KeyObject } from "node:crypto";
import { organisationIdSchema, userIdSchema } from "@conclave/custody";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { audienceOf, ISSUER } from "./claims.ts";

/**
 * The purposes of challenges. Each is an audience of its own, so that no challenge passes for another or for a bearer token.
 */
const CHALLENGE_PURPOSES = [
  "login",
  "identity-provider",
  "credential",
  "credential-by-code",
  "registration",
  "recovery",
] as const;
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number];

const claimsSchema = z.object({
  jti: z.uuid(),
  exp: z.int(),
  challenge: z.string(),
  orgId: organisationIdSchema,
  /** the user whose credential is registered; a login challenge has none, so that it does not reveal whether the user exists */
  userId: userIdSchema.optional(),
  /** the username that the client gave for a login; absent if the credential itself knows its user */
  username: z.string().optional(),
  /** where the identity provider sends the person back; for its logins only */
  redirectUri: z.string().optional(),
  /** the client's own nonce for the ID token; for logins at an identity provider only */
  nonce: z.string().optional(),
  /** the kind of the credential to register */
  kind: z.string().optional(),
  /** the recovery key that must sign; for recoveries only */
  credentialId: z.string().optional(),
});

/** A challenge. Only its token stores it, so that requests for challenges need no storage. */
export interface PendingChallenge extends Readonly<Omit<z.infer<typeof claimsSchema>, "jti" | "exp">> {
  /** a uuid; stored once the challenge has been answered */
  readonly id: string;
  /** ISO 8601 UTC */
  readonly dateExpires: string;
}

const audience = (clusterId: string, purpose: ChallengePurpose): string =>
  `${audienceOf(clusterId)}/${purpose}`;

/** Makes the JWT that carries a challenge. Clients can read it, but not change it. */
export const issueChallengeToken = (
  key: KeyObject,
  clusterId: string,
  purpose: ChallengePurpose,
  { id, dateExpires, ...claims }: PendingChallenge,
): Promise<string> =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: "EdDSA", typ: "JWT" })
    .setIssuer(ISSUER)
    .setAudience(audience(clusterId, purpose))
    .setJti(id)
    .setExpirationTime(Math.floor(Date.parse(dateExpires) / 1_000))
    .sign(key);

/** Reads the challenge in a token; undefined if the token is invalid or has expired. */
export const readChallengeToken = async (
  key: KeyObject,
  token: string,
  expected: { readonly clusterId: string; readonly purpose: ChallengePurpose; readonly now: Date },
): Promise<PendingChallenge | undefined> => {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ["EdDSA"],
      issuer: ISSUER,
      audience: audience(expected.clusterId, expected.purpose),
      requiredClaims: ["jti", "exp"],
      currentDate: expected.now,
    });
    const claims = claimsSchema.safeParse(payload);
    if (!claims.success) return undefined;
    const { jti: id, exp, ...rest } = claims.data;
    return { id, dateExpires: new Date(exp * 1_000).toISOString(), ...rest };
  } catch {
    return undefined;
  }
};
