import { familyOf, networkSchema } from "@conclave/custody";
import { z } from "zod";
import { readJsonFile } from "./json-file.ts";

const MOST_NETWORKS = 256;

const enabledNetworkSchema = z
  .strictObject({
    network: networkSchema,
    family: z.literal("Evm"),
    chainId: z.int().min(1),
    rpcUrl: z.url({ protocol: /^https?$/ }),
    /** depth of a block, in blocks, at which a transfer counts as confirmed */
    confirmations: z.int().min(1).max(1_000),
    /** highest total fee of one transaction, in wei, as digits; signers refuse more */
    feeCap: z.string().regex(/^[1-9][0-9]{0,77}$/),
  })
  .refine(({ network, family }) => familyOf(network) === family, "is not of that family");
export type EnabledNetwork = Readonly<z.infer<typeof enabledNetworkSchema>>;

/** The networks that this cluster serves: `cluster/networks.json`. */
const networksSchema = z
  .array(enabledNetworkSchema)
  .max(MOST_NETWORKS)
  .refine(
    (networks) => new Set(networks.map(({ network }) => network)).size === networks.length,
    "names a network twice",
  )
  // wallets of one key on two networks of the same chain would share an account and its nonces, and a policy for one network
  // would not see the other
  .refine(
    (networks) => new Set(networks.map(({ chainId }) => chainId)).size === networks.length,
    "names a chain twice",
  );
export type EnabledNetworks = readonly EnabledNetwork[];

/** @throws ConfigurationError if the file is missing or invalid */
export const loadNetworks = (path: string): Promise<EnabledNetworks> =>
  readJsonFile(path, "the list of networks", networksSchema);
