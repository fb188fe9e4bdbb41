import type { KeyObject } from "node:crypto";
import { fail, ok, type Result } from "@conclave/custody";
import { errors, jwtVerify } from "jose";
import { audienceOf, type Caller, callerSchema, ISSUER, METADATA_CLAIM } from "./claims.ts";

export interface VerifierOptions {
  /** the public half of the gateway's token key */
  readonly key: KeyObject;
  readonly clusterId: string;
  readonly now: () => Date;
}

export type TokenVerifier = (token: string) => Promise<Result<Caller>>;

/**
 * Judges bearer tokens. Only EdDSA is accepted: an algorithm that the token itself chooses (none, HS256 over the
 * public key) is the classic way around a signature.
 * @returns TokenExpired for a good token whose time is over, and TokenInvalid for everything else
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
