import type { XrplFeeRates } from "./fee.ts";
import type { AccountPlace } from "./sequence.ts";

/** The state of an account in the ledger. */
export interface XrplAccount {
  /** drops */
  readonly balance: bigint;
  /** objects that it owns: each raises its reserve */
  readonly objects: number;
  /** payments to it need a destination tag (lsfRequireDestTag) */
  readonly requiresTag: boolean;
  /** it takes payments of accounts alone that it has authorised (lsfDepositAuth) */
  readonly requiresAuthorisation: boolean;
  /** its own key signs for it no more (lsfDisableMaster) */
  readonly isMasterDisabled: boolean;
}

/** The reserve of an account, in drops. */
export interface XrplReserve {
  readonly base: bigint;
  readonly object: bigint;
}

/** All that a transaction of the XRP Ledger is built from, of one moment. */
export interface XrplSituation {
  readonly networkId: number;
  /** the last validated ledger that the node has */
  readonly validated: number;
  readonly reserve: XrplReserve;
  readonly fees: XrplFeeRates;
  /** undefined: nobody has paid to it yet */
  readonly sender: (XrplAccount & { readonly place: AccountPlace }) | undefined;
  readonly recipient: XrplAccount | undefined;
  /** whether the recipient has authorised the sender, or authorises nobody by name */
  readonly isAuthorised: boolean;
}
