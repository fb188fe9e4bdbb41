import type { Arrival } from "@conclave/chains";
import {
  type Asset,
  type Deposit,
  depositDetected,
  spellSolanaToken,
  spellStellarToken,
  storableDeposit,
} from "@conclave/custody";
import {
  type Connection,
  insertDeposits,
  moveReadingOn,
  type Payee,
  type ReadPlace,
  recordEvents,
  walletsAt,
} from "@conclave/platform";
import type { DepositWatch } from "./deposit-watch.ts";
import { withMark } from "./read-marks.ts";

/** Arrivals that are stored in one statement, and worked on before others have their turn. */
const STORED_AT_ONCE = 200;
/** Of what a node calls a place, in characters of a line of the log. */
const PLACE_SHOWN = 100;

/** How the chain's node calls a token that moved. */
const tokenOf = (moved: Arrival["moved"]): string | undefined => {
  if ("contract" in moved) return moved.contract;
  if ("assetId" in moved) return moved.assetId;
  if ("mint" in moved) return spellSolanaToken(moved);
  if (moved.kind === "Trc10") return moved.tokenId;
  return "assetCode" in moved
    ? spellStellarToken({ code: moved.assetCode, issuer: moved.issuer })
    : undefined;
};

/** An arrival, and a wallet that it came to. */
interface Paid {
  readonly arrival: Arrival;
  readonly payee: Payee;
}

/** Pairs arrivals with the wallets that they came to. The receiver has a deposit also where another wallet of its organisation paid it. */
const paidIn = (arrivals: readonly Arrival[], payees: readonly Payee[]): readonly Paid[] => {
  const at = new Map<string, Payee[]>();
  for (const payee of payees) {
    const others = at.get(payee.address);
    if (others === undefined) at.set(payee.address, [payee]);
    else others.push(payee);
  }
  return arrivals.flatMap((arrival) => (at.get(arrival.moved.to) ?? []).map((payee) => ({ arrival, payee })));
};

/** @returns undefined, with a line of the log, for an arrival that no record can hold */
const depositOf = (
  { network, logger, unstorable }: DepositWatch,
  { arrival, payee: { walletId, orgId } }: Paid,
  height: bigint,
  asset: Asset,
  seen: string,
): Omit<Deposit, "id"> | undefined => {
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
    unstorable();
    logger.error(
      { network, height, walletId, place: arrival.place.slice(0, PLACE_SHOWN) },
      "the node tells of a deposit what no record can hold: it is not detected",
    );
  }
  return deposit;
};

/** Stores deposits and their events. @returns how many were not known yet */
const storeSome = async (
  { families, now }: DepositWatch,
  connection: Connection,
  deposits: readonly Omit<Deposit, "id">[],
): Promise<number> => {
  const fresh = await insertDeposits(connection, deposits);
  await recordEvents(
    connection,
    fresh.flatMap((deposit) => depositDetected(families, deposit, now()) ?? []),
  );
  return fresh.length;
};

/**
 * Stores what a block brought with its events, all in one transaction with the height and the block's hash: each is detected once (INV-6). Anybody can pay a
 * wallet thousands of times in a block: they are stored some at a time, so that others have their turn meanwhile.
 * @param stands where reading stands in the database
 * @returns where reading stands then; "empty" where it came to nobody here; "unread" where the node does not tell the block's hash, and where
 *   another reader has moved on meanwhile
 */
export const storeArrivals = async (
  watch: DepositWatch,
  stands: ReadPlace,
  height: bigint,
  arrivals: readonly Arrival[],
): Promise<ReadPlace | "empty" | "unread"> => {
  const { chain, database, describeTokens, logger, network, now } = watch;
  if (arrivals.length === 0) return "empty";
  const payees = await walletsAt(database, network, [...new Set(arrivals.map(({ moved }) => moved.to))]);
  const paid = paidIn(arrivals, payees);
  if (paid.length === 0) return "empty";
  const block = await chain.node.block(height, new Set());
  if (!block.ok || block.value === undefined) return "unread";
  const to = { height, marks: withMark(stands.marks, { height, hash: block.value.hash }) };
  const tokens = new Set(paid.flatMap(({ arrival }) => tokenOf(arrival.moved) ?? []));
  const described = await describeTokens(chain.node, tokens);
  const assetOf = (moved: Arrival["moved"]): Asset =>
    moved.kind === "Native" ? chain.family.nativeAsset(network) : (described.get(tokenOf(moved) ?? "") ?? {});
  const seen = now();
  return database.transaction(async (connection) => {
    if (!(await moveReadingOn(connection, network, stands.height, to))) return "unread";
    let count = 0;
    for (let from = 0; from < paid.length; from += STORED_AT_ONCE) {
      const deposits = paid
        .slice(from, from + STORED_AT_ONCE)
        .flatMap((each) => depositOf(watch, each, height, assetOf(each.arrival.moved), seen) ?? []);
      count += await storeSome(watch, connection, deposits);
    }
    logger.info({ network, height, deposits: count }, "deposits detected");
    return to;
  });
};
