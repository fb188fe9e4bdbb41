import { z } from "zod";

/** More renewals than a cluster ever has. The number is bounded because signers try the identities of every period. */
export const RENEWALS_MAX = 128;

/** A renewal of a signer's identity, as the roster records it. */
const identityRenewalSchema = z.strictObject({
  /** the signer's index */
  signer: z.int().positive(),
  /** Ed25519, lower-case hex: the identity that the renewal replaced */
  identityKey: z.string().regex(/^[0-9a-f]{64}$/, "is not 32 bytes of lower-case hex"),
  /** ISO 8601 UTC, by the clock of the machine that ran the renewal command */
  date: z.iso.datetime(),
  /** by the authority's key, over the bytes that roster-history.ts defines; lower-case hex */
  signature: z.string().regex(/^[0-9a-f]{128}$/, "is not 64 bytes of lower-case hex"),
});
export const identityRenewalsSchema = z.array(identityRenewalSchema).max(RENEWALS_MAX);
export type IdentityRenewal = Readonly<z.infer<typeof identityRenewalSchema>>;
