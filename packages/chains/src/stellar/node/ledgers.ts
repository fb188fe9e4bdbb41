import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import { dateBySeconds } from "../../block-date.ts";
import type { ChainHead, OwnBlock } from "../../chain.ts";
import { everyStellarRecord, pagingToken, stellarPageSchema } from "./pages.ts";
import { askStellar, demandStellar, type StellarRest } from "./rest.ts";

const MS_IN_SECOND = 1_000;
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().nonnegative();

const ledgerSchema = z.object({
  sequence: count,
  hash,
  prev_hash: hash.optional(),
  closed_at: z.iso.datetime({ offset: true }),
  base_fee_in_stroops: count,
  base_reserve_in_stroops: count,
  operation_count: count.optional(),
});

const ledgersSchema = stellarPageSchema(ledgerSchema);
const hashSchema = z.object({ hash, paging_token: pagingToken });

/** A closed ledger. It never changes. */
export interface ClosedLedger {
  readonly sequence: bigint;
  readonly hash: string;
  readonly parentHash: string;
  /** Unix seconds */
  readonly closedAt: bigint;
  /** stroops */
  readonly baseReserve: bigint;
  /** number of operations that succeeded; undefined if the node does not give it */
  readonly operations: number | undefined;
}

/** Stands for the parent of the first ledger, which has none. */
const NO_HASH = "0".repeat(64);

const closedLedger = (found: z.infer<typeof ledgerSchema>): ClosedLedger => ({
  sequence: BigInt(found.sequence),
  hash: found.hash,
  parentHash: found.prev_hash ?? NO_HASH,
  closedAt: BigInt(Math.floor(Date.parse(found.closed_at) / MS_IN_SECOND)),
  baseReserve: BigInt(found.base_reserve_in_stroops),
  operations: found.operation_count,
});

/** The last ledger that the node has. */
export const lastLedger = async (rest: StellarRest): Promise<Result<ClosedLedger>> => {
  const page = await demandStellar(rest, "/ledgers?order=desc&limit=1", ledgersSchema);
  if (!page.ok) return page;
  const [last] = page.value._embedded.records;
  return last === undefined ? nodeAway(rest.network, "it has no ledger") : ok(closedLedger(last));
};

/** @returns undefined if the node does not have the ledger, or has forgotten it */
export const ledgerAt = async (
  rest: StellarRest,
  sequence: bigint,
): Promise<Result<ClosedLedger | undefined>> => {
  const found = await askStellar(rest, `/ledgers/${sequence}`, ledgerSchema);
  if (!found.ok) return found;
  return ok(found.value.value === undefined ? undefined : closedLedger(found.value.value));
};

/** A ledger of Stellar is final as soon as it is closed. */
export const stellarHead = async (rest: StellarRest): Promise<Result<ChainHead>> => {
  const last = await lastLedger(rest);
  if (!last.ok) return last;
  const { sequence, hash: named } = last.value;
  return ok({ height: sequence, hash: named, confirmedHeight: sequence, finalHeight: sequence });
};

/** The hashes of a ledger's transactions, failed ones included, in order. */
const hashesIn = async (rest: StellarRest, ledger: ClosedLedger): Promise<Result<readonly string[]>> => {
  const path = `/ledgers/${ledger.sequence}/transactions?include_failed=true`;
  const found = await everyStellarRecord(rest, { ledger, path, record: hashSchema });
  return found.ok ? ok(found.value.map((record) => record.hash)) : found;
};

/**
 * Reads which of our transactions a ledger contains. @returns undefined if the node does not have the ledger yet, or
 * has forgotten it
 */
export const stellarBlock = async (
  rest: StellarRest,
  height: bigint,
  ours: ReadonlySet<string>,
): Promise<Result<OwnBlock | undefined>> => {
  const ledger = await ledgerAt(rest, height);
  if (!ledger.ok) return ledger;
  if (ledger.value === undefined) return ok(undefined);
  const { hash: named, parentHash, closedAt } = ledger.value;
  const hashes: Result<readonly string[]> = ours.size === 0 ? ok([]) : await hashesIn(rest, ledger.value);
  if (!hashes.ok) return hashes;
  const holds = hashes.value.filter((each) => ours.has(each));
  return ok({ height, hash: named, parentHash, holds, ...dateBySeconds(closedAt) });
};
