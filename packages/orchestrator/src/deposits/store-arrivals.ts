import type { Arrival } from "@conclave/chains";
import { type Asset, type Deposit, depositDetected, storableMovement } from "@conclave/custody";
import {
  type Connection,
  insertDeposits,
  moveReadingOn,
  type Payee,
  type ReadPlace,
  walletsAt,
} from "@conclave/platform";
import { depositsDetected } from "../log/deposit-events.ts";
import { areAnnounced } from "./claimed-movements.ts";
import type { DepositWatch } from "./deposit-watch.ts";
import { type ReadBlock, reportUnstorable } from "./read-block.ts";
import { markRead, type RoundEnd } from "./round-end.ts";
import { type Stored, storeInTurns } from "./store-in-turns.ts";
import { storeWatched, watchedIn } from "./watched-movements.ts";

/** An arrival, and a wallet that it came to. */
interface Paid {
  readonly arrival: Arrival;
  readonly payee: Payee;
  /** whether it gets an event */
  readonly isAnnounced: boolean;
}

/** A deposit to store. */
interface NewDeposit extends Omit<Deposit, "id"> {
  readonly isAnnounced: boolean;
}

/**
 * Pairs arrivals with the wallets that they came to. The receiver gets a deposit even if another wallet of its
 * organisation paid.
 */
const paidIn = (arrivals: readonly Arrival[], payees: readonly Payee[]): readonly Paid[] => {
  const at = new Map<string, Payee[]>();
  for (const payee of payees) {
    const others = at.get(payee.address);
    if (others === undefined) at.set(payee.address, [payee]);
    else others.push(payee);
  }
  const paid = arrivals.flatMap((arrival) =>
    (at.get(arrival.moved.to) ?? []).map((payee) => ({ arrival, payee })),
  );
  const announced = areAnnounced(
    paid.map(({ arrival: { moved }, payee: { walletId } }) => ({ moved, at: walletId })),
  );
  return paid.map((each, nth) => ({ ...each, isAnnounced: announced[nth] ?? true }));
};

/** @returns undefined for an arrival that no record can hold, which it logs */
const depositOf = (
  watch: DepositWatch,
  { height, assetOf, seen }: ReadBlock,
  { arrival, payee: { walletId, orgId }, isAnnounced }: Paid,
): NewDeposit | undefined => {
  const deposit = storableMovement({
    ...arrival,
    walletId,
    orgId,
    network: watch.network,
    asset: assetOf(arrival.moved),
    blockNumber: height,
    date: arrival.date ?? seen,
  });
  if (deposit === undefined) reportUnstorable(watch, height, arrival, { walletId });
  return deposit && { ...deposit, isAnnounced };
};

/** Stores deposits and their events. */
const storeDeposits = (
  watch: DepositWatch,
  connection: Connection,
  block: ReadBlock,
  paid: readonly Paid[],
): Promise<Stored> =>
  storeInTurns(connection, paid, {
    rowOf: (each) => depositOf(watch, block, each),
    insert: insertDeposits,
    eventOf: (deposit) => depositDetected(watch.families, deposit, block.seen),
  });

/** Makes the record of a block. It looks up what the tokens are that moved. */
const readBlockOf = async (
  { chain, describeTokens, network, now }: DepositWatch,
  height: bigint,
  arrivals: readonly Arrival[],
): Promise<ReadBlock> => {
  const { nativeAsset, tokenOf } = chain.family;
  const tokens = new Set(arrivals.flatMap(({ moved }) => tokenOf?.(moved) ?? []));
  const described = await describeTokens(chain.node, tokens);
  const assetOf = (moved: Arrival["moved"]): Asset =>
    moved.kind === "Native" ? nativeAsset(network) : (described.get(tokenOf?.(moved) ?? "") ?? {});
  return { height, seen: now(), assetOf };
};

/** Logs the stored records of a block, and, once for it, that a contract claims more transfers than become events. */
const report = (
  { network, logger, counted }: DepositWatch,
  height: bigint,
  [deposits, watched]: readonly [Stored, Stored],
): void => {
  depositsDetected(logger, { network, height, deposits: deposits.records, watched: watched.records });
  const unannounced = deposits.unannounced + watched.unannounced;
  if (unannounced > 0) counted.depositsUnannounced(logger, { network, height, unannounced });
};

/**
 * Stores the arrivals of a block at wallets and watched addresses, and their events, in one transaction, with the height,
 * and with the block's hash unless the node has forgotten it: so each movement is detected once (INV-6).
 * @param stands the place of reading in the database
 * @returns the new place; "empty" where no arrival concerns a wallet or a watch here; "unread" where the node does not
 * answer, the chain was rewritten meanwhile, or another reader has moved on meanwhile
 */
export const storeArrivals = async (
  watch: DepositWatch,
  stands: ReadPlace,
  height: bigint,
  end: RoundEnd,
  arrivals: readonly Arrival[],
): Promise<ReadPlace | "empty" | "unread"> => {
  const { chain, database, network } = watch;
  if (arrivals.length === 0) return "empty";
  const payees = await walletsAt(database, network, [...new Set(arrivals.map(({ moved }) => moved.to))]);
  const paid = paidIn(arrivals, payees);
  const watched = await watchedIn(watch, arrivals);
  if (paid.length === 0 && watched.length === 0) return "empty";
  // one node of the network may show the block while another has forgotten it: then it is stored without its hash
  const marks = await markRead(chain.node, stands.marks, height, end);
  if (marks === undefined) return "unread";
  const to = { height, marks };
  const block = await readBlockOf(
    watch,
    height,
    [...paid, ...watched].map(({ arrival }) => arrival),
  );
  const stored = await database.transaction(async (connection) => {
    if (!(await moveReadingOn(connection, network, stands, to))) return undefined;
    const deposits = await storeDeposits(watch, connection, block, paid);
    return [deposits, await storeWatched(watch, connection, block, watched)] as const;
  });
  if (stored === undefined) return "unread";
  report(watch, height, stored);
  return to;
};
