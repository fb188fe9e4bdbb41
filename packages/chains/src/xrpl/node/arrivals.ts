import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { type BlockPieces, wholeOrPieces } from "../../answers/block-pieces.ts";
import { nodeAway } from "../../answers/node-away.ts";
import { dateBySeconds } from "../../block-date.ts";
import type { Arrival } from "../../chain.ts";
import { flatMapInTurns, readInTurns } from "../../turns/node/in-turns.ts";
import { arrivalEnds, concerning, type OursAtEnds } from "../../turns/node/ours-among.ts";
import { drops, hash256, rippleTime, uint32Field } from "./fields.ts";
import { askRippled, type Rippled } from "./json-rpc.ts";

const address = z.string();
const accountEntry = z.literal("AccountRoot");
/** The payee of a ledger entry and the destination tag, if it has them. */
const payeeFields = z.object({ Destination: address.optional(), DestinationTag: uint32Field.optional() });
/** A ledger entry other than an account; its XRP cannot be spent as it is. */
const otherEntry = z.object({
  LedgerEntryType: z.string().regex(/^(?!AccountRoot$)/),
  FinalFields: payeeFields.optional(),
});
const deletedSchema = z.object({ LedgerEntryType: z.string(), FinalFields: payeeFields.optional() });

const createdSchema = z.object({
  LedgerEntryType: accountEntry,
  NewFields: z.object({ Account: address, Balance: drops.optional() }),
});
const modifiedSchema = z.object({
  LedgerEntryType: accountEntry,
  /** absent if the account is listed without a change */
  FinalFields: z.object({ Account: address, Balance: drops }).optional(),
  PreviousFields: z.object({ Balance: drops.optional() }).optional(),
});
const nodeSchema = z.object({
  CreatedNode: z.union([createdSchema, otherEntry]).optional(),
  ModifiedNode: z.union([modifiedSchema, otherEntry]).optional(),
  DeletedNode: deletedSchema.optional(),
});
type ChangedNode = z.infer<typeof nodeSchema>;

const carriedOutSchema = z.object({
  hash: hash256,
  tx_json: z.object({
    TransactionType: z.string(),
    Account: address,
    /** the account that pays the fee instead of the sender */
    Delegate: address.optional(),
    Destination: address.optional(),
    DestinationTag: uint32Field.optional(),
    Fee: drops,
  }),
  meta: z.object({
    AffectedNodes: z.array(nodeSchema),
    TransactionIndex: uint32Field,
    TransactionResult: z.string(),
  }),
});
export type CarriedOut = z.infer<typeof carriedOutSchema>;

const ledgerSchema = z.object({
  validated: z.boolean(),
  ledger: z.object({
    close_time: rippleTime,
    transaction_hash: hash256,
    transactions: z.array(z.unknown()).default([]),
  }),
});
/** A ledger with its parsed transactions. */
interface Ledger {
  readonly validated: boolean;
  readonly ledger: Omit<z.output<typeof ledgerSchema>["ledger"], "transactions"> & {
    readonly transactions: readonly CarriedOut[];
  };
}
const hashesSchema = z.object({
  validated: z.boolean(),
  ledger: z.object({
    close_time: rippleTime,
    transaction_hash: hash256,
    transactions: z.array(hash256).default([]),
  }),
});
const singleSchema = carriedOutSchema.extend({ validated: z.literal(true), ledger_index: uint32Field });

/** A change of an account's balance by a transaction, in drops. */
interface Change {
  readonly to: string;
  readonly amount: bigint;
}

const isAccount = (
  entry: NonNullable<ChangedNode["ModifiedNode"]>,
): entry is z.output<typeof modifiedSchema> => entry.LedgerEntryType === "AccountRoot";

const changeOf = ({ CreatedNode: created, ModifiedNode: modified }: ChangedNode): readonly Change[] => {
  if (created !== undefined && "NewFields" in created) {
    return [{ to: created.NewFields.Account, amount: created.NewFields.Balance ?? 0n }];
  }
  if (modified === undefined || !isAccount(modified) || modified.FinalFields === undefined) return [];
  const { Account: to, Balance: after } = modified.FinalFields;
  return [{ to, amount: after - (modified.PreviousFields?.Balance ?? after) }];
};

/** Ledger entries that hold XRP until somebody claims it. The sender may have put a destination tag into the entry. */
const PROMISES: ReadonlySet<string> = new Set(["Escrow", "Check", "PayChannel"]);

/** The destination tag of an entry that paid out to an account. */
const promisedTag = (nodes: readonly ChangedNode[], to: string): number | undefined => {
  for (const { ModifiedNode: modified, DeletedNode: deleted } of nodes) {
    const entry = deleted ?? modified;
    if (entry?.FinalFields === undefined || !PROMISES.has(entry.LedgerEntryType)) continue;
    if ("Destination" in entry.FinalFields && entry.FinalFields.Destination === to) {
      return entry.FinalFields.DestinationTag;
    }
  }
  return undefined;
};

/** Types whose XRP comes from the sending account. Arrivals by other types come from an escrow, a check or an offer. */
const SENDERS_OWN: ReadonlySet<string> = new Set(["Payment", "AccountDelete"]);

/** The transaction hash of an empty ledger. */
const NO_TRANSACTIONS = "0".repeat(64);

/**
 * Whether the list has all transactions of a ledger, by their indices. If rippled meets an error within the list, it
 * sends the part before it as if it were the whole list (LedgerToJson.cpp, fillJsonTx).
 */
const isWholeLedger = ({ ledger: { transaction_hash, transactions } }: Ledger): boolean => {
  if (transactions.length === 0) return transaction_hash === NO_TRANSACTIONS;
  const places = new Set(transactions.map(({ meta }) => Number(meta.TransactionIndex)));
  return transactions.every((_, place) => places.has(place));
};

const SUCCESS = "tesSUCCESS";

const arrivalsBy = ({ hash: txHash, tx_json: sent, meta }: CarriedOut): readonly Arrival[] => {
  // a failed transaction costs a fee, at times less than it named, and pays nobody
  if (meta.TransactionResult !== SUCCESS) return [];
  const payer = sent.Delegate ?? sent.Account;
  const from = SENDERS_OWN.has(sent.TransactionType) ? sent.Account : undefined;
  return meta.AffectedNodes.flatMap(changeOf).flatMap(({ to, amount }): readonly Arrival[] => {
    const moved = to === payer ? amount + sent.Fee : amount;
    if (moved <= 0n) return [];
    const tag = to === sent.Destination ? sent.DestinationTag : promisedTag(meta.AffectedNodes, to);
    const memo = tag === undefined ? {} : { memo: tag.toString() };
    return [{ txHash, place: "XRP", from, moved: { kind: "Native", to, amount: moved.toString(), ...memo } }];
  });
};

/** A ledger with its transactions. @param expand false: only their hashes */
const askLedger = <T>(rippled: Rippled, height: bigint, expand: boolean, schema: z.ZodType<T>) =>
  askRippled(rippled, {
    method: "ledger",
    params: { ledger_index: Number(height), transactions: true, expand },
    schema,
    absent: "lgrNotFound",
  });

const transactionOf = async (rippled: Rippled, height: bigint, id: string): Promise<Result<CarriedOut>> => {
  const found = await askRippled(rippled, {
    method: "tx",
    params: { transaction: id, binary: false },
    schema: singleSchema,
    absent: "txnNotFound",
  });
  if (!found.ok) return found;
  const { value } = found;
  return value?.hash === id && BigInt(value.ledger_index) === height
    ? ok(value)
    : nodeAway(rippled.network, `it does not have the transactions of ledger ${height}`);
};

/**
 * Whether the hashes are those of the listed transactions. A list that ends too early has no gap, so only this check
 * notices it.
 */
const areAllOf = ({ ledger }: Ledger, hashes: readonly string[]): boolean => {
  const reported = new Set(ledger.transactions.map(({ hash }) => hash));
  return reported.size === hashes.length && hashes.every((hash) => reported.has(hash));
};

/** All transactions of a ledger in one answer, and their hashes in another. */
const wholeLedger = async (rippled: Rippled, height: bigint): Promise<Result<Ledger | undefined>> => {
  const [found, listed] = await Promise.all([
    askLedger(rippled, height, true, ledgerSchema),
    askLedger(rippled, height, false, hashesSchema),
  ]);
  if (!found.ok || found.value === undefined) return found.ok ? ok(undefined) : found;
  const { validated, ledger: reported } = found.value;
  const transactions = await readInTurns(
    reported.transactions,
    (each) => carriedOutSchema.safeParse(each).data,
  );
  if (transactions === undefined) return nodeAway(rippled.network, "its answer to ledger cannot be read");
  if (!listed.ok) return listed;
  const ledger: Ledger = { validated, ledger: { ...reported, transactions } };
  return isWholeLedger(ledger) && areAllOf(ledger, listed.value?.ledger.transactions ?? [])
    ? ok(ledger)
    : nodeAway(rippled.network, `it does not tell all transactions of ledger ${height}`);
};

/** The same, read one transaction at a time. */
const ledgerInPieces = async (
  rippled: Rippled,
  height: bigint,
  pieces: BlockPieces<CarriedOut>,
): Promise<Result<Ledger | undefined>> => {
  const listed = await askLedger(rippled, height, false, hashesSchema);
  if (!listed.ok || listed.value === undefined) return listed.ok ? ok(undefined) : listed;
  const { validated, ledger } = listed.value;
  if (!validated) return ok(undefined);
  const read = await pieces.pieces(
    height.toString(),
    ledger.transactions,
    (id) => id,
    (id) => transactionOf(rippled, height, id),
  );
  return read.ok ? ok({ validated, ledger: { ...ledger, transactions: read.value } }) : read;
};

/**
 * The arrivals of a validated ledger that concern us: the growth of each account's XRP in the metadata, by any
 * transaction (a payment, which may deliver less than it states, an escrow, a check, the remainder of a deleted
 * account). Tokens are not detected.
 *
 * @returns undefined if the node does not have the validated ledger yet, or has forgotten it
 */
export const xrplArrivals = async (
  rippled: Rippled,
  pieces: BlockPieces<CarriedOut>,
  height: bigint,
  ours: OursAtEnds,
): Promise<Result<readonly Arrival[] | undefined>> => {
  const found = await wholeOrPieces(
    pieces,
    height.toString(),
    () => wholeLedger(rippled, height),
    () => ledgerInPieces(rippled, height, pieces),
    (ledger) => ledger?.validated === true,
  );
  if (!found.ok) return found;
  if (found.value === undefined || !found.value.validated) return ok(undefined);
  if (!isWholeLedger(found.value)) {
    return nodeAway(rippled.network, `it does not tell all transactions of ledger ${height}`);
  }
  const seen = await flatMapInTurns(found.value.ledger.transactions, arrivalsBy);
  const isOurs = await concerning(ours, seen, arrivalEnds);
  const date = dateBySeconds(found.value.ledger.close_time);
  return ok(seen.filter(isOurs).map((arrival) => ({ ...arrival, ...date })));
};
