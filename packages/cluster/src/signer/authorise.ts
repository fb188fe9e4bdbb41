import {
  type AuthorisedKey,
  type AuthorisedTransfer,
  authorisedKeySchema,
  authorisedTransferSchema,
  fail,
  ok,
  type Result,
  type SignedAuthorisation,
} from "@conclave/custody";
import { bytesToUtf8 } from "@noble/ciphers/utils.js";
import { ed25519 } from "@noble/curves/ed25519.js";
import type { SignerConfig } from "./config.ts";
import { AUTHORISATION_AGE_MS_MAX, AUTHORISATION_BYTES_MAX } from "./limits.ts";

const isByAuthority = (config: SignerConfig, { payload, signature }: SignedAuthorisation): boolean => {
  if (payload.length > AUTHORISATION_BYTES_MAX) return false;
  try {
    return ed25519.verify(signature, payload, config.authorityKey, { zip215: false });
  } catch {
    return false; // of an impossible length
  }
};

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(bytesToUtf8(bytes));
  } catch {
    return undefined;
  }
};

/** The two schemas have one shape of `safeParse`; nothing is parsed before the signature stands. */
interface Parser<T> {
  readonly safeParse: (value: unknown) => { readonly success: boolean; readonly data?: T | undefined };
}

const authorised = <T extends { readonly dateRequested: string }>(
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  parser: Parser<T>,
  nowMs: number,
): Result<{ readonly value: T; readonly forgetAtMs: number }> => {
  if (!isByAuthority(config, authorisation)) return fail("AuthorisationInvalid");
  const parsed = parser.safeParse(parseJson(authorisation.payload));
  if (!parsed.success || parsed.data === undefined) {
    return fail("AuthorisationInvalid", {}, "The authorisation is of another kind or version.");
  }
  const requestedAtMs = Date.parse(parsed.data.dateRequested);
  const forgetAtMs = requestedAtMs + AUTHORISATION_AGE_MS_MAX;
  // A request is forgotten at this age, and its nonce with it: signing it again could make a second transaction (INV-4).
  if (!(nowMs < forgetAtMs)) return fail("AuthorisationInvalid", {}, "The authorisation is too old.");
  return ok({ value: parsed.data, forgetAtMs });
};

/**
 * The transfer that the authority authorised (INV-3, INV-8), and until when its request must be remembered, Unix
 * milliseconds. AuthorisationInvalid when the signature, the form or the age is wrong.
 */
export const authorisedTransfer = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: AuthorisedTransfer; readonly forgetAtMs: number }> =>
  authorised(config, authorisation, authorisedTransferSchema, nowMs);

/** The key that the authority authorised; AuthorisationInvalid otherwise. */
export const authorisedKey = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: AuthorisedKey }> => authorised(config, authorisation, authorisedKeySchema, nowMs);
