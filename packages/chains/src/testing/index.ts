export * from "./account.ts";
export * from "./algorand-samples.ts";
export * from "./anvil.ts";
export * from "./samples.ts";
export * from "./stub-algod.ts";
export * from "./stub-rippled.ts";
export * from "./toy/index.ts";
export * from "./xrpl-samples.ts";
