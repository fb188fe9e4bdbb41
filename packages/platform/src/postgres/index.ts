export * from "./address-watches/address-watches.ts";
export * from "./address-watches/watched-movements.ts";
export { withAdvisoryLock } from "./advisory-lock.ts";
export { attend } from "./attend.ts";
export * from "./clock/database-clock.ts";
export * from "./clock/times-ahead.ts";
export type { CommitOutcome } from "./commit/commit.ts";
export * from "./connection/refused-connection.ts";
export * from "./database.ts";
export * from "./deposits.ts";
export * from "./due-requests/index.ts";
export * from "./events.ts";
export * from "./faults.ts";
export * from "./keys/attested-keys.ts";
export * from "./keys/bulk-jobs.ts";
export * from "./keys/bulk-wallets.ts";
export { attendAttestedKeys, type KeyActivation } from "./keys/key-activation.ts";
export { readKeyAttestations } from "./keys/key-attestations.ts";
export * from "./keys/key-change.ts";
export * from "./keys/key-exports.ts";
export * from "./keys/key-imports.ts";
export * from "./keys/keys.ts";
export * from "./keys/wallets.ts";
export type { Subscription } from "./listener.ts";
export * from "./migrate.ts";
export * from "./movements/store-in-turns.ts";
export { LOGIN_PATTERN } from "./orchestrator-rights.ts";
export * from "./orchestrators.ts";
export * from "./outbox.ts";
export type { Page } from "./page.ts";
export * from "./people/access-tokens.ts";
export * from "./people/administrators.ts";
export * from "./people/applications.ts";
export * from "./people/audit-logs.ts";
export * from "./people/bootstrap.ts";
export * from "./people/credentials.ts";
export * from "./people/one-time-codes.ts";
export * from "./people/organisations.ts";
export * from "./people/owners.ts";
export * from "./people/principal.ts";
export * from "./people/registration-codes.ts";
export * from "./people/request-nonces.ts";
export * from "./people/request-windows.ts";
export * from "./people/rights.ts";
export * from "./people/room.ts";
export * from "./people/spent-challenges.ts";
export * from "./people/user-actions.ts";
export * from "./people/users.ts";
export * from "./policies/approval-subjects.ts";
export * from "./policies/assigned-permissions.ts";
export * from "./policies/change-requests.ts";
export * from "./policies/permission-assignments.ts";
export * from "./policies/permissions.ts";
export * from "./policies/policies.ts";
export * from "./policies/policies-in-force.ts";
export * from "./policies/policy-approvals.ts";
export * from "./policies/policy-approvers.ts";
export * from "./policies/policy-evaluations.ts";
export * from "./policies/policy-filters.ts";
export * from "./presignature-leases.ts";
export * from "./record-marks.ts";
export * from "./relay.ts";
export { changeChainRequest } from "./requests/chain-request-change.ts";
export {
  type FollowedRequest,
  insertChainRequest,
  listFollowed,
  listReplaced,
  listTransactions,
  listTransfers,
  lockChainRequest,
  readChainRequest,
  readChainRequestByExternalId,
  readChainRequestStatus,
  readTransaction,
  readTransfer,
} from "./requests/chain-requests.ts";
export * from "./requests/coin-looks.ts";
export * from "./requests/commit-request.ts";
export * from "./requests/commit-signature.ts";
export * from "./requests/dead-transactions.ts";
export * from "./requests/due-authorisations.ts";
export * from "./requests/fee-waits.ts";
export * from "./requests/history.ts";
export * from "./requests/organisation-history.ts";
export * from "./requests/replacement-chain.ts";
export * from "./requests/sent-places.ts";
export * from "./requests/sequences.ts";
export * from "./requests/signature-change.ts";
export * from "./requests/signatures.ts";
export * from "./requests/unsure-requests.ts";
export * from "./requests/wallet-line.ts";
export * from "./requests/wallet-spendings.ts";
export { startPruning } from "./retention/pruning.ts";
export * from "./unique-violation.ts";
export {
  deleteMembers,
  insertMembers,
  listMembers,
  readActiveMembers,
  readMembersAmong,
  readUnknownPeople,
} from "./user-groups/members.ts";
export * from "./user-groups/naming-policies.ts";
export * from "./user-groups/user-groups.ts";
export * from "./webhooks/webhook-deliveries.ts";
export * from "./webhooks/webhooks.ts";
