import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { type BlockPieces, wholeOrPieces } from "../../answers/block-pieces.ts";
import { dateBySeconds } from "../../block-date.ts";
import type { Arrival } from "../../chain.ts";
import { flatMapInTurns, readInTurns } from "../../turns/node/in-turns.ts";
import { type OursAtEnds, oursAmong } from "../../turns/node/ours-among.ts";
import { associatedAccount } from "../token/associated-account.ts";
import { blockBefore, contentOfSlot, type SlotContent } from "./blocks.ts";
import {
  hasEachBalance,
  includedSchema,
  lamportChanges,
  type SolanaChange,
  type SolanaIncluded,
  type SolanaTokenChange,
  tokenChanges,
} from "./changes.ts";
import {
  blockTimeField,
  keyField,
  keyText,
  signatureField,
  signatureText,
  uint64Field,
  VERSION_MAX,
} from "./fields.ts";
import { askSolana, type SolanaRpc, solanaAway } from "./json-rpc.ts";

/**
 * Transactions that are requested at once, at first and at most: anyone can make a block with hundreds that must be
 * read one by one.
 */
const [CALLS_FIRST, CALLS_MOST] = [4, 32];

/** A transaction in a block's list of accounts; accounts from lookup tables come last. */
const listedSchema = z
  .object({
    transaction: z.object({
      accountKeys: z.array(z.object({ pubkey: keyText })),
      signatures: z.array(signatureText).min(1),
    }),
    meta: includedSchema.shape.meta.omit({ loadedAddresses: true }),
  })
  .transform(
    ({ transaction: { accountKeys, signatures }, meta }): SolanaIncluded => ({
      transaction: { message: { accountKeys: accountKeys.map(({ pubkey }) => pubkey) }, signatures },
      meta,
    }),
  );
const blockSchema = z.object({ blockTime: blockTimeField, transactions: z.array(z.unknown()) });
interface Block {
  readonly blockTime: z.output<typeof blockTimeField>;
  readonly transactions: readonly SolanaIncluded[];
}

const idsSchema = z.object({ blockTime: blockTimeField, signatures: z.array(signatureField) });
const singleSchema = includedSchema.extend({ slot: uint64Field });

const transactionOf = async (rpc: SolanaRpc, slot: bigint, id: string): Promise<Result<SolanaIncluded>> => {
  const config = { commitment: "finalized", encoding: "json", maxSupportedTransactionVersion: VERSION_MAX };
  const found = await askSolana(rpc, {
    method: "getTransaction",
    params: [id, config],
    schema: singleSchema,
  });
  if (!found.ok) return found;
  const { value } = found;
  return value?.slot === slot && value.transaction.signatures[0] === id
    ? ok(value)
    : solanaAway(rpc.network, `it does not have the transactions of slot ${slot}`);
};

/** The block of a slot, read in one answer. */
const wholeBlock = async (rpc: SolanaRpc, slot: bigint): Promise<Result<SlotContent<Block>>> => {
  // "accounts": full transactions would make the answer several times as long, and programs' calls and logs are not
  // needed
  const found = await contentOfSlot(rpc, slot, "finalized", "accounts", blockSchema);
  if (!found.ok) return found;
  if (found.value.kind !== "block") return ok(found.value);
  const { blockTime, transactions: reported } = found.value.block;
  const transactions = await readInTurns(reported, (each) => listedSchema.safeParse(each).data);
  return transactions === undefined
    ? solanaAway(rpc.network, "its answer to getBlock cannot be read")
    : ok({ kind: "block", block: { blockTime, transactions } });
};

/** The block of a slot, read one transaction at a time. */
const blockInPieces = async (
  rpc: SolanaRpc,
  slot: bigint,
  pieces: BlockPieces<SolanaIncluded>,
): Promise<Result<SlotContent<Block>>> => {
  const listed = await contentOfSlot(rpc, slot, "finalized", "signatures", idsSchema);
  if (!listed.ok) return listed;
  if (listed.value.kind !== "block") return ok(listed.value);
  const { blockTime, signatures } = listed.value.block;
  const read = await pieces.pieces(
    slot.toString(),
    signatures,
    (id) => id,
    (id) => transactionOf(rpc, slot, id),
    CALLS_FIRST,
    CALLS_MOST,
  );
  return read.ok ? ok({ kind: "block", block: { blockTime, transactions: [...read.value] } }) : read;
};

/** The account that gave at least this amount, if there is exactly one. */
const giverOf = ({ amount }: SolanaChange, changes: readonly SolanaChange[]): string | undefined => {
  const givers = changes.filter((change) => change.amount <= -amount);
  return givers.length === 1 ? givers[0]?.owner : undefined;
};

/** The balance changes of a transaction. */
interface Changed {
  readonly txHash: string;
  readonly lamports: readonly SolanaChange[];
  readonly tokens: readonly SolanaTokenChange[];
}

const changedBy = (included: SolanaIncluded): Changed => ({
  txHash: included.transaction.signatures[0] ?? "",
  lamports: lamportChanges(included),
  tokens: tokenChanges(included),
});

const grew = ({ amount }: SolanaChange): boolean => amount > 0n;

const shrank = ({ amount }: SolanaChange): boolean => amount < 0n;

function* changesIn(
  all: readonly Changed[],
  isMeant: (change: SolanaChange) => boolean,
): Generator<SolanaChange> {
  for (const { lamports, tokens } of all) yield* [...lamports, ...tokens].filter(isMeant);
}

const lamportArrival = ({ txHash, lamports }: Changed, change: SolanaChange): Arrival => ({
  txHash,
  place: change.address,
  from: giverOf(change, lamports),
  moved: { kind: "Native", to: change.owner, amount: change.amount.toString() },
});

const tokenArrival = ({ txHash, tokens }: Changed, change: SolanaTokenChange): Arrival => {
  const { kind, mint, address: account, owner: to, amount } = change;
  const from = giverOf(
    change,
    tokens.filter((other) => other.mint === mint),
  );
  return { txHash, place: account, from, moved: { kind, mint, to, amount: amount.toString() } };
};

const isKey = (text: string): boolean => keyField.safeParse(text).success;

/** Whether an arrival's texts are in the chain's notation. Other texts of the block are not passed on, and not checked. */
const isSpelled = ({ txHash, from, moved }: Arrival): boolean =>
  signatureField.safeParse(txHash).success &&
  (from === undefined || isKey(from)) &&
  (!("mint" in moved) || isKey(moved.mint));

/** The addresses of a block that concern us. */
interface Ours {
  readonly payees: ReadonlySet<string>;
  readonly payers: ReadonlySet<string>;
}

/**
 * The arrivals that concern us: lamports, and tokens in their owners' associated accounts, at our addresses; and
 * those that came from a payer of ours, tokens in any account of others included.
 */
const arrivalsIn = (changed: Changed, { payees, payers }: Ours): readonly Arrival[] => {
  const isPaidByOurs = ({ from }: Arrival): boolean => from !== undefined && payers.has(from);
  const mayBeOurs = (change: SolanaChange): boolean =>
    grew(change) && (payers.size > 0 || payees.has(change.owner));
  const lamports = changed.lamports
    .filter(mayBeOurs)
    .map((change) => lamportArrival(changed, change))
    .filter((arrival) => payees.has(arrival.moved.to) || isPaidByOurs(arrival));
  const tokens = changed.tokens.filter(mayBeOurs).flatMap((change): readonly Arrival[] => {
    const arrival = tokenArrival(changed, change);
    if (!payees.has(change.owner)) return isPaidByOurs(arrival) ? [arrival] : [];
    // a misspelt mint has no associated account: the change is kept, so that the block counts as unreadable (`isSpelled`)
    return !isKey(change.mint) || associatedAccount(change, change.owner) === change.address ? [arrival] : [];
  });
  return [...lamports, ...tokens];
};

/**
 * The arrivals of a slot's block that concern us, from its transactions' balance changes: lamports, and tokens in a
 * wallet's associated account. Movements by inner instructions count too.
 *
 * @returns undefined if the node has no data of the slot yet, or no longer
 */
export const solanaArrivals = async (
  rpc: SolanaRpc,
  pieces: BlockPieces<SolanaIncluded>,
  height: bigint,
  { areOurs, arePayers }: OursAtEnds,
): Promise<Result<readonly Arrival[] | undefined>> => {
  const found = await wholeOrPieces(
    pieces,
    height.toString(),
    () => wholeBlock(rpc, height),
    () => blockInPieces(rpc, height, pieces),
    ({ kind }) => kind === "block",
  );
  if (!found.ok) return found;
  if (found.value.kind === "absent") return ok(undefined);
  if (found.value.kind === "skipped") {
    const before = await blockBefore(rpc, height, "finalized");
    if (!before.ok) return before;
    return ok(before.value === undefined ? undefined : []);
  }
  const { blockTime, transactions } = found.value.block;
  if (!transactions.every(hasEachBalance)) {
    return solanaAway(rpc.network, `its balances of slot ${height} are not those of its accounts`);
  }
  const carriedOut = transactions.filter(({ meta }) => meta.err === null);
  const changed = await flatMapInTurns(carriedOut, (each) => [changedBy(each)]);
  const payees = await oursAmong(areOurs, changesIn(changed, grew), ({ owner }) => owner);
  const payers =
    arePayers === undefined
      ? new Set<string>()
      : await oursAmong(arePayers, changesIn(changed, shrank), ({ owner }) => owner);
  const arrivals = await flatMapInTurns(changed, (each) => arrivalsIn(each, { payees, payers }));
  const dated = await readInTurns(arrivals, (arrival) =>
    isSpelled(arrival) ? { ...arrival, ...dateBySeconds(blockTime) } : undefined,
  );
  return dated === undefined
    ? solanaAway(rpc.network, `its transactions of slot ${height} cannot be read`)
    : ok(dated);
};
