import type { FeeStatistics } from "./fee.ts";
import type { CallResources } from "./soroban/resources.ts";

/** What an account is and holds of the native coin, in stroops. */
export interface StellarAccount {
  /** of its last transaction */
  readonly sequence: bigint;
  readonly balance: bigint;
  /** promised to those who take its offers */
  readonly selling: bigint;
  /** base reserves that it must keep, one each (Stellar documentation, "Minimum balance") */
  readonly reserves: bigint;
  /** what a signature of its own key weighs, and what a payment takes */
  readonly weight: number;
  readonly threshold: number;
  /** what the signatures of all its signers weigh together */
  readonly weightOfAll: number;
  /** it takes no payments without a memo (SEP-29) */
  readonly wantsMemo: boolean;
  readonly trustlines: readonly Trustline[];
}

/** How far an account is ready to hold an asset, in its smallest unit. */
export interface Trustline {
  /** as custody spells it */
  readonly token: string;
  readonly balance: bigint;
  readonly limit: bigint;
  readonly buying: bigint;
  readonly selling: bigint;
  /** the issuer lets it hold and move the asset */
  readonly isAuthorised: boolean;
}

/** All that a Stellar transaction is built from, of one moment. */
export interface StellarSituation {
  readonly passphrase: string;
  /** when the last ledger closed, Unix seconds */
  readonly closedAt: bigint;
  /** stroops */
  readonly baseReserve: bigint;
  readonly fees: FeeStatistics;
  /** undefined: there is no such account */
  readonly sender: StellarAccount | undefined;
  readonly recipient: StellarAccount | undefined;
  /** what a contract call takes, as the chain found out by a simulation */
  readonly resources?: CallResources;
}
