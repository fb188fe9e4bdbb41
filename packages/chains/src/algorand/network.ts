import { networkSchema } from "@conclave/custody";
import { base64 } from "@scure/base";
import { z } from "zod";
import type { NetworkEntry } from "../chain.ts";
import { nodeUrl } from "../node-url.ts";

const HASH_BYTES = 32;

const isGenesisHash = (text: string): boolean => {
  try {
    return base64.decode(text).length === HASH_BYTES;
  } catch {
    return false;
  }
};

/** An Algorand network of the networks file. */
export const algorandNetworkSchema = z.strictObject({
  network: networkSchema,
  family: z.literal("Algorand"),
  /** such as "mainnet-v1.0" */
  genesisId: z.string().regex(/^[!-~]{1,64}$/),
  /** hash of the genesis block, 32 bytes in base64: every transaction names its chain by it */
  genesisHash: z.string().refine(isGenesisHash, "is not 32 bytes in base64"),
  /** URL of a node's REST interface (algod) */
  algodUrl: nodeUrl,
  /** the node's X-Algo-API-Token, where it has one */
  algodToken: z
    .string()
    .regex(/^[!-~]{1,256}$/)
    .optional(),
  /** microalgos, as digits: the highest fee of one transaction; signers refuse more */
  feeCap: z.string().regex(/^[1-9][0-9]{0,19}$/),
});

export interface AlgorandNetwork extends NetworkEntry {
  readonly family: "Algorand";
  readonly genesisId: string;
  readonly genesisHash: string;
  readonly algodUrl: string;
  readonly algodToken?: string | undefined;
  readonly feeCap: string;
}

/** The network's parameters that reading needs. */
export type ReadableAlgorand = Pick<AlgorandNetwork, "network" | "genesisId" | "genesisHash" | "feeCap">;
