import { TAGS_MAX, walletIdSchema } from "@conclave/custody";
import { z } from "@hono/zod-openapi";

export const walletParams = z.object({
  walletId: walletIdSchema,
});

/** The Wallet of the interface, with the additions of wire interface section G. */
export const walletSchema = z
  .object({
    id: z.string(),
    network: z.string(),
    status: z.enum(["Active", "Archived"]),
    name: z.string().optional(),
    externalId: z.string().optional(),
    address: z.string().optional().openapi({ description: "Absent on pseudo networks" }),
    signingKey: z.object({
      id: z.string(),
      scheme: z.enum(["ECDSA", "EdDSA", "Schnorr"]),
      curve: z.enum(["secp256k1", "ed25519"]),
      publicKey: z.string().openapi({
        description: "Hex without 0x: a 33-byte compressed point of secp256k1, or 32 bytes of Ed25519",
      }),
      delegatedTo: z.string().optional(),
    }),
    custodial: z.boolean(),
    imported: z.boolean(),
    exported: z.boolean(),
    dateExported: z.string().optional(),
    tags: z.array(z.string()).max(TAGS_MAX).readonly(),
    dateCreated: z.string(),
    dateDeleted: z.string().optional(),
  })
  .openapi("Wallet");

export const walletListSchema = z.object({
  items: z.array(walletSchema).readonly(),
  nextPageToken: z.string().optional(),
});

export const delegatedWalletSchema = z.object({ walletId: z.string(), status: z.enum(["Delegated"]) });

/** The answer of operations that have nothing to say. */
export const nothingSchema = z.object({});
