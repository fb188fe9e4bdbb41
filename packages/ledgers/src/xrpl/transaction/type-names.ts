/** The types that this ledger implements, by their number on the wire. */
const CARRIED_OUT = {
  0: "Payment",
  3: "AccountSet",
  5: "SetRegularKey",
  10: "TicketCreate",
} as const;

/** Further types of a real node. @source rippled, include/xrpl/protocol/detail/transactions.macro */
const OTHERS: ReadonlyMap<number, string> = new Map([
  [1, "EscrowCreate"],
  [2, "EscrowFinish"],
  [4, "EscrowCancel"],
  [7, "OfferCreate"],
  [8, "OfferCancel"],
  [12, "SignerListSet"],
  [13, "PaymentChannelCreate"],
  [14, "PaymentChannelFund"],
  [15, "PaymentChannelClaim"],
  [16, "CheckCreate"],
  [17, "CheckCash"],
  [18, "CheckCancel"],
  [19, "DepositPreauth"],
  [20, "TrustSet"],
  [21, "AccountDelete"],
  [25, "NFTokenMint"],
  [26, "NFTokenBurn"],
  [27, "NFTokenCreateOffer"],
  [28, "NFTokenCancelOffer"],
  [29, "NFTokenAcceptOffer"],
  [30, "Clawback"],
  [31, "AMMClawback"],
  [35, "AMMCreate"],
  [36, "AMMDeposit"],
  [37, "AMMWithdraw"],
  [38, "AMMVote"],
  [39, "AMMBid"],
  [40, "AMMDelete"],
  [49, "DIDSet"],
  [50, "DIDDelete"],
  [51, "OracleSet"],
  [52, "OracleDelete"],
  [54, "MPTokenIssuanceCreate"],
  [55, "MPTokenIssuanceDestroy"],
  [56, "MPTokenIssuanceSet"],
  [57, "MPTokenAuthorize"],
  [58, "CredentialCreate"],
  [59, "CredentialAccept"],
  [60, "CredentialDelete"],
  [61, "NFTokenModify"],
  [64, "DelegateSet"],
  [71, "Batch"],
]);

export type RippledTypeName = (typeof CARRIED_OUT)[keyof typeof CARRIED_OUT];

/** The type's name, if this ledger implements it. */
export const carriedOutType = (code: number): RippledTypeName | undefined =>
  Object.entries(CARRIED_OUT).find(([key]) => key === `${code}`)?.[1];

export const otherType = (code: number): string | undefined => OTHERS.get(code);
