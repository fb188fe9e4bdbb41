import { networkSchema } from "@conclave/custody";
import { z } from "zod";
import type { NetworkEntry } from "../chain.ts";
import { nodeUrl } from "../node-url.ts";

/** A Stellar network of the networks file. */
export const stellarNetworkSchema = z.strictObject({
  network: networkSchema,
  family: z.literal("Stellar"),
  /** such as "Public Global Stellar Network ; September 2015": it names the chain in all signed hashes */
  passphrase: z.string().regex(/^[ -~]{1,128}$/),
  /** URL of a Horizon server */
  horizonUrl: nodeUrl,
  /** URL of a Stellar RPC server, which transfers to contracts need; without one they are refused */
  rpcUrl: nodeUrl.optional(),
  /** stroops, as digits: the highest fee of one transaction; signers refuse more */
  feeCap: z.string().regex(/^[1-9][0-9]{0,9}$/),
});

export interface StellarNetwork extends NetworkEntry {
  readonly family: "Stellar";
  readonly passphrase: string;
  readonly horizonUrl: string;
  readonly rpcUrl?: string | undefined;
  readonly feeCap: string;
}

/** The network's parameters that reading needs. */
export type ReadableStellar = Pick<StellarNetwork, "network" | "passphrase" | "feeCap">;
