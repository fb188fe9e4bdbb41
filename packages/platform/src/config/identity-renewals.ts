import { z } from "zod";

/** More renewals than a cluster ever has: signers try the identities of each time. */
export const RENEWALS_MAX = 128;

/** A signer's identity that was renewed, as the roster keeps it. */
const identityRenewalSchema = z.strictObject({
  /** its index */
  signer: z.int().positive(),
  /** Ed25519, lower-case hex: the identity that it had until then */
  identityKey: z.string().regex(/^[0-9a-f]{64}$/, "is not 32 bytes of lower-case hex"),
  /** ISO 8601 UTC, by the clock of the command */
  date: z.iso.datetime(),
  /** of the authority's key over the bytes of roster-history.ts, lower-case hex */
  signature: z.string().regex(/^[0-9a-f]{128}$/, "is not 64 bytes of lower-case hex"),
});
export const identityRenewalsSchema = z.array(identityRenewalSchema).max(RENEWALS_MAX);
export type IdentityRenewal = Readonly<z.infer<typeof identityRenewalSchema>>;
