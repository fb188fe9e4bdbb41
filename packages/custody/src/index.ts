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
export * from "./authorisation/signature.ts";
export * from "./authorisation/signed-authorisation.ts";
export * from "./authorisation/signing.ts";
export * from "./chain-request/chain-request.ts";
export * from "./chain-request/chain-request-decision.ts";
export * from "./chain-request/owners-acts.ts";
export * from "./chain-request/reading.ts";
export * from "./chain-request/refused-for-good.ts";
export * from "./chain-request/request-view.ts";
export * from "./chain-request/transaction-body.ts";
export * from "./chain-request/transaction-judgement.ts";
export * from "./chain-request/transaction-view.ts";
export * from "./chain-request/transfer-body.ts";
export type { Priority } from "./chain-request/transfer-fields.ts";
export * from "./chain-request/transfer-judgement.ts";
export * from "./chain-request/transfer-view.ts";
export * from "./errors.ts";
export * from "./event.ts";
export * from "./families/algorand/act.ts";
export * from "./families/algorand/address.ts";
export { unsuitableAlgorand } from "./families/algorand/recipients.ts";
export * from "./families/algorand/rules.ts";
export * from "./families/bitcoin/act.ts";
export * from "./families/bitcoin/address.ts";
export type { BitcoinFeeLevels } from "./families/bitcoin/fee-levels.ts";
export * from "./families/bitcoin/parameters.ts";
export * from "./families/bitcoin/rules.ts";
export * from "./families/bitcoin/script.ts";
export * from "./families/evm/abi-function.ts";
export * from "./families/evm/act.ts";
export * from "./families/evm/address.ts";
export type { EvmFeeLevels } from "./families/evm/fee-levels.ts";
export * from "./families/evm/replacement-fees.ts";
export * from "./families/evm/rules.ts";
export * from "./families/evm/typed-data.ts";
export { type FamilyExamples, SAMPLE_ACCOUNT, SAMPLE_SHORT_ACCOUNT } from "./families/examples.ts";
export * from "./families/rules.ts";
export * from "./families/solana/act.ts";
export * from "./families/solana/address.ts";
export type { SolanaFeeLevels } from "./families/solana/fee-levels.ts";
export { SOLANA_KEYLESS, solanaRecipientUnsuitable } from "./families/solana/keyless.ts";
export * from "./families/solana/rules.ts";
export * from "./families/solana/token.ts";
export * from "./families/stellar/act.ts";
export * from "./families/stellar/address.ts";
export * from "./families/stellar/asset.ts";
export * from "./families/stellar/int64.ts";
export * from "./families/stellar/memo.ts";
export { STELLAR_DECIMALS } from "./families/stellar/native-asset.ts";
export { unsuitableStellar } from "./families/stellar/recipients.ts";
export * from "./families/stellar/rules.ts";
export * from "./families/tron/act.ts";
export * from "./families/tron/address.ts";
export { tronRecipientUnsuitable } from "./families/tron/keyless.ts";
export { TRON_INT64_MAX } from "./families/tron/numbers.ts";
export * from "./families/tron/rules.ts";
export * from "./families/xrpl/act.ts";
export {
  isXrplEd25519,
  parseXrplAddress,
  xrplAccountId,
  xrplAddress,
  xrplAddressOf,
  xrplPublicKey,
} from "./families/xrpl/address.ts";
export { DROPS_MAX } from "./families/xrpl/native-asset.ts";
export { isNobodysXrplKey, unsuitableXrpl } from "./families/xrpl/recipients.ts";
export * from "./families/xrpl/rules.ts";
export * from "./identifiers.ts";
export * from "./key/key.ts";
export * from "./key/key-activation.ts";
export * from "./key/key-attestation.ts";
export * from "./key/key-body.ts";
export * from "./key/key-decision.ts";
export * from "./key/key-format.ts";
export * from "./key/key-options.ts";
export * from "./key/key-passage-body.ts";
export * from "./key/key-view.ts";
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
export * from "./text.ts";
export * from "./wallet/deposit.ts";
export * from "./wallet/history.ts";
export * from "./wallet/wallet.ts";
export * from "./wallet/wallet-body.ts";
export * from "./wallet/wallet-decision.ts";
export * from "./wallet/wallet-holdings.ts";
export * from "./wallet/wallet-view.ts";
export * from "./webhooks/delivery.ts";
export * from "./webhooks/webhook.ts";
export * from "./webhooks/webhook-body.ts";
export * from "./world.ts";
