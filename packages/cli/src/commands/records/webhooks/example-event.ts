import type {
  ApprovalView,
  EventKind,
  HistoryEntryView,
  KeyView,
  PolicyView,
  SignatureView,
  TransactionView,
  TransferView,
  WalletView,
  WatchedMovementView,
} from "@conclave/custody";

/** Ids, hashes and addresses that nobody can take for those of real things. */
const MADE_UP = {
  key: "key-madeu-pmade-upmadeupmadeup00",
  wallet: "wa-madeu-pmade-upmadeupmadeup00",
  addressWatch: "aw-madeu-pmade-upmadeupmadeup00",
  transfer: "xfr-madeu-pmade-upmadeupmadeup00",
  transaction: "tx-madeu-pmade-upmadeupmadeup00",
  signature: "sig-madeu-pmade-upmadeupmadeup00",
  user: "us-madeu-pmade-upmadeupmadeup00",
  policy: "plc-madeu-pmade-upmadeupmadeup00",
  evaluation: "plce-madeu-pmade-upmadeupmadeup00",
  approval: "ap-madeu-pmade-upmadeupmadeup00",
  hash: `0x${"00".repeat(31)}ee`,
  transactionBytes: "0x02e683aa36a78001843b9aca008252089400000000000000000000000000000000c0ffee018080c0",
  address: "0x00000000000000000000000000000000c0ffee00",
  other: "0x00000000000000000000000000000000c0ffee01",
  publicKey: `02${"79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"}`,
} as const;

const NETWORK = "EthereumSepolia";
const REQUESTER = { userId: MADE_UP.user };
const REASON = "a made-up reason";
const KEY_FORMAT = { scheme: "ECDSA", curve: "secp256k1", publicKey: MADE_UP.publicKey } as const;

const keyOf = (kind: EventKind, date: string): KeyView => ({
  id: MADE_UP.key,
  ...KEY_FORMAT,
  status: kind === "key.deleted" ? "Archived" : "Active",
  custodial: kind !== "key.delegated",
  imported: false,
  exported: kind === "key.exported",
  ...(kind === "key.exported" ? { dateExported: date } : {}),
  dateCreated: date,
  ...(kind === "key.deleted" ? { dateDeleted: date } : {}),
});

const walletOf = (kind: EventKind, date: string): WalletView => ({
  id: MADE_UP.wallet,
  network: NETWORK,
  status: "Active",
  name: "made up",
  address: MADE_UP.address,
  signingKey: {
    id: MADE_UP.key,
    ...KEY_FORMAT,
    ...(kind === "wallet.delegated" ? { delegatedTo: MADE_UP.user } : {}),
  },
  custodial: kind !== "wallet.delegated",
  imported: false,
  exported: kind === "wallet.exported",
  ...(kind === "wallet.exported" ? { dateExported: date } : {}),
  tags: kind === "wallet.tags.modified" ? ["made-up"] : [],
  dateCreated: date,
});

type Stage = "requested" | "broadcasted" | "confirmed" | "failed" | "rejected";
const STATUS = {
  requested: "Pending",
  broadcasted: "Broadcasted",
  confirmed: "Confirmed",
  failed: "Failed",
  rejected: "Rejected",
} as const;

/** The members that show how far a request to a chain has come. */
const progressOf = (stage: Stage, date: string) => ({
  status: STATUS[stage],
  dateRequested: date,
  datePolicyResolved: date,
  ...(stage === "failed" || stage === "rejected" ? { reason: REASON } : {}),
  ...(stage === "broadcasted" || stage === "confirmed"
    ? { txHash: MADE_UP.hash, dateBroadcasted: date }
    : {}),
  ...(stage === "confirmed" ? { fee: "21000000147000", dateConfirmed: date } : {}),
});

const transferOf = (stage: Stage, date: string): TransferView => ({
  id: MADE_UP.transfer,
  walletId: MADE_UP.wallet,
  network: NETWORK,
  requester: REQUESTER,
  requestBody: { kind: "Native", to: MADE_UP.other, amount: "100000000000000000" },
  metadata: { asset: { symbol: "ETH", decimals: 18, verified: true, quotes: { USD: 2_000, EUR: 1_800 } } },
  ...progressOf(stage, date),
});

const transactionOf = (stage: Stage, date: string): TransactionView => ({
  id: MADE_UP.transaction,
  walletId: MADE_UP.wallet,
  network: NETWORK,
  requester: REQUESTER,
  requestBody: { kind: "Transaction", transaction: MADE_UP.transactionBytes },
  ...progressOf(stage, date),
});

const signatureOf = (stage: "requested" | "signed" | "failed" | "rejected", date: string): SignatureView => {
  const value = {
    r: MADE_UP.hash,
    s: MADE_UP.hash,
    recid: 0,
    encoded: `${MADE_UP.hash}${"00".repeat(32)}1b`,
  };
  const statuses = {
    requested: "Pending",
    signed: "Signed",
    failed: "Failed",
    rejected: "Rejected",
  } as const;
  return {
    id: MADE_UP.signature,
    keyId: MADE_UP.key,
    walletId: MADE_UP.wallet,
    network: NETWORK,
    requester: REQUESTER,
    requestBody: { kind: "Hash", hash: MADE_UP.hash },
    status: statuses[stage],
    dateRequested: date,
    datePolicyResolved: date,
    ...(stage === "failed" || stage === "rejected" ? { reason: REASON } : {}),
    ...(stage === "signed" ? { signature: value, signatures: [value], dateSigned: date } : {}),
  };
};

const depositOf = (date: string): HistoryEntryView & { readonly status: "Confirmed" } => ({
  kind: "NativeTransfer",
  walletId: MADE_UP.wallet,
  direction: "In",
  network: NETWORK,
  symbol: "ETH",
  decimals: 18,
  txHash: MADE_UP.hash,
  index: "0",
  blockNumber: 1,
  timestamp: date,
  metadata: { asset: { symbol: "ETH", decimals: 18, verified: true } },
  from: MADE_UP.other,
  to: MADE_UP.address,
  value: "100000000000000000",
  status: "Confirmed",
});

const watchedMovementOf = (date: string): WatchedMovementView & { readonly status: "Confirmed" } => ({
  kind: "NativeTransfer",
  addressWatchId: MADE_UP.addressWatch,
  direction: "Out",
  network: NETWORK,
  symbol: "ETH",
  decimals: 18,
  txHash: MADE_UP.hash,
  index: "value",
  blockNumber: 1,
  timestamp: date,
  metadata: { asset: { symbol: "ETH", decimals: 18, verified: true } },
  from: MADE_UP.other,
  to: MADE_UP.address,
  value: "100000000000000000",
  status: "Confirmed",
});

const policyOf = (date: string): PolicyView => ({
  id: MADE_UP.policy,
  name: "made up",
  status: "Active",
  activityKind: "Wallets:Sign",
  rule: { kind: "AlwaysTrigger" },
  action: { kind: "NoAction" },
  filters: {},
  dateCreated: date,
  dateUpdated: date,
});

const activityOf = (date: string) => ({
  kind: "Wallets:Sign",
  transferRequest: transferOf("requested", date),
});

const evaluationOf = (date: string) => ({
  id: MADE_UP.evaluation,
  triggered: true,
  reason: REASON,
  date,
  policy: policyOf(date),
  activity: activityOf(date),
});

const approvalOf = (isResolved: boolean, date: string): ApprovalView => ({
  id: MADE_UP.approval,
  initiatorId: MADE_UP.user,
  activity: activityOf(date),
  status: isResolved ? "Approved" : "Pending",
  dateCreated: date,
  dateUpdated: date,
  ...(isResolved ? { dateResolved: date } : {}),
  policyEvaluations: [{ policyId: MADE_UP.policy, triggered: true, reason: REASON }],
  evaluatedPolicies: [{ policyId: MADE_UP.policy, triggerStatus: "Triggered", reason: REASON }],
  approvalGroups: [],
  decisions: isResolved
    ? [{ userId: MADE_UP.user, value: "Approved", reason: null, date, dateActioned: date }]
    : [],
});

const dataOf = (kind: EventKind, date: string): Readonly<Record<string, unknown>> => {
  switch (kind) {
    case "key.created":
    case "key.delegated":
    case "key.exported":
    case "key.deleted":
      return { key: keyOf(kind, date) };
    case "wallet.created":
    case "wallet.delegated":
    case "wallet.exported":
      return { wallet: walletOf(kind, date) };
    case "wallet.tags.modified":
      return { wallet: walletOf(kind, date), tagsAdded: ["made-up"], tagsRemoved: [] };
    case "wallet.transfer.requested":
      return { transferRequest: transferOf("requested", date) };
    case "wallet.transfer.broadcasted":
      return { transferRequest: transferOf("broadcasted", date) };
    case "wallet.transfer.confirmed":
      return { transferRequest: transferOf("confirmed", date) };
    case "wallet.transfer.failed":
      return { transferRequest: transferOf("failed", date) };
    case "wallet.transfer.rejected":
      return { transferRequest: transferOf("rejected", date) };
    case "wallet.transaction.requested":
      return { transactionRequest: transactionOf("requested", date) };
    case "wallet.transaction.broadcasted":
      return { transactionRequest: transactionOf("broadcasted", date) };
    case "wallet.transaction.confirmed":
      return { transactionRequest: transactionOf("confirmed", date) };
    case "wallet.transaction.failed":
      return { transactionRequest: transactionOf("failed", date) };
    case "wallet.transaction.rejected":
      return { transactionRequest: transactionOf("rejected", date) };
    case "wallet.signature.requested":
      return { signatureRequest: signatureOf("requested", date) };
    case "wallet.signature.signed":
      return { signatureRequest: signatureOf("signed", date) };
    case "wallet.signature.failed":
      return { signatureRequest: signatureOf("failed", date) };
    case "wallet.signature.rejected":
      return { signatureRequest: signatureOf("rejected", date) };
    case "wallet.blockchainevent.detected":
      return { blockchainEvent: depositOf(date) };
    case "address_watch.blockchain_event.transfer.confirmed":
      return { blockchainEvent: watchedMovementOf(date) };
    case "policy.triggered":
      return { policyEvaluation: evaluationOf(date) };
    case "policy.approval.pending":
      return { activityId: MADE_UP.transfer, approval: approvalOf(false, date) };
    case "policy.approval.resolved":
      return { activityId: MADE_UP.transfer, approval: approvalOf(true, date) };
  }
};

/**
 * An event that did not happen, about things that do not exist.
 * @param date ISO 8601 UTC: when it is to have happened
 */
export const exampleEvent = (kind: EventKind, date: string) => ({ kind, date, data: dataOf(kind, date) });
