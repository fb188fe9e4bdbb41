import type { KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { audienceOf, type Caller, ISSUER, METADATA_CLAIM, USERNAME_CLAIM } from "./claims.ts";

export interface TokenRequest {
  readonly clusterId: string;
  readonly caller: Caller;
  /** a name for people, such as "dev" */
  readonly username: string;
  readonly issuedAt: Date;
  readonly lifetimeSeconds: number;
}

/**
 * Makes a bearer token: a JWT signed with the gateway's Ed25519 token key (wire interface, section B.2). The token is
 * not stored: anyone who holds it counts as the caller until it expires.
 */
export const issueToken = (key: KeyObject, request: TokenRequest): Promise<string> => {
  const issuedAt = Math.floor(request.issuedAt.getTime() / 1_000);
  return new SignJWT({ [USERNAME_CLAIM]: request.username, [METADATA_CLAIM]: { ...request.caller } })
    .setProtectedHeader({ alg: "EdDSA", typ: "JWT" })
    .setIssuer(ISSUER)
    .setAudience(audienceOf(request.clusterId))
    .setSubject(request.caller.orgId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + request.lifetimeSeconds)
    .sign(key);
};
