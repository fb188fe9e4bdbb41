import { keyIdSchema, networkSchema } from "@conclave/custody";
import { z } from "zod";
import type { NetworkEntry } from "../../chain.ts";

/** An entry of the toy family. It uses the networks of a family that is not built in and whose keys are ECDSA. */
export const toyNetworkSchema = z.strictObject({
  network: networkSchema,
  family: z.literal("Cosmos"),
  /** the Ed25519 key that signs each transaction beside the wallet's */
  cosigner: keyIdSchema,
  /** the highest fee of one transaction, as digits */
  feeCap: z.string().regex(/^[1-9][0-9]{0,19}$/),
});

export interface ToyNetwork extends NetworkEntry {
  readonly family: "Cosmos";
  readonly cosigner: z.infer<typeof keyIdSchema>;
  readonly feeCap: string;
}
