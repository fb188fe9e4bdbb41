import { networkSchema } from "@conclave/custody";
import { z } from "zod";
import type { NetworkEntry } from "../chain.ts";
import { nodeUrl } from "../node-url.ts";
import { parseSolanaAddress } from "./rules/address.ts";

/** A Solana network of the networks file. */
export const solanaNetworkSchema = z.strictObject({
  network: networkSchema,
  family: z.literal("Solana"),
  /** hash of the genesis block, 32 bytes in base58: it names the chain (getGenesisHash) */
  genesisHash: z.string().refine((text) => parseSolanaAddress(text, "").ok, "is not 32 bytes in base58"),
  /** URL of a node's JSON-RPC interface */
  solanaUrl: nodeUrl,
  /** lamports, as digits: the highest fee of one transaction; signers refuse more */
  feeCap: z.string().regex(/^[1-9][0-9]{0,19}$/),
});

export interface SolanaNetwork extends NetworkEntry {
  readonly family: "Solana";
  readonly genesisHash: string;
  readonly solanaUrl: string;
  readonly feeCap: string;
}
