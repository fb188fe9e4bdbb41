import type { AreOurs, Arrival } from "@conclave/chains";
import {
  type Asset,
  depositDetected,
  depositOf,
  fail,
  MOST_TOKENS_SHOWN,
  type Network,
  type OrganisationId,
  ok,
  paidIn,
  type ReadBlock,
  type Result,
  watchedIn,
  watchedMovementConfirmed,
  watchedMovementOf,
} from "@conclave/custody";
import {
  type Connection,
  insertDeposits,
  insertWatchedMovements,
  storeInTurns,
  takeFromWindow,
  walletsAt,
  watchesAt,
} from "@conclave/platform";
import { chainOf } from "../chain-request/chain-of.ts";
import type { Dependencies, ReadableChain } from "../dependencies.ts";
import { transactionReindexed } from "../log-events.ts";

/** How many transactions an organisation may name within a time, as at the vendor's service. */
const [MOST_REINDEXINGS, WINDOW_SECONDS] = [10, 600];
const MILLISECONDS_A_SECOND = 1_000;

type Needed = Pick<Dependencies, "database" | "families" | "chains" | "networks" | "logger" | "now">;

/** Counts a request; TooManyReindexings beyond the limit, which all gateways keep together. */
const judgeRate = async ({ database }: Needed, orgId: OrganisationId): Promise<Result<void>> => {
  const { granted, endsInMs } = await takeFromWindow(database, {
    subject: `reindexing of ${orgId}`,
    limit: MOST_REINDEXINGS,
    wanted: 1,
    windowSeconds: WINDOW_SECONDS,
  });
  if (granted > 0) return ok(undefined);
  const retryAfterSeconds = Math.ceil(endsInMs / MILLISECONDS_A_SECOND);
  return fail("TooManyReindexings", { most: MOST_REINDEXINGS, seconds: WINDOW_SECONDS, retryAfterSeconds });
};

/** The final block of a transaction. @returns TransactionNotIncluded, TransactionNotFinal, ServiceUnavailable */
const finalBlockOf = async (
  { families }: Needed,
  chain: ReadableChain,
  network: Network,
  txHash: string,
): Promise<Result<bigint>> => {
  const found = await chain.ofChain();
  if (!found.ok) return found;
  // movements on another chain are none of this network's
  if (found.value !== families.familyOf(network).chainOf(chain.network)) {
    return fail("ServiceUnavailable", { network }, "The network's node follows another chain.");
  }
  const sighting = await chain.sight(txHash);
  if (!sighting.ok) return sighting;
  if (sighting.value.kind !== "included") return fail("TransactionNotIncluded", { network, txHash });
  const head = await chain.head();
  if (!head.ok) return head;
  const { height } = sighting.value;
  return height <= head.value.finalHeight ? ok(height) : fail("TransactionNotFinal", { network, txHash });
};

/** The wallets and watches of an organisation at addresses. */
const placesOf = async (
  { database }: Needed,
  orgId: OrganisationId,
  network: Network,
  addresses: readonly string[],
) => {
  const isOwn = (at: { readonly orgId: OrganisationId }): boolean => at.orgId === orgId;
  const payees = (await walletsAt(database, network, addresses)).filter(isOwn);
  const watchers = (await watchesAt(database, network, addresses)).filter(isOwn);
  return { payees, watchers };
};

/** The movements of a block at the organisation's wallets and watched addresses. @returns TransactionForgotten, ServiceUnavailable, BlockTooLarge */
const movementsAt = async (
  needed: Needed,
  chain: ReadableChain,
  {
    orgId,
    network,
    height,
  }: { readonly orgId: OrganisationId; readonly network: Network; readonly height: bigint },
): Promise<Result<readonly Arrival[]>> => {
  const areOurs: AreOurs = async (addresses) => {
    const { payees, watchers } = await placesOf(needed, orgId, network, addresses);
    return new Set([...payees, ...watchers].map(({ address }) => address));
  };
  const arePayers: AreOurs = async (addresses) => {
    const { watchers } = await placesOf(needed, orgId, network, addresses);
    return new Set(watchers.map(({ address }) => address));
  };
  const shown = await chain.arrivals?.(height, areOurs, arePayers);
  if (shown?.ok === false) return shown;
  return shown?.value === undefined ? fail("TransactionForgotten", { network }) : ok(shown.value);
};

/** Makes the record of a block. It looks up what some of the tokens are that moved; others are recorded without that. */
const readBlockOf = async (
  { families, now }: Needed,
  chain: ReadableChain,
  { network, height }: Pick<ReadBlock, "network" | "height">,
  moves: readonly Arrival["moved"][],
): Promise<ReadBlock> => {
  const { nativeAsset, tokenOf } = families.familyOf(network);
  const tokens = [...new Set(moves.flatMap((moved) => tokenOf?.(moved) ?? []))].slice(0, MOST_TOKENS_SHOWN);
  const described = new Map<string, Asset>();
  for (const token of tokens) {
    const asset = await chain.describeToken(token);
    if (asset.ok) described.set(token, asset.value);
  }
  const assetOf = (moved: Arrival["moved"]): Asset =>
    moved.kind === "Native" ? nativeAsset(network) : (described.get(tokenOf?.(moved) ?? "") ?? {});
  return { network, height, seen: now().toISOString(), assetOf };
};

/** Finds the records of a transaction that concern an organisation, from its whole block: so each gets an event if the reader would give it one. */
const recordsOf = async (
  needed: Needed,
  orgId: OrganisationId,
  network: Network,
  arrivals: readonly Arrival[],
  txHash: string,
) => {
  const ends = arrivals.flatMap(({ from, moved: { to } }) => (from === undefined ? [to] : [from, to]));
  const { payees, watchers } = await placesOf(needed, orgId, network, [...new Set(ends)]);
  const isIts = ({ movement }: { readonly movement: { readonly txHash: string } }): boolean =>
    movement.txHash === txHash;
  return {
    paid: paidIn(arrivals, payees).filter(isIts),
    watched: watchedIn(arrivals, watchers).filter(isIts),
  };
};

type Records = Awaited<ReturnType<typeof recordsOf>>;

/** Stores those records that are missing, and their events. @returns how many were missing */
const storeMissing = async (
  { families }: Needed,
  connection: Connection,
  block: ReadBlock,
  { paid, watched }: Records,
): Promise<number> => {
  const deposits = await storeInTurns(connection, paid, {
    rowOf: (each) => depositOf(block, each),
    insert: insertDeposits,
    eventOf: (deposit) => depositDetected(families, deposit, block.seen),
  });
  const movements = await storeInTurns(connection, watched, {
    rowOf: (each) => watchedMovementOf(block, each),
    insert: insertWatchedMovements,
    eventOf: (movement) => watchedMovementConfirmed(families, movement, block.seen),
  });
  return deposits.records + movements.records;
};

/**
 * Records the movements of a final transaction at an organisation's wallets and watched addresses, as the orchestrator's
 * reader of blocks does, whether it has read the block or not. Records and events have ids that derive from the
 * movements: those that are known are recorded and announced no second time (INV-6).
 * @returns NetworkNotEnabled, TransactionIdInvalid, TooManyReindexings; refusals of `finalBlockOf` and `movementsAt`
 */
export const reindexTransaction = async (
  needed: Needed,
  { orgId }: { readonly orgId: OrganisationId },
  network: Network,
  named: string,
): Promise<Result<void>> => {
  const id = needed.families.familyOf(network).judgeTransactionId(named);
  if (!id.ok) return id;
  const chain = chainOf(needed, network);
  if (!chain.ok) return chain;
  const rate = await judgeRate(needed, orgId);
  if (!rate.ok) return rate;
  const height = await finalBlockOf(needed, chain.value, network, id.value);
  if (!height.ok) return height;
  const place = { network, height: height.value };
  const arrivals = await movementsAt(needed, chain.value, { orgId, ...place });
  if (!arrivals.ok) return arrivals;
  const records = await recordsOf(needed, orgId, network, arrivals.value, id.value);
  const moves = [...records.paid, ...records.watched].map(({ movement }) => movement.moved);
  const block = await readBlockOf(needed, chain.value, place, moves);
  const missing = await needed.database.transaction((connection) =>
    storeMissing(needed, connection, block, records),
  );
  transactionReindexed(needed.logger, { network, height: height.value, missing });
  return ok(undefined);
};
