import type { XrplFeeRates } from "./fee.ts";
import type { AccountPlace } from "./sequence.ts";

/** The state of an account in the ledger. */
export interface XrplAccount {
  /** drops */
  readonly balance: bigint;
  /** number of objects that it owns: each raises its reserve */
  readonly objects: number;
  /** it requires a destination tag on payments to it (lsfRequireDestTag) */
  readonly requiresTag: boolean;
  /** it accepts payments only from accounts that it has authorised (lsfDepositAuth) */
  readonly requiresAuthorisation: boolean;
  /** its master key is disabled (lsfDisableMaster) */
  readonly isMasterDisabled: boolean;
}

/** The reserve of an account, in drops. */
export interface XrplReserve {
  readonly base: bigint;
  readonly object: bigint;
}

/** The chain's state at one moment, from which an XRP Ledger transaction is built. */
export interface XrplSituation {
  readonly networkId: number;
  /** the node's latest validated ledger */
  readonly validated: number;
  readonly reserve: XrplReserve;
  readonly fees: XrplFeeRates;
  /** undefined: the account does not exist yet */
  readonly sender: (XrplAccount & { readonly place: AccountPlace }) | undefined;
  readonly recipient: XrplAccount | undefined;
  /** whether the recipient has authorised the sender, or requires no authorisation */
  readonly isAuthorised: boolean;
}
