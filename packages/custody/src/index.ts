export * from "./address-watch/address-watch.ts";
export * from "./address-watch/address-watch-body.ts";
export * from "./address-watch/address-watch-view.ts";
export * from "./address-watch/watched-movement.ts";
export * from "./amount.ts";
export * from "./authorisation/act.ts";
export {
  AUTHORISATION_AGE_MS_MAX,
  type AuthorisationDates,
  authorisedAtMs,
} from "./authorisation/date-authorised.ts";
export * from "./authorisation/dead-transactions.ts";
export * from "./authorisation/family-content.ts";
export * from "./authorisation/key.ts";
export * from "./authorisation/key-change.ts";
export * from "./authorisation/key-export.ts";
export * from "./authorisation/key-import.ts";
export * from "./authorisation/message.ts";
export { isForCluster } from "./authorisation/named-cluster.ts";
export * from "./authorisation/signature.ts";
export * from "./authorisation/signed-authorisation.ts";
export * from "./authorisation/signing.ts";
export * from "./chain-request/abi-function.ts";
export * from "./chain-request/chain-request.ts";
export * from "./chain-request/chain-request-decision.ts";
export { lowerHex, lowerHexOf } from "./chain-request/hexadecimal.ts";
export * from "./chain-request/owners-acts.ts";
export * from "./chain-request/reading.ts";
export * from "./chain-request/refused-for-good.ts";
export * from "./chain-request/replacement-room.ts";
export * from "./chain-request/request-view.ts";
export * from "./chain-request/transaction-body.ts";
export * from "./chain-request/transaction-judgement.ts";
export * from "./chain-request/transaction-view.ts";
export * from "./chain-request/transfer-body.ts";
export type { Priority } from "./chain-request/transfer-fields.ts";
export * from "./chain-request/transfer-judgement.ts";
export * from "./chain-request/transfer-view.ts";
export * from "./clocks-apart.ts";
export * from "./errors.ts";
export * from "./event.ts";
export type { AddressKeys, AddressSpelling } from "./families/address-keys.ts";
export { type FamilyExamples, SAMPLE_ACCOUNT, SAMPLE_SHORT_ACCOUNT } from "./families/examples.ts";
export * from "./families/fee-levels.ts";
export * from "./families/rules.ts";
export { fungible } from "./families/view-fields.ts";
export type { MovementView, TokenView } from "./families/views.ts";
export * from "./identifiers.ts";
export * from "./json-size.ts";
export * from "./key/attestations-view.ts";
export * from "./key/key.ts";
export * from "./key/key-activation.ts";
export * from "./key/key-attestation.ts";
export * from "./key/key-body.ts";
export * from "./key/key-decision.ts";
export * from "./key/key-format.ts";
export * from "./key/key-options.ts";
export * from "./key/key-passage-body.ts";
export * from "./key/key-statement.ts";
export * from "./key/key-view.ts";
export * from "./key/wallet-key-format.ts";
export * from "./network.ts";
export * from "./people/index.ts";
export * from "./permissions/change-request.ts";
export * from "./permissions/operations.ts";
export * from "./permissions/permission.ts";
export * from "./permissions/permission-body.ts";
export * from "./permissions/permission-view.ts";
export * from "./policies/index.ts";
export * from "./policies/policy-decision.ts";
export * from "./requester.ts";
export * from "./signature/signature.ts";
export * from "./signature/signature-body.ts";
export * from "./signature/signature-decision.ts";
export * from "./signature/signature-judgement.ts";
export * from "./signature/signature-view.ts";
export * from "./signature/typed-data.ts";
export * from "./text.ts";
export * from "./wallet/block-movements.ts";
export * from "./wallet/bulk-job.ts";
export * from "./wallet/bulk-job-body.ts";
export * from "./wallet/bulk-job-view.ts";
export * from "./wallet/deposit.ts";
export * from "./wallet/history.ts";
export * from "./wallet/wallet.ts";
export {
  type CreateWalletBody,
  createWalletBodySchema,
  tagsBodySchema,
  type UpdateWalletBody,
  updateWalletBodySchema,
} from "./wallet/wallet-body.ts";
export * from "./wallet/wallet-decision.ts";
export * from "./wallet/wallet-holdings.ts";
export * from "./wallet/wallet-view.ts";
export * from "./webhooks/delivery.ts";
export * from "./webhooks/webhook.ts";
export * from "./webhooks/webhook-body.ts";
export * from "./world.ts";
