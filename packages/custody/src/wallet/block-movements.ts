import type { WatchedMovement } from "../address-watch/watched-movement.ts";
import type { TransferBody } from "../chain-request/transfer-body.ts";
import type { AddressWatchId, OrganisationId, WalletId } from "../identifiers.ts";
import type { Asset, Network } from "../network.ts";
import { areAnnounced } from "./claimed-movements.ts";
import { type Deposit, storableMovement } from "./deposit.ts";

/** A movement as a chain's node tells it. */
interface SeenMovement {
  readonly txHash: string;
  readonly place: string;
  readonly from: string | undefined;
  readonly moved: TransferBody;
  readonly date?: string;
}

/** A wallet at an address. */
interface PaidWallet {
  readonly walletId: WalletId;
  readonly orgId: OrganisationId;
  readonly address: string;
}

/** A watch of an address. */
interface TouchedWatch {
  readonly addressWatchId: AddressWatchId;
  readonly orgId: OrganisationId;
  readonly address: string;
}

/** A final block whose movements are recorded. */
export interface ReadBlock {
  readonly network: Network;
  readonly height: bigint;
  /** ISO 8601 UTC: when it was seen as a final block */
  readonly seen: string;
  /** describes what moved, as far as it is known */
  readonly assetOf: (moved: TransferBody) => Asset;
}

/** Whether a record gets an event, besides its place in a history. */
interface Announced {
  readonly isAnnounced: boolean;
}

/** A movement, and a wallet that it came to. */
export interface Paid extends Announced {
  readonly movement: SeenMovement;
  readonly payee: PaidWallet;
}

/** A movement, and a watch of the address at one of its ends. */
export interface Watched extends Announced {
  readonly movement: SeenMovement;
  readonly watcher: TouchedWatch;
  readonly direction: WatchedMovement["direction"];
}

const byAddress = <At extends { readonly address: string }>(
  those: readonly At[],
): ReadonlyMap<string, readonly At[]> => {
  const at = new Map<string, At[]>();
  for (const each of those) {
    const others = at.get(each.address);
    if (others === undefined) at.set(each.address, [each]);
    else others.push(each);
  }
  return at;
};

/**
 * Pairs the movements of a block with the wallets that they came to. The receiver gets a deposit even if another wallet
 * of its organisation paid.
 * @param movements in the order of the block: it decides which of very many get an event
 */
export const paidIn = (
  movements: readonly SeenMovement[],
  payees: readonly PaidWallet[],
): readonly Paid[] => {
  const at = byAddress(payees);
  const paid = movements.flatMap((movement) =>
    (at.get(movement.moved.to) ?? []).map((payee) => ({ movement, payee })),
  );
  const announced = areAnnounced(
    paid.map(({ movement: { moved }, payee: { walletId } }) => ({ moved, at: walletId })),
  );
  return paid.map((each, nth) => ({ ...each, isAnnounced: announced[nth] ?? true }));
};

/**
 * Pairs the movements of a block with the watches of their ends. One from a watched address to itself is both: out and
 * in.
 * @param movements in the order of the block
 */
export const watchedIn = (
  movements: readonly SeenMovement[],
  watchers: readonly TouchedWatch[],
): readonly Watched[] => {
  const at = byAddress(watchers);
  const touching = (movement: SeenMovement, direction: Watched["direction"], end: string | undefined) =>
    (end === undefined ? [] : (at.get(end) ?? [])).map((watcher) => ({ movement, watcher, direction }));
  const watched = movements.flatMap((movement) => [
    ...touching(movement, "Out", movement.from),
    ...touching(movement, "In", movement.moved.to),
  ]);
  const announced = areAnnounced(
    watched.map(({ movement: { moved }, watcher: { addressWatchId }, direction }) => ({
      moved,
      at: `${addressWatchId} ${direction}`,
    })),
  );
  return watched.map((each, nth) => ({ ...each, isAnnounced: announced[nth] ?? true }));
};

const recordOf = <At extends object>(
  { network, height, seen, assetOf }: ReadBlock,
  movement: SeenMovement,
  at: At,
) =>
  storableMovement({
    ...at,
    ...movement,
    network,
    asset: assetOf(movement.moved),
    blockNumber: height,
    date: movement.date ?? seen,
  });

/** The deposit of a movement to a wallet; undefined if no record can hold it. */
export const depositOf = (
  block: ReadBlock,
  { movement, payee: { walletId, orgId }, isAnnounced }: Paid,
): (Omit<Deposit, "id"> & Announced) | undefined =>
  recordOf(block, movement, { walletId, orgId, isAnnounced });

/** The record of a movement at a watched address; undefined if no record can hold it. */
export const watchedMovementOf = (
  block: ReadBlock,
  { movement, watcher: { addressWatchId, orgId }, direction, isAnnounced }: Watched,
): (Omit<WatchedMovement, "id"> & Announced) | undefined =>
  recordOf(block, movement, { addressWatchId, orgId, direction, isAnnounced });
