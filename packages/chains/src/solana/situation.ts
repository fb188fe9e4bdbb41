import type { SolanaHolding } from "./token/holding.ts";
import type { MintAccount } from "./token/mint.ts";

/** The chain's data of an account. */
export interface SolanaAccount {
  readonly lamports: bigint;
  /** the program that owns the account; for a missing account, the System program */
  readonly program: string;
  /** lamports that an account of its size must hold to be rent-exempt */
  readonly rent: bigint;
}

/** The chain's state at one moment, from which a Solana transaction is built. */
export interface SolanaSituation {
  readonly genesisHash: string;
  /** of the latest finalized block */
  readonly blockhash: string;
  readonly slot: bigint;
  /** whether the blockhash of a caller's own bytes is of a recent finalized block; undefined when it was not queried */
  readonly isBlockhashValid: boolean | undefined;
  /** most compute units that the transaction uses */
  readonly units: number;
  /** micro-lamports a unit; undefined: no priority fee */
  readonly price: bigint | undefined;
  readonly sender: SolanaAccount;
  readonly recipient: SolanaAccount | undefined;
  /** undefined when no token moves */
  readonly token: TokenSituation | undefined;
}

export interface TokenSituation {
  /** undefined when this program has no such token */
  readonly mint: MintAccount | undefined;
  /** the associated accounts' balances; undefined for a missing account */
  readonly ofSender: SolanaHolding | undefined;
  readonly ofRecipient: SolanaHolding | undefined;
  /** lamports still missing for creating the recipient's account */
  readonly creationCost: bigint;
}
