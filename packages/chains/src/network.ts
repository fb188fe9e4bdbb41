import { z } from "zod";

const rpcUrl = z.url({ protocol: /^https?$/ });

/** One entry of the cluster's networks file. */
export const evmNetworkSchema = z.strictObject({
  /** the name of the interface, such as "EthereumSepolia" */
  network: z.string().regex(/^[A-Za-z0-9]{1,64}$/),
  family: z.literal("Evm"),
  chainId: z.int().min(1),
  rpcUrl,
  /** blocks, the one that holds the transaction included */
  confirmations: z.int().min(1).max(10_000),
  /** wei: the most that one transaction may cost in fees, whole */
  feeCap: z
    .string()
    .regex(/^[1-9][0-9]{0,30}$/)
    .transform((digits) => BigInt(digits)),
});

export const networkSchema = z.discriminatedUnion("family", [evmNetworkSchema]);

/** The networks file: each network once. */
export const networksSchema = z
  .array(networkSchema)
  .min(1)
  .max(256)
  .refine((networks) => new Set(networks.map((entry) => entry.network)).size === networks.length, {
    message: "a network is named twice",
  });

export type EvmNetwork = Readonly<z.infer<typeof evmNetworkSchema>>;
export type Network = Readonly<z.infer<typeof networkSchema>>;
