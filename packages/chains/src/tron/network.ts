import { networkSchema } from "@conclave/custody";
import { z } from "zod";
import type { NetworkEntry } from "../chain.ts";
import { nodeUrl } from "../node-url.ts";

/** A TRON network of the networks file. */
export const tronNetworkSchema = z.strictObject({
  network: networkSchema,
  family: z.literal("Tron"),
  /** the id of block 0, 32 bytes in lower-case hex: it tells which chain a node is of */
  genesisBlock: z.string().regex(/^[0-9a-f]{64}$/, "is not 32 bytes in lower-case hex"),
  /** of a node's HTTP interface: what is behind it answers /wallet */
  fullNodeUrl: nodeUrl,
  /** the address of /walletsolidity, where that is not the same: a FullNode has a port of its own for it */
  solidityNodeUrl: nodeUrl.optional(),
  /** the node's TRON-PRO-API-KEY, where it has one */
  apiKey: z
    .string()
    .regex(/^[!-~]{1,256}$/)
    .optional(),
  /** sun, as digits: the most that one transaction may cost in fees; signers refuse a higher fee_limit */
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
