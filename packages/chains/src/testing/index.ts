export type { StellarOperation } from "../stellar/xdr/operation.ts";
export * from "./account.ts";
export * from "./algorand-samples.ts";
export * from "./anvil.ts";
export * from "./samples.ts";
export * from "./stellar-samples.ts";
export * from "./stub-algod.ts";
export * from "./stub-horizon.ts";
export * from "./toy/index.ts";
