import { z } from "zod";

const accessFields = {
  token: z.string(),
  tokenFile: z.string(),
  credential: z.object({ id: z.string(), keyFile: z.string() }),
};

/** The part of a cluster's description that people are shown. */
export const bannerSchema = z.object({
  state: z.string(),
  parameters: z.string(),
  threshold: z.number(),
  api: z.object({ url: z.string() }),
  orchestrator: z.object({ url: z.string() }),
  chain: z.object({
    network: z.string(),
    chainId: z.number(),
    rpcUrl: z.string(),
    development: z.boolean(),
  }),
  networks: z.array(z.object({ network: z.string() })).readonly(),
  developer: z.object({
    orgId: z.string(),
    ...accessFields,
    serviceAccount: z.object({ userId: z.string(), ...accessFields }),
  }),
  signers: z.array(z.object({ id: z.string(), index: z.number(), address: z.string() })).readonly(),
});
export type BannerDescription = z.infer<typeof bannerSchema>;
