import type { IdentityRoster } from "@conclave/threshold";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** The name of a cluster in receipts: a hash of its signers' identity keys. No two clusters have the same. */
export const clusterOf = (roster: IdentityRoster): string => {
  const members = [...roster].sort(([one], [other]) => one - other);
  const identities = members.map(([index, { identity }]) => [index, bytesToHex(identity)]);
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(["conclave/v1/roster", identities]))));
};
