export { type AttestingTime, attestingClusters } from "./attesting-clusters.ts";
export * from "./environment.ts";
export { type IdentityRenewal, RENEWALS_MAX } from "./identity-renewals.ts";
export * from "./json-file.ts";
export * from "./networks.ts";
export * from "./prices.ts";
export * from "./roster.ts";
export { type RemovalReason, ROSTER_CHANGES_MAX, type RosterChange } from "./roster-changes.ts";
export {
  type DatedRoster,
  identitiesAt,
  lastEventBytes,
  leastSigned,
  type PastSigner,
  pastIdentities,
  type RosterEvent,
  type RosterTime,
  timesOf,
} from "./roster-history.ts";
export * from "./roster-members.ts";
export * from "./secret-files.ts";
export * from "./signers-listing.ts";
