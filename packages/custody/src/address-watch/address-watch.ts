import { fail, ok, type Result } from "../errors.ts";
import type { FamilyTable } from "../families/rules.ts";
import type { AddressWatchId, OrganisationId } from "../identifiers.ts";
import { familyOf, type Network } from "../network.ts";

/** The most addresses that an organisation watches at a time: each is looked for in every block. */
export const MOST_ADDRESS_WATCHES = 1_000;

export const ADDRESS_WATCH_STATUSES = ["Active", "Archived"] as const;

/** An address of a chain that an organisation watches. No key of the cluster signs for it, unless it is a wallet's own. */
export interface AddressWatch {
  readonly id: AddressWatchId;
  readonly orgId: OrganisationId;
  readonly network: Network;
  /** as the network's node names it */
  readonly address: string;
  readonly name: string | undefined;
  readonly externalId: string | undefined;
  /** an archived one records nothing, and keeps its history */
  readonly status: (typeof ADDRESS_WATCH_STATUSES)[number];
  /** ISO 8601 UTC, as the other dates */
  readonly dateCreated: string;
  /** when it began to watch: at its creation, or when a deleted one was created again */
  readonly dateActivated: string;
  /** undefined for an active one */
  readonly dateDeleted: string | undefined;
}

/**
 * Judges the address of a new watch.
 * @param networks those of this cluster
 * @returns the address as the network's node names it; WatchNotSupported where blocks do not show who paid;
 * AddressInvalid, AddressChecksum
 */
export const judgeWatchedAddress = (
  families: FamilyTable,
  networks: readonly Network[],
  { network, address }: Pick<AddressWatch, "network" | "address">,
): Result<string> => {
  const judgeOf = (one: Network) => families.find(familyOf(one))?.judgeWatched;
  const judge = judgeOf(network);
  if (judge !== undefined) return judge(address);
  return fail("WatchNotSupported", {
    network,
    networks: networks.filter((one) => judgeOf(one) !== undefined),
  });
};

/** The change of a watch: one that exists already and is active stays as it is. @returns AddressWatched, with its id */
export const reactivated = (watch: AddressWatch, date: string): Result<AddressWatch> =>
  watch.status === "Active"
    ? fail("AddressWatched", { addressWatchId: watch.id })
    : ok({ ...watch, status: "Active", dateActivated: date, dateDeleted: undefined });

/** Archives a watch. An archived one stays as it is. */
export const archived = (watch: AddressWatch, date: string): AddressWatch =>
  watch.status === "Archived" ? watch : { ...watch, status: "Archived", dateDeleted: date };
