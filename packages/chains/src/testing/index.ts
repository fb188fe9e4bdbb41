export * from "./account.ts";
export * from "./anvil.ts";
export * from "./samples.ts";
export * from "./toy/index.ts";
