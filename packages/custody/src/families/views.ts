import {
  type AlgorandMovementView,
  type AlgorandTokenView,
  asaEventSchema,
  asaHeldSchema,
} from "./algorand/views.ts";
import {
  type EvmMovementView,
  type EvmTokenView,
  erc20EventSchema,
  erc20HeldSchema,
  erc721EventSchema,
} from "./evm/views.ts";
import {
  type SolanaMovementView,
  type SolanaTokenView,
  spl2022EventSchema,
  spl2022HeldSchema,
  splEventSchema,
  splHeldSchema,
} from "./solana/views.ts";
import {
  type StellarMovementView,
  type StellarTokenView,
  sep41EventSchema,
  sep41HeldSchema,
} from "./stellar/views.ts";
import {
  type TronMovementView,
  type TronTokenView,
  trc10EventSchema,
  trc10HeldSchema,
  trc20EventSchema,
  trc20HeldSchema,
  trc721EventSchema,
} from "./tron/views.ts";

/** How a family's tokens are shown. */
export type TokenView = EvmTokenView | AlgorandTokenView | SolanaTokenView | StellarTokenView | TronTokenView;
/** How a family's transfers of tokens are shown in histories. */
export type MovementView =
  | EvmMovementView
  | AlgorandMovementView
  | SolanaMovementView
  | StellarMovementView
  | TronMovementView;

/** Tokens that a wallet may hold, in the order of the API's document. */
export const HELD_TOKEN_SCHEMAS = [
  erc20HeldSchema,
  asaHeldSchema,
  sep41HeldSchema,
  splHeldSchema,
  spl2022HeldSchema,
  trc10HeldSchema,
  trc20HeldSchema,
] as const;

/** Events of tokens in a wallet's history, in the order of the API's document. */
export const TOKEN_EVENT_SCHEMAS = [
  erc20EventSchema,
  asaEventSchema,
  sep41EventSchema,
  splEventSchema,
  spl2022EventSchema,
  erc721EventSchema,
  trc10EventSchema,
  trc20EventSchema,
  trc721EventSchema,
] as const;
