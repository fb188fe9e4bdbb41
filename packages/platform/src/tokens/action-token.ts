import type { KeyObject } from "node:crypto";
import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { audienceOf, ISSUER } from "./claims.ts";

/**
 * The purposes of user action tokens. Each is an audience of its own, so that no token passes for another or for a bearer
 * token.
 */
export type ActionTokenKind = "challenge" | "useraction";

const audience = (clusterId: string, kind: ActionTokenKind): string => `${audienceOf(clusterId)}/${kind}`;

/** Makes the JWT that names a user action: the challenge's identifier, or the signed action. */
export const issueActionToken = (
  key: KeyObject,
  request: {
    readonly clusterId: string;
    readonly kind: ActionTokenKind;
    readonly actionId: string;
    readonly expires: Date;
  },
): Promise<string> =>
  new SignJWT({})
    .setProtectedHeader({ alg: "EdDSA", typ: "JWT" })
    .setIssuer(ISSUER)
    .setAudience(audience(request.clusterId, request.kind))
    .setJti(request.actionId)
    .setExpirationTime(Math.floor(request.expires.getTime() / 1_000))
    .sign(key);

/** The user action that a token names. */
export interface NamedAction {
  readonly id: string;
  readonly hasExpired: boolean;
}

/** Reads which user action a token names, also one that has expired; undefined if the token is invalid. */
export const readActionToken = async (
  key: KeyObject,
  token: string,
  expected: { readonly clusterId: string; readonly kind: ActionTokenKind; readonly now: Date },
): Promise<NamedAction | undefined> => {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ["EdDSA"],
      issuer: ISSUER,
      audience: audience(expected.clusterId, expected.kind),
      requiredClaims: ["jti", "exp"],
      currentDate: expected.now,
    });
    return named(payload, false);
  } catch (error) {
    // the signature, issuer and audience are judged before the expiry
    return error instanceof errors.JWTExpired ? named(error.payload, true) : undefined;
  }
};

const named = ({ jti: id }: JWTPayload, hasExpired: boolean): NamedAction | undefined =>
  id === undefined ? undefined : { id, hasExpired };
