import { MOST_CLUSTER_SIGNERS } from "@conclave/custody";
import { z } from "@hono/zod-openapi";

/** The list of signers for client utilities: one cluster, ids and keys in standard base64. */
export const signersSchema = z
  .object({
    clusters: z
      .array(
        z.object({
          clusterId: z.string(),
          signers: z
            .array(
              z.object({
                signerId: z.string().openapi({ description: "32 bytes in base64" }),
                encryptionKey: z
                  .string()
                  .openapi({ description: "0x01 and a compressed secp256k1 point, in base64" }),
              }),
            )
            .max(MOST_CLUSTER_SIGNERS)
            .readonly(),
        }),
      )
      .max(1)
      .readonly(),
  })
  .openapi("Signers");
