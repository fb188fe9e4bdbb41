import { type PartyIndex, partyIndex } from "@conclave/threshold";

/** Who may stand behind a certificate. The mesh trusts this, never an address or a name. */
export type Role =
  | { readonly kind: "signer"; readonly index: PartyIndex }
  | { readonly kind: "orchestrator" };

const SCHEME = "conclave://";
const SIGNER = /^signer\/([1-9][0-9]?)$/;

/** The URI that a leaf carries among its subject alternative names: `conclave://<clusterId>/signer/1`. */
export const roleUri = (clusterId: string, role: Role): string =>
  `${SCHEME}${clusterId}/${role.kind === "signer" ? `signer/${role.index}` : role.kind}`;

const parseRole = (path: string): Role | undefined => {
  if (path === "orchestrator") return { kind: "orchestrator" };
  const index = partyIndex(Number(SIGNER.exec(path)?.[1] ?? 0));
  return index === undefined ? undefined : { kind: "signer", index };
};

/**
 * The role in a verified certificate of this cluster; undefined when it names none, several, or another cluster's.
 * Says nothing of the chain of trust: TLS has checked that before.
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
