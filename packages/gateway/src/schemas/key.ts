import { keyAttestationsViewSchema, keyIdSchema, keyViewSchema, NETWORKS } from "@conclave/custody";
import { z } from "@hono/zod-openapi";

export const keyParams = z.object({ keyId: keyIdSchema });

/** The Key of wire interface section G. */
export const keySchema = z.object(keyViewSchema.shape).openapi("Key");

/** A key with its wallets and where its shares are stored. */
export const keyDetailsSchema = z
  .object({
    ...keyViewSchema.shape,
    // a key has at most one wallet on each network
    wallets: z
      .array(z.object({ id: z.string(), network: z.string() }))
      .max(NETWORKS.length)
      .readonly(),
    store: z.object({ id: z.string(), kind: z.enum(["Mpc"]), keyId: z.string() }),
  })
  .openapi("KeyDetails");

/** The signers' attestations of a key, which is also the file that `conclave verify-key` checks. */
export const keyAttestationsSchema = z.object(keyAttestationsViewSchema.shape).openapi("KeyAttestations");

export const keyListSchema = z.object({
  items: z.array(keySchema).readonly(),
  nextPageToken: z.string().optional(),
});

export const delegatedKeySchema = z.object({ keyId: z.string(), status: z.enum(["Delegated"]) });

export const keyStoreListSchema = z.object({
  items: z
    .array(z.object({ id: z.string(), kind: z.enum(["Mpc"]), primary: z.boolean() }))
    .max(1)
    .readonly(),
});
