import { networkSchema } from "@conclave/custody";
import { z } from "zod";
import type { NetworkEntry } from "../chain.ts";
import { nodeUrl } from "../node-url.ts";

/** A TRON network of the networks file. */
export const tronNetworkSchema = z.strictObject({
  network: networkSchema,
  family: z.literal("Tron"),
  /** the id of block 0, 32 bytes in lower-case hex: it names the node's chain */
  genesisBlock: z.string().regex(/^[0-9a-f]{64}$/, "is not 32 bytes in lower-case hex"),
  /** URL of a node's HTTP interface, without /wallet */
  fullNodeUrl: nodeUrl,
  /** URL for /walletsolidity, if different: a FullNode serves it on another port */
  solidityNodeUrl: nodeUrl.optional(),
  /** the node's TRON-PRO-API-KEY, where it has one */
  apiKey: z
    .string()
    .regex(/^[!-~]{1,256}$/)
    .optional(),
  /** sun, as digits: the highest fee of one transaction; signers refuse a higher fee_limit */
  feeCap: z.string().regex(/^[1-9][0-9]{0,17}$/),
});

export interface TronNetwork extends NetworkEntry {
  readonly family: "Tron";
  readonly genesisBlock: string;
  readonly fullNodeUrl: string;
  readonly solidityNodeUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly feeCap: string;
}
