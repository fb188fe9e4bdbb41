import { describedSchema } from "@conclave/testbed/launch";
import { z } from "zod";

const { chain, developer } = describedSchema.shape;
const tokenFile = z.string();

/** A cluster's description as its banner needs it. */
export const bannerSchema = describedSchema.extend({
  state: z.string(),
  parameters: z.string(),
  chain: chain.extend({ chainId: z.number(), development: z.boolean() }),
  developer: developer.extend({
    tokenFile,
    serviceAccount: developer.shape.serviceAccount.extend({ tokenFile }),
  }),
  signers: z.array(z.object({ id: z.string(), index: z.number(), address: z.string() })).readonly(),
});
export type BannerDescription = z.infer<typeof bannerSchema>;
