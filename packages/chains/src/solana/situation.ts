import type { SolanaHolding } from "./token/holding.ts";
import type { MintAccount } from "./token/mint.ts";

/** The chain's data of an address. */
export interface SolanaAccount {
  readonly lamports: bigint;
  /** the program that its data is of; of an account that is not there, the System program */
  readonly program: string;
  /** lamports that an account of its size must hold to stay */
  readonly rent: bigint;
}

/** All that a Solana transaction is built from, of one moment. */
export interface SolanaSituation {
  readonly genesisHash: string;
  /** of the last finalized block */
  readonly blockhash: string;
  readonly slot: bigint;
  /** whether a caller's own blockhash is one of a finalized block that is young enough; undefined where none is asked for */
  readonly isBlockhashValid: boolean | undefined;
  /** compute units that the transaction takes at most */
  readonly units: number;
  /** micro-lamports a unit; undefined bids nothing */
  readonly price: bigint | undefined;
  readonly sender: SolanaAccount;
  readonly recipient: SolanaAccount | undefined;
  /** undefined when no token moves */
  readonly token: TokenSituation | undefined;
}

export interface TokenSituation {
  /** undefined when there is no such token of this program */
  readonly mint: MintAccount | undefined;
  /** the balances of the associated accounts; undefined where there is none */
  readonly ofSender: SolanaHolding | undefined;
  readonly ofRecipient: SolanaHolding | undefined;
  /** lamports that it still takes to make the recipient's */
  readonly creationCost: bigint;
}
