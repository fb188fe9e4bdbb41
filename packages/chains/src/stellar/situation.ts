import type { FeeStatistics } from "./fee.ts";
import type { CallResources } from "./soroban/resources.ts";

/** The state of an account and its balance in the native coin, in stroops. */
export interface StellarAccount {
  /** sequence number of its last transaction */
  readonly sequence: bigint;
  readonly balance: bigint;
  /** reserved for its open offers */
  readonly selling: bigint;
  /** number of base reserves that it must keep (Stellar documentation, "Minimum balance") */
  readonly reserves: bigint;
  /** the weight of its own key's signature, and the threshold for a payment */
  readonly weight: number;
  readonly threshold: number;
  /** the sum of all its signers' weights */
  readonly weightOfAll: number;
  /** it accepts no payments without a memo (SEP-29) */
  readonly wantsMemo: boolean;
  readonly trustlines: readonly Trustline[];
}

/** The balance of an account in an asset, and how much more it can receive, in the asset's smallest unit. */
export interface Trustline {
  /** in custody's spelling */
  readonly token: string;
  readonly balance: bigint;
  readonly limit: bigint;
  readonly buying: bigint;
  readonly selling: bigint;
  /** the issuer allows it to hold and move the asset */
  readonly isAuthorised: boolean;
}

/** The chain's state at one moment, from which a Stellar transaction is built. */
export interface StellarSituation {
  readonly passphrase: string;
  /** when the last ledger closed, Unix seconds */
  readonly closedAt: bigint;
  /** stroops */
  readonly baseReserve: bigint;
  readonly fees: FeeStatistics;
  /** undefined: the account does not exist */
  readonly sender: StellarAccount | undefined;
  readonly recipient: StellarAccount | undefined;
  /** the resources of a contract call, as the chain's simulation reports them */
  readonly resources?: CallResources;
}
