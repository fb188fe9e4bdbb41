import type { Arrival } from "@conclave/chains";
import { type Asset, type Deposit, depositDetected, storableDeposit } from "@conclave/custody";
import {
  type Connection,
  insertDeposits,
  moveReadingOn,
  type Payee,
  type ReadPlace,
  recordEvents,
  walletsAt,
} from "@conclave/platform";
import { depositsDetected } from "../log/deposit-events.ts";
import { areAnnounced } from "./claimed-movements.ts";
import type { DepositWatch } from "./deposit-watch.ts";
import { markRead, type RoundEnd } from "./round-end.ts";

/** Arrivals that are stored in one statement before other work has its turn. */
const STORED_AT_ONCE = 200;
/** Limit on the characters of a node's place name in a log line. */
const PLACE_SHOWN = 100;

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

/** The number of stored deposits. */
interface Stored {
  readonly deposits: number;
  /** those among them without an event */
  readonly unannounced: number;
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
    paid.map(({ arrival: { moved }, payee: { walletId } }) => ({ moved, walletId })),
  );
  return paid.map((each, nth) => ({ ...each, isAnnounced: announced[nth] ?? true }));
};

/** @returns undefined for an arrival that no record can hold, which it logs */
const depositOf = (
  { network, logger, counted }: DepositWatch,
  { arrival, payee: { walletId, orgId }, isAnnounced }: Paid,
  height: bigint,
  asset: Asset,
  seen: string,
): NewDeposit | undefined => {
  const date = arrival.date ?? seen;
  const deposit = storableDeposit({
    ...arrival,
    walletId,
    orgId,
    network,
    asset,
    blockNumber: height,
    date,
  });
  if (deposit === undefined) {
    const place = arrival.place.slice(0, PLACE_SHOWN);
    counted.depositUnstorable(logger, { network, height, walletId, place });
  }
  return deposit && { ...deposit, isAnnounced };
};

/**
 * Stores deposits and their events.
 * @returns how many deposits were new, and how many of those have no event
 */
const storeSome = async (
  { families, now }: DepositWatch,
  connection: Connection,
  deposits: readonly NewDeposit[],
): Promise<Stored> => {
  const fresh = await insertDeposits(connection, deposits);
  const announced = fresh.filter(({ isAnnounced }) => isAnnounced);
  await recordEvents(
    connection,
    announced.flatMap((deposit) => depositDetected(families, deposit, now()) ?? []),
  );
  return { deposits: fresh.length, unannounced: fresh.length - announced.length };
};

/** Logs, once for a block, that a contract claims more transfers than become events. */
const reportUnannounced = (
  { network, logger, counted }: DepositWatch,
  height: bigint,
  unannounced: number,
): void => {
  if (unannounced > 0) counted.depositsUnannounced(logger, { network, height, unannounced });
};

/**
 * Stores the arrivals of a block and their events in one transaction, with the height, and with the block's hash unless
 * the node has forgotten it: so each arrival is detected once (INV-6). Anybody can pay a wallet thousands of times in a
 * block: the arrivals are stored some at a time, so that other work has its turn in between.
 * @param stands the place of reading in the database
 * @returns the new place; "empty" where no arrival is for a wallet here; "unread" where the node does not answer, the
 * chain was rewritten meanwhile, or another reader has moved on meanwhile
 */
export const storeArrivals = async (
  watch: DepositWatch,
  stands: ReadPlace,
  height: bigint,
  end: RoundEnd,
  arrivals: readonly Arrival[],
): Promise<ReadPlace | "empty" | "unread"> => {
  const { chain, database, describeTokens, logger, network, now } = watch;
  if (arrivals.length === 0) return "empty";
  const payees = await walletsAt(database, network, [...new Set(arrivals.map(({ moved }) => moved.to))]);
  const paid = paidIn(arrivals, payees);
  if (paid.length === 0) return "empty";
  // one node of the network may show the block while another has forgotten it: then it is stored without its hash
  const marks = await markRead(chain.node, stands.marks, height, end);
  if (marks === undefined) return "unread";
  const to = { height, marks };
  const tokens = new Set(paid.flatMap(({ arrival }) => chain.family.tokenOf?.(arrival.moved) ?? []));
  const described = await describeTokens(chain.node, tokens);
  const assetOf = (moved: Arrival["moved"]): Asset =>
    moved.kind === "Native"
      ? chain.family.nativeAsset(network)
      : (described.get(chain.family.tokenOf?.(moved) ?? "") ?? {});
  const seen = now();
  const stored = await database.transaction(async (connection): Promise<Stored | undefined> => {
    if (!(await moveReadingOn(connection, network, stands, to))) return undefined;
    let [count, unannounced] = [0, 0];
    for (let from = 0; from < paid.length; from += STORED_AT_ONCE) {
      const deposits = paid
        .slice(from, from + STORED_AT_ONCE)
        .flatMap((each) => depositOf(watch, each, height, assetOf(each.arrival.moved), seen) ?? []);
      const some = await storeSome(watch, connection, deposits);
      count += some.deposits;
      unannounced += some.unannounced;
    }
    return { deposits: count, unannounced };
  });
  if (stored === undefined) return "unread";
  depositsDetected(logger, { network, height, deposits: stored.deposits });
  reportUnannounced(watch, height, stored.unannounced);
  return to;
};
