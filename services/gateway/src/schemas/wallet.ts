import { walletIdSchema } from "@conclave/custody";
import { z } from "@hono/zod-openapi";

export const walletParams = z.object({
  walletId: walletIdSchema,
});

/** The Wallet of the interface, with the additions of wire interface section G. */
export const walletSchema = z
  .object({
    id: z.string(),
    network: z.string(),
    status: z.enum(["Active"]),
    name: z.string().optional(),
    externalId: z.string().optional(),
    address: z.string(),
    signingKey: z.object({
      id: z.string(),
      scheme: z.enum(["ECDSA"]),
      curve: z.enum(["secp256k1"]),
      publicKey: z.string().openapi({ description: "33-byte compressed point in hex, without 0x" }),
    }),
    custodial: z.boolean(),
    imported: z.boolean(),
    exported: z.boolean(),
    tags: z.array(z.string()).readonly(),
    dateCreated: z.string(),
  })
  .openapi("Wallet");

export const walletListSchema = z.object({
  items: z.array(walletSchema).readonly(),
  nextPageToken: z.string().optional(),
});
