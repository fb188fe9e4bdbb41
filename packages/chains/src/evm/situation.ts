import type { Address } from "viem";
import type { FeeMarket } from "./fees/fees.ts";
import type { GasLimits } from "./gas/gas-limit.ts";
import type { AccountCount } from "./sequence.ts";

/** The sender's state on the chain before the call is simulated. */
export interface Surroundings {
  readonly count: AccountCount;
  /** wei that the sender can spend */
  readonly balance: bigint;
  readonly market: FeeMarket;
  readonly gasLimits: GasLimits;
}

/** The sender's balance in the token that a transfer moves. */
export type TokenHolding =
  | { readonly kind: "Erc20"; readonly held: bigint }
  | { readonly kind: "Erc721"; readonly owner: Address };

/** The chain's state at one moment, from which an EVM transaction is built. */
export interface EvmSituation extends Surroundings {
  /** undefined when the act is no token transfer */
  readonly holding: TokenHolding | undefined;
  /** estimated gas of the call; undefined if the caller chose the limit: the node then simulates with that limit */
  readonly estimate: bigint | undefined;
}
