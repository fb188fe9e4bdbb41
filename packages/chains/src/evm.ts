/** Exports of the EVM family, for code that is specific to EVM: tests, benches and demos. Neutral code uses the registry. */
export * from "./evm/address.ts";
export * from "./evm/attach.ts";
export * from "./evm/decode-any.ts";
export * from "./evm/family.ts";
export * from "./evm/fees/choose-fees.ts";
export type { EvmNetwork } from "./evm/network.ts";
export * from "./evm/read.ts";
export * from "./evm/rules/act.ts";
export { checksumEvmAddress } from "./evm/rules/address.ts";
export { type GasFees, leastReplacing } from "./evm/rules/replacement-fees.ts";
export * from "./evm/transaction.ts";
