import { z } from "zod";
import {
  keyChangeIdSchema,
  keyExportIdSchema,
  keyIdSchema,
  keyImportIdSchema,
  organisationIdSchema,
  signatureIdSchema,
  transferIdSchema,
  walletIdSchema,
} from "../identifiers.ts";
import { policyDecisionSchema } from "../policies/policy-decision.ts";

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
    z.strictObject({
      kind: z.literal("Erc721"),
      contract: evmAddress,
      /** the wallet's own address: an operator could move a stranger's token otherwise */
      from: evmAddress,
      to: evmAddress,
      tokenId: z.string().regex(/^(0|[1-9][0-9]{0,77})$/),
    }),
  ]),
  policy: policyDecisionSchema,
  dateRequested: z.string(),
});
export type AuthorisedTransfer = z.infer<typeof authorisedTransferSchema>;

const keyFields = {
  version: z.literal(1),
  kind: z.literal("key"),
  orgId: organisationIdSchema,
  /** of requests that were accepted before keys were resources of their own */
  walletId: walletIdSchema.optional(),
  keyId: keyIdSchema,
  threshold: z.int().min(2).max(64),
  policy: policyDecisionSchema,
  dateRequested: z.string(),
};
const secp256k1 = z.literal("secp256k1");

/** What the key shall sign with, and on which curve: "ECDSA" is made and signed with by CGGMP24. */
export const authorisedKeySchema = z.discriminatedUnion("scheme", [
  z.strictObject({ ...keyFields, scheme: z.literal("ECDSA"), curve: secp256k1 }),
  z.strictObject({ ...keyFields, scheme: z.literal("FROST-Ed25519"), curve: z.literal("ed25519") }),
  z.strictObject({ ...keyFields, scheme: z.enum(["FROST-BIP340", "FROST-Taproot"]), curve: secp256k1 }),
]);
export type AuthorisedKey = z.infer<typeof authorisedKeySchema>;

/** The largest message that is signed as such, in bytes. */
export const MESSAGE_BYTES_MAX: number = 64 * 1024;

/**
 * A message to sign as it is: Ed25519 takes it whole (RFC 8032), BIP-340 and Taproot keys sign it as BIP-340's message.
 * It stands here in full, so a signer signs the very bytes that were authorised, and no caller hands in others (INV-3,
 * INV-8). A Bitcoin transaction is not signed this way: its 32-byte signature hash would be a message that nobody read.
 */
export const authorisedMessageSchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal("message"),
  requestId: signatureIdSchema,
  orgId: organisationIdSchema,
  keyId: keyIdSchema,
  /** of the key */
  scheme: z.enum(["FROST-Ed25519", "FROST-BIP340", "FROST-Taproot"]),
  /** lower-case hex, at most MESSAGE_BYTES_MAX bytes */
  message: z
    .string()
    .max(2 * MESSAGE_BYTES_MAX)
    .regex(/^[0-9a-f]*$/)
    .refine((digits) => digits.length % 2 === 0),
  policy: policyDecisionSchema,
  dateRequested: z.string(),
});
export type AuthorisedMessage = z.infer<typeof authorisedMessageSchema>;

/**
 * A new epoch of a key: new shares for its holders (refresh), or shares dealt out anew so that a signer which lost its
 * own has one again (reshare). It holds for this very key in this very epoch, and so once.
 */
export const authorisedKeyChangeSchema = z.strictObject({
  version: z.literal(1),
  kind: z.enum(["key-refresh", "key-reshare"]),
  requestId: keyChangeIdSchema,
  keyId: keyIdSchema,
  /** lower-case hex, as the signers store it */
  publicKey: z.string().regex(/^([0-9a-f]{2}){32,33}$/),
  /** the epoch as it is; the new one is the next */
  epoch: z
    .int()
    .min(1)
    .max(2 ** 32 - 2),
  threshold: z.int().min(2).max(64),
  /** roster indices of all that will hold a share, ascending */
  parties: z.array(z.int().min(1).max(64)).min(2).max(64),
  dateRequested: z.string(),
});
export type AuthorisedKeyChange = z.infer<typeof authorisedKeyChangeSchema>;

/**
 * New shares that a session made, or is making, are not wanted. It takes the authority, for who could have some signers
 * discard theirs and others activate them would leave too few of each epoch, and no key at all.
 */
export const authorisedKeyDiscardSchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal("key-discard"),
  requestId: keyChangeIdSchema,
  keyId: keyIdSchema,
  /** the session, in lower-case hex */
  session: z.string().regex(/^[0-9a-f]{64}$/),
  dateRequested: z.string(),
});
export type AuthorisedKeyDiscard = z.infer<typeof authorisedKeyDiscardSchema>;

const importFields = {
  version: z.literal(1),
  kind: z.literal("key-import"),
  requestId: keyImportIdSchema,
  orgId: organisationIdSchema,
  keyId: keyIdSchema,
  threshold: z.int().min(2).max(64),
  /** the encrypted shares, one for every signer of the cluster, in the order of the client */
  shares: z
    .array(
      z.strictObject({
        /** standard base64 of the signer's id, as clients are shown it */
        signerId: z.base64().max(88),
        /** SHA-256 of the encrypted share, lower-case hex: a signer opens this one and no other */
        digest: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .min(2)
    .max(64),
  policy: policyDecisionSchema,
  dateRequested: z.string(),
};

/**
 * A key that a client sharded for the signers of this cluster. The protocol and curve are the client's words for the
 * scheme: what the key will sign with. It holds for these very envelopes, and once, for the key's id is new.
 */
export const authorisedImportSchema = z.discriminatedUnion("scheme", [
  z.strictObject({
    ...importFields,
    scheme: z.literal("ECDSA"),
    protocol: z.enum(["CGGMP21", "CGGMP24"]),
    curve: secp256k1,
  }),
  z.strictObject({
    ...importFields,
    scheme: z.literal("FROST-Ed25519"),
    protocol: z.literal("FROST"),
    curve: z.literal("ed25519"),
  }),
  z.strictObject({
    ...importFields,
    scheme: z.literal("FROST-Taproot"),
    protocol: z.literal("FROST_BITCOIN"),
    curve: secp256k1,
  }),
]);
export type AuthorisedImport = z.infer<typeof authorisedImportSchema>;

/**
 * A key leaves the cluster: every signer that allows it seals its share for one client. Whoever holds the other half of
 * the encryption key has the whole key once t of them did.
 */
export const authorisedExportSchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal("key-export"),
  requestId: keyExportIdSchema,
  orgId: organisationIdSchema,
  keyId: keyIdSchema,
  /** the client's words for the key's scheme */
  protocol: z.enum(["CGGMP21", "CGGMP24", "FROST", "FROST_BITCOIN"]),
  curve: z.enum(["secp256k1", "ed25519"]),
  /** the client's, lower-case hex: 01, then a point of secp256k1, compressed or not */
  encryptionKey: z.string().regex(/^01(0[23][0-9a-f]{64}|04[0-9a-f]{128})$/),
  /** whether the chain code goes with each share: clients from before 2025 do not know the field */
  withChainCode: z.boolean(),
  policy: policyDecisionSchema,
  dateRequested: z.string(),
});
export type AuthorisedExport = z.infer<typeof authorisedExportSchema>;

/** A request as it travels: the JSON bytes and the authority's Ed25519 signature over them. */
export interface SignedAuthorisation {
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
}
