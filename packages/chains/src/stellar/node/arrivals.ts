import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import type { BlockPieces } from "../../answers/block-pieces.ts";
import { nodeAway } from "../../answers/node-away.ts";
import { dateBySeconds } from "../../block-date.ts";
import type { Arrival } from "../../chain.ts";
import { concerning, type OursAtEnds } from "../../turns/node/ours-among.ts";
import { isStellarAssetCode } from "../rules/asset.ts";
import { type ClosedLedger, ledgerAt } from "./ledgers.ts";
import { everyStellarRecord, pagingToken, type StellarPage, stellarPageSchema } from "./pages.ts";
import { demandStellar, type StellarRest } from "./rest.ts";

/** An amount with all decimals, in the smallest unit. Contracts can hold more than accounts. */
const amount = z
  .string()
  .regex(/^[0-9]{1,33}\.[0-9]{7}$/)
  .transform((text) => BigInt(text.replace(".", "")));
const holder = z.string();
const assetCode = z.string().refine(isStellarAssetCode);

const lumens = { asset_type: z.literal("native") };
const credit = {
  asset_type: z.enum(["credit_alphanum4", "credit_alphanum12"]),
  asset_code: assetCode,
  asset_issuer: holder,
};
/** A movement of an asset with further fields. */
const movedSchema = <T extends z.ZodRawShape>(fields: T) =>
  z.union([z.object({ ...lumens, ...fields }), z.object({ ...credit, ...fields })]);

const creationSchema = z.object({ funder: holder, account: holder, starting_balance: amount });
const paymentSchema = movedSchema({ from: holder, to: holder, amount });
const mergeSchema = z.object({ account: holder, into: holder });
const callSchema = z.object({
  asset_balance_changes: z
    .array(movedSchema({ from: holder.optional(), to: holder.optional(), amount }))
    .nullish()
    .transform((changes) => changes ?? []),
});

/** An operation of Horizon's list of payments. `READERS` read its further fields, by type. */
const operationSchema = z.looseObject({
  type: z.string(),
  paging_token: pagingToken,
  transaction_hash: z.string().regex(/^[0-9a-f]{64}$/),
  transaction_successful: z.boolean().default(true),
});
type Operation = z.output<typeof operationSchema>;

interface Moved {
  readonly from: string | undefined;
  readonly to: string;
  readonly asset: { readonly code: string; readonly issuer: string } | undefined;
  /** undefined if the operation does not contain it */
  readonly amount: bigint | undefined;
}

const anySchema = movedSchema({});
const assetIn = (moved: z.output<typeof anySchema>): Moved["asset"] =>
  moved.asset_type === "native" ? undefined : { code: moved.asset_code, issuer: moved.asset_issuer };

const payment = paymentSchema.transform((paid): readonly Moved[] => [
  { from: paid.from, to: paid.to, asset: assetIn(paid), amount: paid.amount },
]);

/** The movements of an operation, by its type. Operations of other types count as moving nothing. */
const READERS: Readonly<Record<string, z.ZodType<readonly Moved[]>>> = {
  create_account: creationSchema.transform((made) => [
    { from: made.funder, to: made.account, asset: undefined, amount: made.starting_balance },
  ]),
  payment,
  path_payment_strict_receive: payment,
  path_payment_strict_send: payment,
  account_merge: mergeSchema.transform(({ account, into }) => [
    { from: account, to: into, asset: undefined, amount: undefined },
  ]),
  invoke_host_function: callSchema.transform(({ asset_balance_changes: changes }) =>
    changes.map((change) => ({
      from: change.from,
      to: change.to ?? "",
      asset: assetIn(change),
      amount: change.amount,
    })),
  ),
};

interface Seen extends Moved {
  readonly operation: Pick<Operation, "paging_token" | "transaction_hash">;
  readonly place: string;
}

/** @returns undefined if it cannot be read */
const seenIn = (operation: Operation): readonly Seen[] | undefined => {
  const reader = READERS[operation.type];
  if (reader === undefined || !operation.transaction_successful) return [];
  const read = reader.safeParse(operation);
  if (!read.success) return undefined;
  const { paging_token, transaction_hash } = operation;
  return read.data.map((moved, at) => ({
    ...moved,
    operation: { paging_token, transaction_hash },
    place: `${paging_token}-${at}`,
  }));
};

/** Keeps only the movements of each operation, because a ledger's contract calls have megabytes. */
const movementsSchema = operationSchema.transform((operation) => ({
  paging_token: operation.paging_token,
  seen: seenIn(operation),
}));

/** The pieces read so far of ledgers that take several rounds. */
export interface StellarPieces {
  readonly pages: BlockPieces<StellarPage<z.output<typeof movementsSchema>>>;
  /** the balances of merged accounts, by the merging operation */
  readonly left: BlockPieces<bigint>;
}

const effectSchema = z.object({ type: z.string(), account: holder, amount: amount.optional() });

/** The balance of an account that was merged into another; Horizon shows it only among the operation's effects. */
const leftBehind = async (rest: StellarRest, { operation, to }: Seen): Promise<Result<bigint>> => {
  const path = `/operations/${operation.paging_token}/effects`;
  const effects = await demandStellar(rest, path, stellarPageSchema(effectSchema));
  if (!effects.ok) return effects;
  const credited = effects.value._embedded.records.find(
    ({ type, account }) => type === "account_credited" && account === to,
  );
  // Horizon shows a zero balance too: without an effect, it has not ingested the whole ledger yet
  return credited === undefined
    ? nodeAway(rest.network, `it does not tell all of ${path}`)
    : ok(credited.amount ?? 0n);
};

const arrivalOf = ({ operation, place, from, to, asset }: Seen, moved: bigint): Arrival => {
  const value = { to, amount: moved.toString() };
  return {
    txHash: operation.transaction_hash,
    place,
    from,
    moved:
      asset === undefined
        ? { kind: "Native", ...value }
        : { kind: "Sep41", issuer: asset.issuer, assetCode: asset.code, ...value },
  };
};

/**
 * Whether a node shows any operation of a ledger. A replica behind a load balancer may have ingested less of it than
 * the one that reported the ledger.
 */
const showsOperations = async (rest: StellarRest, sequence: bigint): Promise<Result<boolean>> => {
  const path = `/ledgers/${sequence}/operations?include_failed=false&limit=1&order=asc`;
  const page = await demandStellar(rest, path, stellarPageSchema(z.unknown()), sequence);
  return page.ok ? ok(page.value._embedded.records.length > 0) : page;
};

/** The movements of a ledger's operations, to any recipient. */
const seenAt = async (
  rest: StellarRest,
  pages: StellarPieces["pages"],
  ledger: ClosedLedger,
): Promise<Result<readonly Seen[]>> => {
  const path = `/ledgers/${ledger.sequence}/payments?include_failed=false`;
  const operations = await everyStellarRecord(rest, { ledger, path, record: movementsSchema }, pages);
  if (!operations.ok) return operations;
  const isDoubted = operations.value.length === 0 && (ledger.operations ?? 0) > 0;
  const isThere = isDoubted ? await showsOperations(rest, ledger.sequence) : ok(true);
  if (!isThere.ok) return isThere;
  if (!isThere.value) return nodeAway(rest.network, `it tells no operation of ledger ${ledger.sequence}`);
  const all: Seen[] = [];
  for (const { paging_token, seen } of operations.value) {
    if (seen === undefined) return nodeAway(rest.network, `its operation ${paging_token} cannot be read`);
    all.push(...seen);
  }
  return ok(all);
};

/**
 * The arrivals of a ledger that concern us: new accounts' first lumens, payments of any path, balances of merged
 * accounts, and movements by contracts of assets. Claimed balances, trades and other contracts' tokens are not
 * detected.
 *
 * @returns undefined if the node does not have the ledger yet, or has forgotten it
 */
export const stellarArrivals = async (
  rest: StellarRest,
  { pages, left }: StellarPieces,
  height: bigint,
  ours: OursAtEnds,
): Promise<Result<readonly Arrival[] | undefined>> => {
  const ledger = await ledgerAt(rest, height);
  if (!ledger.ok) return ledger;
  if (ledger.value === undefined) return ok(undefined);
  const seen = await seenAt(rest, pages, ledger.value);
  if (!seen.ok) return seen;
  // a zero amount is sent only to put an address into a wallet's history
  const moved = seen.value.filter(({ amount, to }) => amount !== 0n && to !== "");
  const kept = moved.filter(await concerning(ours, moved, (each) => each));
  const amounts = await left.pieces(
    ledger.value.hash,
    kept,
    ({ place }) => place,
    async (each) => (each.amount === undefined ? leftBehind(rest, each) : ok(each.amount)),
    1,
  );
  if (!amounts.ok) return amounts;
  left.forget(ledger.value.hash);
  const date = dateBySeconds(ledger.value.closedAt);
  return ok(
    kept.flatMap((each, at) => {
      const amount = amounts.value[at] ?? 0n;
      return amount > 0n ? [{ ...arrivalOf(each, amount), ...date }] : [];
    }),
  );
};
