export * from "./environment.ts";
export { type IdentityRenewal, RENEWALS_MAX, renewalBytes } from "./identity-renewals.ts";
export * from "./json-file.ts";
export * from "./networks.ts";
export * from "./prices.ts";
export * from "./roster.ts";
export * from "./roster-members.ts";
export * from "./secret-files.ts";
export * from "./signers-listing.ts";
