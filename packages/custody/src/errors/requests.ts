import { refusal } from "./descriptor.ts";

/** Transfers, transactions and signatures, and the chain's answers to them. */
export const REQUEST_ERRORS = {
  TransferNotFound: refusal(
    404,
    "transfer not found",
    "List transfers with GET /wallets/{walletId}/transfers.",
  ),
  TransferKindNotSupported: refusal(
    400,
    "This kind of transfer does not exist on the wallet's network.",
    "Use one of the kinds in details.kinds.",
  ),
  TransactionIdInvalid: refusal(
    400,
    "This is not the hash of a transaction on this network.",
    "Send the transaction's hash, or id, as the network writes it.",
  ),
  TransactionNotIncluded: refusal(
    404,
    "The chain's node knows no such transaction in a block.",
    "Check the network and the hash. A transaction that waits is recorded by itself once its block is final.",
  ),
  TransactionNotFinal: refusal(
    409,
    "The transaction's block is not final yet.",
    "Wait until it is: then the transaction is recorded by itself.",
  ),
  TransactionForgotten: refusal(
    422,
    "The chain's node does not show the transaction's block any more.",
    "Ask the cluster's operator to name a node that keeps old blocks in the networks file.",
  ),
  AddressInvalid: refusal(
    400,
    "The address is not valid on this network.",
    "Send an address of this network that can receive this: the message, or its length and characters, show what is wrong.",
  ),
  AddressChecksum: refusal(
    400,
    "The address has a wrong checksum.",
    "Check the address for a typing error, and that it is of this network. An EVM address may be sent in lower case, too.",
  ),
  TokenIdInvalid: refusal(
    400,
    "The token id is not an integer.",
    "Name the token as its network does: decimal digits without leading zeros, or an asset's code on Stellar.",
  ),
  AmountInvalid: refusal(
    400,
    "The amount is not a positive integer in the smallest unit of the asset.",
    "Send decimal digits as a string, without sign, point or leading zero, from details.smallest to details.largest: they count the smallest unit of the asset, such as wei for ETH, satoshis for BTC, lamports for SOL, sun for TRX.",
  ),
  PriorityNotSupported: refusal(400, "This network does not take a priority.", "Leave priority out."),
  MemoNotSupported: refusal(400, "This network does not take a memo.", "Leave memo out."),
  MemoInvalid: refusal(
    400,
    "The memo is not valid on this network.",
    "Send a memo in the network's own form, or leave it out.",
  ),
  TransactionNotFound: refusal(
    404,
    "transaction not found",
    "List transactions with GET /wallets/{walletId}/transactions.",
  ),
  TransactionKindNotSupported: refusal(
    400,
    "This template of a transaction does not exist on the wallet's network.",
    "Use a template of the network's family: details.kinds names those that there are.",
  ),
  TransactionInvalid: refusal(
    400,
    "The transaction is not valid.",
    "Correct what details.field names, as the message says, and send the transaction again.",
  ),
  FeesContradictory: refusal(
    400,
    "The tip maxPriorityFeePerGas is more than maxFeePerGas.",
    "Raise maxFeePerGas, which the tip is a part of, or leave both to the service.",
  ),
  RequestStateInvalid: refusal(
    409,
    "The request is not in a state that allows this.",
    "Read the request and its status.",
  ),
  RequestReplaced: refusal(
    409,
    "The request has been replaced already.",
    "Replace the one that details.replacementId names.",
  ),
  TooManyReplacements: refusal(
    409,
    "The place of the request was taken as often as it may be.",
    "Send the act that details.instead names. Where it names none, wait: a transaction lands in this place, or none can any more.",
  ),
  ReplacementUnderpriced: refusal(
    400,
    "The fees are too low to replace the pending transaction.",
    "Raise both fees by 12.5 % or more, or leave them to the service.",
  ),
  NonceUsed: refusal(
    409,
    "The account nonce is used up.",
    "Name the next one, which details.next gives, or leave nonce out of a template that has one.",
  ),
  NonceGap: refusal(
    409,
    "The account nonce leaves a gap.",
    "Name the next one, which details.next gives, or leave nonce out of a template that has one: what is behind a gap never lands.",
  ),
  SignatureNotFound: refusal(
    404,
    "signature not found",
    "List signatures with GET /wallets/{walletId}/signatures or GET /keys/{keyId}/signatures.",
  ),
  SignatureKindNotSupported: refusal(
    400,
    "Keys of this scheme, or this network, do not sign this kind.",
    "Use one of the kinds in details.kinds.",
  ),
  SignatureStateInvalid: refusal(
    409,
    "The signature is not in a state that allows this.",
    "Read the signature and its status.",
  ),
  TypedDataInvalid: refusal(
    400,
    "The typed data is not what its types say (EIP-712).",
    "Correct what details.field names: each value must be there, be of its type, and be the only one.",
  ),
  SequenceConflict: refusal(
    409,
    "This request holds another place in its account's sequence.",
    "Build it anew in the place that it holds: a second place would be a second transaction (INV-4).",
  ),
  InsufficientFunds: refusal(
    422,
    "The wallet does not hold enough for the amount and the fee.",
    "Send the wallet as much as the message says to be missing, or ask for less, and send the request again.",
  ),
  RecipientCannotReceive: refusal(
    422,
    "The recipient's account cannot receive this.",
    "Have the recipient opt in to the asset, or send enough for the least balance of a new account.",
  ),
  RecipientUnsuitable: refusal(
    400,
    "Nobody could use what is sent to this recipient.",
    "Check the address: the message and details.why say what it is, and what helps. Where the chain itself takes it, sendAnyway: true in the transfer sends it all the same.",
  ),
  ExecutionReverted: refusal(
    422,
    "The chain refuses the transaction.",
    "Change the call by the reason in the message, which is the chain's own, and send it again.",
  ),
  RecordUnreadable: refusal(
    409,
    "A record of the service cannot be read, and nothing is decided without it.",
    "Tell the operator: details.record names it, and the log of the gateway says what of it does not fit. Lists leave it out.",
  ),
  FeeAboveCap: refusal(
    422,
    "The fee is above the cap of this network.",
    "Offer at most details.feeCap, wait for lower fees, or have the operator raise the feeCap of the network's entry.",
  ),
} as const;
