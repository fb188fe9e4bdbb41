import { MOST_CLUSTER_SIGNERS } from "@conclave/custody";
import { z } from "@hono/zod-openapi";

/** An exported key: a sealed share of each signer that answered, of which `minSigners` make up the key. */
export const exportedKeySchema = z
  .object({
    publicKey: z.string(),
    protocol: z.string(),
    curve: z.string(),
    minSigners: z.int(),
    encryptedKeyShares: z
      .array(
        z.object({
          signerId: z.string(),
          encryptedKeyShare: z
            .string()
            .openapi({ description: "Base64: sealed by the signer for the request's encryption key" }),
        }),
      )
      .max(MOST_CLUSTER_SIGNERS)
      .readonly(),
  })
  .openapi("ExportedKey");
