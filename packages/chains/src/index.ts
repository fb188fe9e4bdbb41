export type * from "./chain.ts";
export type { FeeBumps } from "./fee-bumps.ts";
export * from "./judge-signer.ts";
export * from "./recover.ts";
export * from "./registry.ts";
export * from "./replaces-transactions.ts";
export * from "./signing-reader.ts";
