import { KEY_SCHEMES, keyIdSchema, MOST_CLUSTER_SIGNERS, NETWORKS } from "@conclave/custody";
import { z } from "@hono/zod-openapi";

export const keyParams = z.object({ keyId: keyIdSchema });

const fields = {
  id: z.string(),
  scheme: z.enum(["ECDSA", "EdDSA", "Schnorr"]),
  curve: z.enum(["secp256k1", "ed25519"]),
  publicKey: z.string().openapi({
    description: "Hex without 0x: a 33-byte compressed point of secp256k1, or 32 bytes of Ed25519",
  }),
  name: z.string().optional(),
  status: z.enum(["Active", "Archived"]),
  custodial: z
    .boolean()
    .openapi({ description: "Whether it is the organisation's: false for an end user's" }),
  imported: z.boolean(),
  exported: z.boolean(),
  dateExported: z.string().optional(),
  dateCreated: z.string(),
  dateDeleted: z.string().optional(),
};

/** The Key of wire interface section G. */
export const keySchema = z.object(fields).openapi("Key");

/** A key with its wallets and the places of its shares. */
export const keyDetailsSchema = z
  .object({
    ...fields,
    // a key has one wallet on each network
    wallets: z
      .array(z.object({ id: z.string(), network: z.string() }))
      .max(NETWORKS.length)
      .readonly(),
    store: z.object({ id: z.string(), kind: z.enum(["Mpc"]), keyId: z.string() }),
  })
  .openapi("KeyDetails");

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));

/** The signers' attestations of a key: also the file that `conclave verify-key` checks. */
export const keyAttestationsSchema = z
  .object({
    kind: z.enum(["conclave-key-attestations"]),
    version: z.literal(1),
    clusterId: z.string(),
    keyId: z.string(),
    scheme: z.enum(KEY_SCHEMES),
    publicKey: z.string(),
    internalKey: z.string().optional(),
    attestations: z
      .array(
        z.object({
          signer: z.int(),
          signature: hex(128),
          statement: z.string().optional(),
          statementSignature: hex(128).optional(),
        }),
      )
      .max(MOST_CLUSTER_SIGNERS)
      .readonly(),
  })
  .openapi("KeyAttestations");

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
