import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import type { AlgodAddress } from "../address.ts";
import { type AlgodBooks, accountIn, laidUpon, settled, withAccount } from "../books.ts";
import type { AlgodGenesis } from "../genesis.ts";
import { authorizerOf } from "../transaction/signature.ts";
import type { AlgodSubmission, AlgodTransaction } from "../transaction/transaction.ts";
import type { AppliedAct, AppliedData } from "./applied.ts";
import { applyAssetConfiguration } from "./asset-configuration.ts";
import { applyAssetFreeze } from "./asset-freeze.ts";
import { applyAssetTransfer } from "./asset-transfer.ts";
import { type AlgodFees, checkGroupFees } from "./fees.ts";
import { type AlgodPasts, checkNew, NO_PAST, withPast } from "./history.ts";
import { checkMinimumBalances } from "./minimum-balance.ts";
import { moveMicroalgos } from "./move.ts";
import { applyPayment } from "./payment.ts";
import { checkRoom, ROOM } from "./room.ts";
import { checkAlive } from "./validity.ts";

/** The ledger and the round in which a group is evaluated. */
export interface EvaluationContext {
  readonly genesis: AlgodGenesis;
  readonly fees: AlgodFees;
  /** of the block that is being made */
  readonly round: bigint;
  readonly pasts: AlgodPasts;
}

export interface EvaluatedGroup {
  readonly books: AlgodBooks;
  /** one for each transaction, in their order */
  readonly applied: readonly AppliedData[];
}

const applyAct = (books: AlgodBooks, sender: AlgodAddress, { act }: AlgodTransaction): Ruling<AppliedAct> => {
  switch (act.kind) {
    case "payment":
      return applyPayment(books, sender, act);
    case "asset-transfer":
      return applyAssetTransfer(books, sender, act);
    case "asset-configuration":
      return applyAssetConfiguration(books, sender, act);
    case "asset-freeze":
      return applyAssetFreeze(books, sender, act);
    case "not-simulated":
      return refusedWith(`this simulated ledger does not carry out transactions of type ${act.type}`);
  }
};

/** Sets an account's authorised address. Rekeying to the account itself clears it. */
const rekeyed = (books: AlgodBooks, { sender, rekeyTo }: AlgodTransaction): AlgodBooks =>
  rekeyTo === undefined
    ? books
    : withAccount(books, sender, { authorizedBy: rekeyTo === sender ? undefined : rekeyTo });

const carryOut = (
  books: AlgodBooks,
  { transaction }: AlgodSubmission,
  { genesis }: EvaluationContext,
): Ruling<AppliedAct> => {
  const paid = moveMicroalgos(books, transaction.sender, genesis.feeSink, transaction.fee);
  if (!paid.ok) return paid;
  const done = applyAct(rekeyed(paid.value, transaction), transaction.sender, transaction);
  if (!done.ok) return done;
  const after = done.value.books;
  const kept = checkMinimumBalances(after, after.accounts.keys(), genesis.feeSink);
  if (!kept.ok) return kept;
  const room = checkRoom(books, after, ROOM);
  return room.ok ? done : room;
};

/** Whether a transaction may stand in this block, and whether its key may sign for the sender. */
const checkAdmission = (
  books: AlgodBooks,
  submission: AlgodSubmission,
  context: EvaluationContext,
): Ruling<undefined> => {
  const { id, transaction } = submission;
  const alive = checkAlive(transaction, context.round, context.genesis);
  if (!alive.ok) return alive;
  const isNew = checkNew(submission, context.pasts, context.round);
  if (!isNew.ok) return isNew;
  const expected = accountIn(books, transaction.sender).authorizedBy ?? transaction.sender;
  const actual = authorizerOf(submission);
  return actual === expected
    ? granted(undefined)
    : refusedWith(
        `transaction ${id}: should have been authorized by ${expected} but was actually authorized by ${actual}`,
      );
};

/**
 * Carries out a group atomically.
 * @returns the books after it; a refusal in algod's words
 * @source go-algorand, ledger/eval/eval.go: TransactionGroup
 */
export const evaluateGroup = (
  books: AlgodBooks,
  group: readonly AlgodSubmission[],
  context: EvaluationContext,
): Ruling<EvaluatedGroup> => {
  let [open, past] = [laidUpon(books), NO_PAST];
  const applied: AppliedData[] = [];
  for (const submission of group) {
    const waiting = [...context.pasts.waiting, past];
    const admitted = checkAdmission(open, submission, { ...context, pasts: { ...context.pasts, waiting } });
    if (!admitted.ok) return admitted;
    const done = carryOut(open, submission, context);
    if (!done.ok) return refusedWith(`transaction ${submission.id}: ${done.message}`);
    applied.push(done.value.applied);
    open = { ...done.value.books, transactionCount: open.transactionCount + 1n };
    past = withPast(past, [submission]);
  }
  const paid = checkGroupFees(group, context.fees);
  return paid.ok ? granted({ books: settled(open), applied }) : paid;
};
