import type { Role, Roster } from "@conclave/platform";
import { partyIndex } from "@conclave/threshold";
import { LaunchError } from "../launch-error.ts";
import type { StateLayout } from "../state/layout.ts";

/** A member with a TLS certificate of the cluster. The gateway has none, because it never connects to signers. */
export interface TlsMember {
  /** such as "signer-2", or "orchestrator" */
  readonly id: string;
  readonly role: Role;
  /** path of the folder with its keys */
  readonly folder: string;
}

/** The DNS names in a member's certificate: in a network of containers, a signer's host name is its id. */
export const hostsOf = (role: Role): readonly string[] =>
  role.kind === "signer" ? [`signer-${role.index}`] : [];

export const tlsMembersOf = (
  layout: StateLayout,
  { signers }: Pick<Roster, "signers">,
): readonly TlsMember[] => [
  ...signers.map(({ id, index: number }) => {
    const index = partyIndex(number);
    if (index === undefined) throw new Error(`${number} is no party index`);
    return { id, role: { kind: "signer", index } as const, folder: layout.signer(number) };
  }),
  { id: "orchestrator", role: { kind: "orchestrator" }, folder: layout.orchestrator },
];

/** The named members, or all if `names` is absent. Rejects with a LaunchError if a name is unknown. */
export const namedMembers = (
  members: readonly TlsMember[],
  names: readonly string[] | undefined,
): readonly TlsMember[] => {
  if (names === undefined) return members;
  const known = members.map(({ id }) => id);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0 || names.length === 0) {
    throw new LaunchError(
      unknown.length > 0 ? `there is no member ${unknown.join(", ")}` : "no member is named",
      `There are ${known.join(", ")}.`,
    );
  }
  return members.filter(({ id }) => names.includes(id));
};
