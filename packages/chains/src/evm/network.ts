import { networkSchema } from "@conclave/custody";
import { z } from "zod";
import type { NetworkEntry } from "../chain.ts";
import { feeBumpsSchema } from "../fee-bumps.ts";

const WEI = /^[1-9][0-9]{0,77}$/;

/** An EVM network of the networks file. */
export const evmNetworkSchema = z.strictObject({
  network: networkSchema,
  family: z.literal("Evm"),
  chainId: z.int().min(1),
  rpcUrl: z.url({ protocol: /^https?$/ }),
  /** how deep a block must lie before a transaction counts as confirmed: blocks, the one that holds it included */
  confirmations: z.int().min(1).max(1_000),
  /**
   * which block counts as final, which nothing undoes: "finalized" the node's own, where it has one, and "depth" the one
   * that lies as deep as `confirmations`, as on a chain for development. "finalized" when it is left out
   */
  finality: z.enum(["finalized", "depth"]).optional(),
  /** wei, as digits: the most that one transaction may cost in fees, whole; signers refuse more */
  feeCap: z.string().regex(WEI),
  /** wei a gas, as digits: no tip below it is bid, nor a gas price without a base fee */
  leastTip: z.string().regex(WEI, "is not a number of wei a gas, as digits").optional(),
  /** gas: the most that one transaction may ask for (EIP-7825); where it is left out, the node is asked when it matters */
  transactionGasLimit: z.int().min(21_000).optional(),
  /** when the service raises a fee by itself; the cap is a maxFeePerGas */
  feeBumps: feeBumpsSchema(z.string().regex(WEI, "is not a number of wei a gas, as digits")).optional(),
});

export interface EvmNetwork extends NetworkEntry {
  readonly family: "Evm";
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly confirmations: number;
  readonly finality?: "finalized" | "depth" | undefined;
  readonly feeCap: string;
  readonly leastTip?: string | undefined;
  readonly transactionGasLimit?: number | undefined;
}

/** The network's parameters that reading needs. */
export type ReadableNetwork = Pick<EvmNetwork, "network" | "chainId" | "feeCap">;
