import {
  AUTHORISATION_AGE_MS_MAX,
  type AuthorisationDates,
  type AuthorisedAuxiliary,
  type AuthorisedExport,
  type AuthorisedImport,
  type AuthorisedKey,
  type AuthorisedKeyChange,
  type AuthorisedKeyDiscard,
  type AuthorisedSigning,
  authorisedAtMs,
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
  isForCluster,
  ok,
  type Result,
  type SignedAuthorisation,
} from "@conclave/custody";
import { verifyEd25519 } from "@conclave/threshold";
import { bytesToUtf8 } from "@noble/ciphers/utils.js";
import type { SignerConfig } from "../config.ts";
import {
  AUTHORISATION_BYTES_MAX,
  AUXILIARY_AGE_MS_MAX,
  CLOCK_SKEW_MS_MAX,
  KEY_CHANGE_AGE_MS_MAX,
  KEY_EXPORT_AGE_MS_MAX,
  KEY_IMPORT_AGE_MS_MAX,
  REQUEST_AGE_MS_MAX,
  SIGNING_AUTHORISATION_BYTES_MAX,
} from "../limits.ts";

const TOO_OLD = "The authorisation is too old.";

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(bytesToUtf8(bytes));
  } catch {
    return undefined;
  }
};

/** The part of a schema that is used here. The payload is parsed only after its signature was verified. */
interface Parser<T> {
  readonly safeParse: (value: unknown) => { readonly success: boolean; readonly data?: T | undefined };
}

interface Bounds {
  readonly bytesMax?: number;
  /** limit on the age of the request */
  readonly requestMsMax?: number;
  /** limit on the age of the authority's signature */
  readonly signedMsMax?: number;
}

/** A verified statement of the authority. */
interface Authorised<T> {
  readonly value: T;
  /** the date of the request, Unix milliseconds */
  readonly requestedAtMs: number;
  /** Unix milliseconds: when the authority signed */
  readonly signedAtMs: number;
  /** Unix milliseconds: from then on the request is too old, and may be forgotten */
  readonly forgetAtMs: number;
  /** Unix milliseconds: from then on the authorisation is too old */
  readonly lapsesAtMs: number;
}

const authorised = <T extends AuthorisationDates>(
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  parser: Parser<T>,
  nowMs: number,
  {
    bytesMax = AUTHORISATION_BYTES_MAX,
    requestMsMax = REQUEST_AGE_MS_MAX,
    signedMsMax = AUTHORISATION_AGE_MS_MAX,
  }: Bounds = {},
): Result<Authorised<T>> => {
  const { payload, signature } = authorisation;
  const isByAuthority = payload.length <= bytesMax && verifyEd25519(signature, payload, config.authorityKey);
  if (!isByAuthority) return fail("AuthorisationInvalid");
  const parsed = parser.safeParse(parseJson(payload));
  if (!parsed.success || parsed.data === undefined) {
    return fail("AuthorisationInvalid", {}, "The authorisation is of another kind or version.");
  }
  if (!isForCluster(parsed.data, config.clusterId)) {
    return fail("AuthorisationInvalid", {}, "The authorisation is for another cluster.");
  }
  const requestedAtMs = Date.parse(parsed.data.dateRequested);
  const forgetAtMs = requestedAtMs + requestMsMax;
  const signedAtMs = authorisedAtMs(parsed.data);
  const lapsesAtMs = signedAtMs + signedMsMax;
  // only the authority's own dates make a request invalid for good, as this clock may be wrong
  if (signedAtMs >= forgetAtMs) return fail("AuthorisationInvalid", {}, TOO_OLD);
  if (!(nowMs < Math.min(lapsesAtMs, forgetAtMs))) return fail("AuthorisationNotCurrent");
  if (Math.max(requestedAtMs, signedAtMs) > nowMs + CLOCK_SKEW_MS_MAX) {
    return fail("AuthorisationNotCurrent", {}, "The authorisation is of the future, by this signer's clock.");
  }
  return ok({ value: parsed.data, requestedAtMs, signedAtMs, forgetAtMs, lapsesAtMs });
};

/**
 * Verifies an authorisation to sign (INV-3, INV-8). AuthorisationInvalid when the signature or the form is wrong, or
 * the request was too old when the authority signed; AuthorisationNotCurrent when the signature is not recent by this
 * clock.
 */
export const authorisedSigning = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<Authorised<AuthorisedSigning>> =>
  authorised(config, authorisation, authorisedSigningSchema, nowMs, {
    bytesMax: SIGNING_AUTHORISATION_BYTES_MAX,
  });

/** Verifies the authorisation of a new key; AuthorisationInvalid otherwise. */
export const authorisedKey = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: AuthorisedKey }> => authorised(config, authorisation, authorisedKeySchema, nowMs);

/** Verifies a recent authorisation of an import; AuthorisationInvalid otherwise. */
export const authorisedImport = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: AuthorisedImport }> =>
  authorised(config, authorisation, authorisedImportSchema, nowMs, { requestMsMax: KEY_IMPORT_AGE_MS_MAX });

/** Verifies a recent authorisation of an export; AuthorisationInvalid otherwise. */
export const authorisedExport = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: AuthorisedExport }> =>
  authorised(config, authorisation, authorisedExportSchema, nowMs, { requestMsMax: KEY_EXPORT_AGE_MS_MAX });

/** Verifies a recent authorisation of new auxiliary information; AuthorisationInvalid otherwise. */
export const authorisedAuxiliary = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: AuthorisedAuxiliary }> =>
  authorised(config, authorisation, authorisedAuxiliarySchema, nowMs, { requestMsMax: AUXILIARY_AGE_MS_MAX });

/** Verifies a recent authorisation of a key's new epoch; AuthorisationInvalid otherwise. */
export const authorisedKeyChange = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: AuthorisedKeyChange }> =>
  authorised(config, authorisation, authorisedKeyChangeSchema, nowMs, {
    requestMsMax: KEY_CHANGE_AGE_MS_MAX,
  });

/** Verifies a recent authorisation to discard a session's new shares; AuthorisationInvalid otherwise. */
export const authorisedKeyDiscard = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: AuthorisedKeyDiscard }> =>
  authorised(config, authorisation, authorisedKeyDiscardSchema, nowMs, {
    requestMsMax: KEY_CHANGE_AGE_MS_MAX,
  });

/**
 * Verifies the authority's statement on dead transactions; AuthorisationInvalid otherwise. They stay dead, so it is
 * valid for as long as a request.
 */
export const authorisedDeadTransactions = (
  config: SignerConfig,
  authorisation: SignedAuthorisation,
  nowMs: number,
): Result<{ readonly value: DeadTransactions }> =>
  authorised(config, authorisation, deadTransactionsSchema, nowMs, { signedMsMax: REQUEST_AGE_MS_MAX });
