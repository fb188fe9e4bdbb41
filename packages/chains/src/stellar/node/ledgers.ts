import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import type { ChainHead, OwnBlock } from "../../chain.ts";
import { askStellar, demandStellar, type StellarRest, stellarAway } from "./rest.ts";

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
});

const pageSchema = <T extends z.ZodType>(record: T) =>
  z.object({ _embedded: z.object({ records: z.array(record) }) });

const ledgersSchema = pageSchema(ledgerSchema);
const hashesSchema = pageSchema(z.object({ hash, paging_token: z.string().regex(/^[0-9]{1,20}$/) }));

/** Most transactions of one page, and of one ledger: a ledger of the main network holds some thousand at most. */
const PAGE = 200;
const PAGES_MAX = 50;

/** A closed ledger. It never changes. */
export interface ClosedLedger {
  readonly sequence: bigint;
  readonly hash: string;
  readonly parentHash: string;
  /** Unix seconds */
  readonly closedAt: bigint;
  /** stroops */
  readonly baseReserve: bigint;
}

/** There is no ledger before the first. */
const NO_HASH = "0".repeat(64);

const closedLedger = (found: z.infer<typeof ledgerSchema>): ClosedLedger => ({
  sequence: BigInt(found.sequence),
  hash: found.hash,
  parentHash: found.prev_hash ?? NO_HASH,
  closedAt: BigInt(Math.floor(Date.parse(found.closed_at) / MS_IN_SECOND)),
  baseReserve: BigInt(found.base_reserve_in_stroops),
});

/** The last ledger that the node has. */
export const lastLedger = async (rest: StellarRest): Promise<Result<ClosedLedger>> => {
  const page = await demandStellar(rest, "/ledgers?order=desc&limit=1", ledgersSchema);
  if (!page.ok) return page;
  const [last] = page.value._embedded.records;
  return last === undefined ? stellarAway(rest.network, "it has no ledger") : ok(closedLedger(last));
};

/** @returns undefined when the node has no ledger of this number */
export const ledgerAt = async (
  rest: StellarRest,
  sequence: bigint,
): Promise<Result<ClosedLedger | undefined>> => {
  const found = await askStellar(rest, `/ledgers/${sequence}`, ledgerSchema);
  if (!found.ok) return found;
  return ok(found.value.value === undefined ? undefined : closedLedger(found.value.value));
};

/** A ledger of Stellar is final from the moment at which it is closed. */
export const stellarHead = async (rest: StellarRest): Promise<Result<ChainHead>> => {
  const last = await lastLedger(rest);
  if (!last.ok) return last;
  const { sequence, hash: named } = last.value;
  return ok({ height: sequence, hash: named, finalHeight: sequence });
};

/** The hashes of a ledger's transactions, those that failed among them, in their order. */
const hashesIn = async (rest: StellarRest, height: bigint): Promise<Result<readonly string[]>> => {
  const hashes: string[] = [];
  let cursor = "";
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const path = `/ledgers/${height}/transactions?limit=${PAGE}&include_failed=true&order=asc${cursor}`;
    const found = await demandStellar(rest, path, hashesSchema);
    if (!found.ok) return found;
    const { records } = found.value._embedded;
    hashes.push(...records.map((record) => record.hash));
    const last = records.at(-1);
    if (last === undefined || records.length < PAGE) return ok(hashes);
    cursor = `&cursor=${last.paging_token}`;
  }
  return stellarAway(rest.network, `it has more transactions in ledger ${height} than are read`);
};

/** What a ledger holds of ours. @returns undefined when the node has no such ledger yet */
export const stellarBlock = async (
  rest: StellarRest,
  height: bigint,
  ours: ReadonlySet<string>,
): Promise<Result<OwnBlock | undefined>> => {
  const ledger = await ledgerAt(rest, height);
  if (!ledger.ok) return ledger;
  if (ledger.value === undefined) return ok(undefined);
  const { hash: named, parentHash } = ledger.value;
  const hashes: Result<readonly string[]> = ours.size === 0 ? ok([]) : await hashesIn(rest, height);
  if (!hashes.ok) return hashes;
  return ok({ height, hash: named, parentHash, holds: hashes.value.filter((each) => ours.has(each)) });
};
