export * from "./account.ts";
export * from "./algorand-samples.ts";
export * from "./anvil.ts";
export * from "./bitcoin-samples.ts";
export * from "./samples.ts";
export * from "./stub-algod.ts";
export * from "./toy/index.ts";
