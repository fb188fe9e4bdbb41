import type { FeeStatistics } from "./fee.ts";
import type { CallResources } from "./soroban/resources.ts";

/** The state of an account and its balance in the native coin, in stroops. */
export interface StellarAccount {
  /** of its last transaction */
  readonly sequence: bigint;
  readonly balance: bigint;
  /** promised to those who take its offers */
  readonly selling: bigint;
  /** base reserves that it must keep, one each (Stellar documentation, "Minimum balance") */
  readonly reserves: bigint;
  /** the weight of its own key's signature, and the threshold of a payment */
  readonly weight: number;
  readonly threshold: number;
  /** the weight of all its signers' signatures together */
  readonly weightOfAll: number;
  /** it takes no payments without a memo (SEP-29) */
  readonly wantsMemo: boolean;
  readonly trustlines: readonly Trustline[];
}

/** The amount of an asset that an account can still take, in its smallest unit. */
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
  /** the resources of a contract call by the chain's simulation */
  readonly resources?: CallResources;
}
