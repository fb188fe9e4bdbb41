import { type PartyIndex, partyIndex } from "@conclave/threshold";

/** The role of a certificate's owner. Peers trust this role, never an address or a host name. */
export type Role =
  | { readonly kind: "signer"; readonly index: PartyIndex }
  | { readonly kind: "orchestrator" };

const SCHEME = "conclave://";
const SIGNER = /^signer\/([1-9][0-9]?)$/;

/** The URI among a leaf certificate's subject alternative names that states its role: `conclave://<clusterId>/signer/1`. */
export const roleUri = (clusterId: string, role: Role): string =>
  `${SCHEME}${clusterId}/${role.kind === "signer" ? `signer/${role.index}` : role.kind}`;

const parseRole = (path: string): Role | undefined => {
  if (path === "orchestrator") return { kind: "orchestrator" };
  const index = partyIndex(Number(SIGNER.exec(path)?.[1] ?? 0));
  return index === undefined ? undefined : { kind: "signer", index };
};

/**
 * Reads the role from a certificate. It does not check the chain of trust; TLS has done that before.
 *
 * @returns undefined if the certificate names no role, several roles, or a role of another cluster
 */
export const roleOf = (
  certificate: { readonly subjectaltname?: string | undefined } | undefined,
  clusterId: string,
): Role | undefined => {
  const uris = (certificate?.subjectaltname ?? "")
    .split(", ")
    .filter((name) => name.startsWith(`URI:${SCHEME}`))
    .map((name) => name.slice("URI:".length));
  const [uri, ...others] = uris;
  const prefix = `${SCHEME}${clusterId}/`;
  if (uri === undefined || others.length > 0 || !uri.startsWith(prefix)) return undefined;
  return parseRole(uri.slice(prefix.length));
};

export const sameRole = (a: Role, b: Role): boolean =>
  a.kind === "signer" ? b.kind === "signer" && a.index === b.index : a.kind === b.kind;
