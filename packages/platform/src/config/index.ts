export * from "./environment.ts";
export * from "./export-request.ts";
export * from "./import-request.ts";
export * from "./json-file.ts";
export * from "./networks.ts";
export * from "./prices.ts";
export * from "./roster.ts";
export * from "./signers-listing.ts";
