import type { TokenNames } from "../contracts/development-token.ts";
import type { NodeUrls } from "../networks/local-network.ts";

/** How a new token is called, how it divides, and how much of it there is. */
export interface TokenTerms extends TokenNames {
  /** in smallest units; goes to the maker */
  readonly supply: bigint;
}

/** A token, and the account outside the cluster that has made it. */
export interface MadeToken {
  readonly urls: NodeUrls;
  /** 32 random bytes: the private key of the maker */
  readonly makerKey: Uint8Array;
  /** the token's name on its chain: a contract, a mint, a number, or CODE:ISSUER */
  readonly id: string;
}

/** Makes tokens of one kind, by the chain's own SDK. The maker has to hold coins of the network. */
export interface TokenFactory {
  /** The address of the maker. */
  makerOf(makerKey: Uint8Array): Promise<string>;
  /** @returns the token's name on its chain */
  create(made: Omit<MadeToken, "id">, terms: TokenTerms): Promise<string>;
  /** Whether the chain still has the token: one whose block was replaced is gone. */
  isThere(made: Pick<MadeToken, "urls" | "id">): Promise<boolean>;
  /** How many units the maker can give; undefined where it makes as many as it gives. */
  left(made: MadeToken): Promise<bigint | undefined>;
  /**
   * Pays an account. @param units smallest units, or how many collectibles
   * @returns the names of the collectibles; empty for other tokens
   * @throws LaunchError when the receiver has to take the token up first
   */
  give(made: MadeToken, to: string, units: bigint): Promise<readonly string[]>;
}
