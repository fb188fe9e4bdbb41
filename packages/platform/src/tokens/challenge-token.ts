import type { KeyObject } from "node:crypto";
import { organisationIdSchema, userIdSchema } from "@conclave/custody";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { audienceOf, ISSUER } from "./claims.ts";

/** What a challenge is for; each is its own audience, so that none passes for another, or for a bearer token. */
const CHALLENGE_PURPOSES = ["login", "credential", "registration"] as const;
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number];

const claimsSchema = z.object({
  jti: z.uuid(),
  exp: z.int(),
  challenge: z.string(),
  orgId: organisationIdSchema,
  /** whose credential is registered; a challenge to log in tells nobody whether there is such a user */
  userId: userIdSchema.optional(),
  /** who wants to log in, as they said; nobody in particular with a credential that knows its user */
  username: z.string().optional(),
  /** the kind of the credential that is registered */
  kind: z.string().optional(),
});

/** A challenge that is nowhere but in its token, so that asking for one costs no storage. */
export interface PendingChallenge extends Readonly<Omit<z.infer<typeof claimsSchema>, "jti" | "exp">> {
  /** uuid: what is remembered once it was answered */
  readonly id: string;
  /** ISO 8601 UTC */
  readonly dateExpires: string;
}

const audience = (clusterId: string, purpose: ChallengePurpose): string =>
  `${audienceOf(clusterId)}/${purpose}`;

/** Makes the JWT that carries a challenge. Clients read it and cannot change it. */
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

/** The challenge in a token, or undefined for a token that is not good, or no longer. */
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
