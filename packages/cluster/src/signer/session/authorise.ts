import {
  type AuthorisedAuxiliary,
  type AuthorisedExport,
  type AuthorisedImport,
  type AuthorisedKey,
  type AuthorisedKeyChange,
  type AuthorisedKeyDiscard,
  type AuthorisedSigning,
  authorisedAuxiliarySchema,
  authorisedExportSchema,
  authorisedImportSchema,
  authorisedKeyChangeSchema,
  authorisedKeyDiscardSchema,
  authorisedKeySchema,
  authorisedSigningSchema,
  type DeadTransactions,
  deadTransactionsSchema,
  fail,
  ok,
  type Result,
  type SignedAuthorisation,
} from "@conclave/custody";
import { verifyEd25519 } from "@conclave/threshold";
import { bytesToUtf8 } from "@noble/ciphers/utils.js";
import type { SignerConfig } from "../config.ts";
import {
  AUTHORISATION_AGE_MS_MAX,
  AUTHORISATION_BYTES_MAX,
  AUXILIARY_AGE_MS_MAX,
  KEY_CHANGE_AGE_MS_MAX,
  KEY_EXPORT_AGE_MS_MAX,
  KEY_IMPORT_AGE_MS_MAX,
  MESSAGE_AUTHORISATION_BYTES_MAX,
} from "../limits.ts";

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(bytesToUtf8(bytes));
  } catch {
    return undefined;
  }
};

/** The schemas have one shape of `safeParse`; nothing is parsed before the signature stands. */
interface Parser<T> {
  readonly safeParse: (value: unknown) => { readonly success: boolean; readonly data?: T | undefined };
}

const authorised = <T extends { readonly dateRequested: string }>(
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  parser: Parser<T>,
  nowMs: number,
  bytesMax = AUTHORISATION_BYTES_MAX,
  ageMsMax = AUTHORISATION_AGE_MS_MAX,
): Result<{ readonly value: T; readonly forgetAtMs: number }> => {
  const { payload, signature } = authorisation;
  const isByAuthority = payload.length <= bytesMax && verifyEd25519(signature, payload, config.authorityKey);
  if (!isByAuthority) return fail("AuthorisationInvalid");
  const parsed = parser.safeParse(parseJson(payload));
  if (!parsed.success || parsed.data === undefined) {
    return fail("AuthorisationInvalid", {}, "The authorisation is of another kind or version.");
  }
  const requestedAtMs = Date.parse(parsed.data.dateRequested);
  const forgetAtMs = requestedAtMs + ageMsMax;
  // A request is forgotten at this age, and its nonce with it: signing it again could make a second transaction (INV-4).
  if (!(nowMs < forgetAtMs)) return fail("AuthorisationInvalid", {}, "The authorisation is too old.");
  return ok({ value: parsed.data, forgetAtMs });
};

/**
 * What the authority authorised to be signed (INV-3, INV-8), and until when its request must be remembered, Unix
 * milliseconds. AuthorisationInvalid when the signature, the form or the age is wrong.
 */
export const authorisedSigning = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: AuthorisedSigning; readonly forgetAtMs: number }> =>
  authorised(config, authorisation, authorisedSigningSchema, nowMs, MESSAGE_AUTHORISATION_BYTES_MAX);

/** The key that the authority authorised; AuthorisationInvalid otherwise. */
export const authorisedKey = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: AuthorisedKey }> => authorised(config, authorisation, authorisedKeySchema, nowMs);

/** The import that the authority authorised, not long ago; AuthorisationInvalid otherwise. */
export const authorisedImport = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: AuthorisedImport }> =>
  authorised(
    config,
    authorisation,
    authorisedImportSchema,
    nowMs,
    AUTHORISATION_BYTES_MAX,
    KEY_IMPORT_AGE_MS_MAX,
  );

/** The export that the authority authorised, not long ago; AuthorisationInvalid otherwise. */
export const authorisedExport = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: AuthorisedExport }> =>
  authorised(
    config,
    authorisation,
    authorisedExportSchema,
    nowMs,
    AUTHORISATION_BYTES_MAX,
    KEY_EXPORT_AGE_MS_MAX,
  );

/** The new auxiliary information that the authority authorised, not long ago; AuthorisationInvalid otherwise. */
export const authorisedAuxiliary = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: AuthorisedAuxiliary }> =>
  authorised(
    config,
    authorisation,
    authorisedAuxiliarySchema,
    nowMs,
    AUTHORISATION_BYTES_MAX,
    AUXILIARY_AGE_MS_MAX,
  );

/** The new epoch of a key that the authority authorised, not long ago; AuthorisationInvalid otherwise. */
export const authorisedKeyChange = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: AuthorisedKeyChange }> =>
  authorised(
    config,
    authorisation,
    authorisedKeyChangeSchema,
    nowMs,
    AUTHORISATION_BYTES_MAX,
    KEY_CHANGE_AGE_MS_MAX,
  );

/** Which session's new shares the authority does not want, not long ago; AuthorisationInvalid otherwise. */
export const authorisedKeyDiscard = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: AuthorisedKeyDiscard }> =>
  authorised(
    config,
    authorisation,
    authorisedKeyDiscardSchema,
    nowMs,
    AUTHORISATION_BYTES_MAX,
    KEY_CHANGE_AGE_MS_MAX,
  );

/** The transactions that the authority has seen to be dead; AuthorisationInvalid otherwise. */
export const authorisedDeadTransactions = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: DeadTransactions }> =>
  authorised(config, authorisation, deadTransactionsSchema, nowMs);
