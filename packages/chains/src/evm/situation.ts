import type { Address } from "viem";
import type { FeeMarket } from "./fees/fees.ts";
import type { GasLimits } from "./gas/gas-limit.ts";
import type { AccountCount } from "./sequence.ts";

/** The initial situation of a sender on the chain. */
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

/** All that an EVM transaction is built from. */
export interface EvmSituation extends Surroundings {
  /** undefined when no token moves by name */
  readonly holding: TokenHolding | undefined;
  /** gas that the chain expects the call to use; undefined where the caller chose the limit, with which it is tried then */
  readonly estimate: bigint | undefined;
}
