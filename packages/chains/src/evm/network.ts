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
  /** number of blocks, including its own, after which a transaction counts as confirmed */
  confirmations: z.int().min(1).max(1_000),
  /**
   * which block counts as final: "finalized" (the default) the block that the node reports as finalized; "depth" the block at
   * depth `confirmations`, for chains without finality such as development chains
   */
  finality: z.enum(["finalized", "depth"]).optional(),
  /** wei, as digits: the highest fee of one transaction in total; signers refuse more */
  feeCap: z.string().regex(WEI),
  /** wei a gas, as digits: the lowest tip to bid, or gas price on a chain without a base fee */
  leastTip: z.string().regex(WEI, "is not a number of wei a gas, as digits").optional(),
  /** gas: the limit of one transaction (EIP-7825); if absent, the node is asked when needed */
  transactionGasLimit: z.int().min(21_000).optional(),
  /** when the service raises a fee by itself; its cap is a maxFeePerGas */
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
