import type { KeyObject } from "node:crypto";
import { fail, ok, type Result } from "@conclave/custody";
import { decodeJwt, errors, jwtVerify } from "jose";
import { audienceOf, type Caller, callerSchema, ISSUER, METADATA_CLAIM } from "./claims.ts";

const MILLISECONDS = 1_000;

export interface VerifierOptions {
  /** the gateway's public token key */
  readonly key: KeyObject;
  readonly clusterId: string;
  readonly now: () => Date;
}

export type TokenVerifier = (token: string) => Promise<Result<Caller>>;

/**
 * Makes a verifier of bearer tokens. Only EdDSA is accepted: letting the token choose its algorithm (none, HS256 over the
 * public key) is the classic way around a signature.
 * @returns TokenExpired for a valid token that has expired, and TokenInvalid for anything else
 */
export const makeTokenVerifier =
  (options: VerifierOptions): TokenVerifier =>
  async (token) => {
    try {
      const { payload } = await jwtVerify(token, options.key, {
        algorithms: ["EdDSA"],
        issuer: ISSUER,
        audience: audienceOf(options.clusterId),
        requiredClaims: ["sub", "exp", METADATA_CLAIM],
        currentDate: options.now(),
      });
      const caller = callerSchema.safeParse(payload[METADATA_CLAIM]);
      return caller.success ? ok(caller.data) : fail("TokenInvalid");
    } catch (error) {
      return fail(error instanceof errors.JWTExpired ? "TokenExpired" : "TokenInvalid");
    }
  };

/** The issue time that a verified token states (ISO 8601 UTC); the earliest time if it states none. */
export const dateIssuedOf = (verified: string): string =>
  new Date((decodeJwt(verified).iat ?? 0) * MILLISECONDS).toISOString();
