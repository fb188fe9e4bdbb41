import { z } from "zod";
import { keyIdSchema, organisationIdSchema, transferIdSchema, walletIdSchema } from "./identifiers.ts";
import { policyDecisionSchema } from "./policy.ts";

const digits = z.string().regex(/^[1-9][0-9]{0,77}$/);
const evmAddress = z.string().regex(/^0x[0-9a-f]{40}$/);

/**
 * What the gateway's authority key signs once a request has passed schema, permission and policy, and what every
 * signer checks for itself (INV-3, INV-8). The signed bytes are the JSON text as it travels; it is parsed only
 * after the signature has been verified.
 */
export const authorisedTransferSchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal("transfer"),
  requestId: transferIdSchema,
  orgId: organisationIdSchema,
  walletId: walletIdSchema,
  keyId: keyIdSchema,
  network: z.string(),
  /** addresses in lower case */
  transfer: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("Native"), to: evmAddress, amount: digits }),
    z.strictObject({ kind: z.literal("Erc20"), contract: evmAddress, to: evmAddress, amount: digits }),
  ]),
  policy: policyDecisionSchema,
  dateRequested: z.string(),
});
export type AuthorisedTransfer = z.infer<typeof authorisedTransferSchema>;

export const authorisedKeySchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal("key"),
  orgId: organisationIdSchema,
  walletId: walletIdSchema,
  keyId: keyIdSchema,
  curve: z.literal("secp256k1"),
  scheme: z.literal("ECDSA"),
  threshold: z.int().min(2).max(64),
  policy: policyDecisionSchema,
  dateRequested: z.string(),
});
export type AuthorisedKey = z.infer<typeof authorisedKeySchema>;

/** A request as it travels: the JSON bytes and the authority's Ed25519 signature over them. */
export interface SignedAuthorisation {
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
}
