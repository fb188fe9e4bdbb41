import type { JavaTronBooks } from "../books.ts";
import type { JavaTronSubmission } from "../transaction/transaction.ts";
import type {
  AskingForRuns,
  JavaTronApplied,
  JavaTronContext,
  JavaTronReceipt,
  JavaTronRun,
} from "./applied.ts";
import { issueJavaTronAsset, transferJavaTronAsset } from "./asset.ts";
import { consumeJavaTronBandwidth, consumeJavaTronMemo } from "./bandwidth.ts";
import { createJavaTronContract, type JavaTronRan, triggerJavaTronContract } from "./contract.ts";
import { createJavaTronAccount, transferJavaTronTrx } from "./transfer.ts";

interface Outcome {
  readonly books: JavaTronBooks;
  /** sun, without bandwidth and memo */
  readonly fee: bigint;
  readonly ran?: JavaTronRan;
  readonly assetId?: string;
}

const ranOutcome = (ran: JavaTronRan): Outcome => ({ books: ran.books, fee: ran.energyFee, ran });

function* act(
  books: JavaTronBooks,
  submission: JavaTronSubmission,
  context: JavaTronContext,
): AskingForRuns<Outcome> {
  const { owner, act: what } = submission.transaction;
  switch (what.type) {
    case "AccountCreateContract":
      return createJavaTronAccount(books, owner, what.account, context);
    case "TransferContract":
      return transferJavaTronTrx(books, owner, what, context);
    case "TransferAssetContract":
      return transferJavaTronAsset(books, owner, what, context);
    case "AssetIssueContract":
      return issueJavaTronAsset(books, owner, what.asset, context);
    case "TriggerSmartContract":
      return ranOutcome(yield* triggerJavaTronContract(books, submission, context));
    case "CreateSmartContract":
      return ranOutcome(yield* createJavaTronContract(books, submission, context));
  }
}

/**
 * Carries out one transaction: first its bytes are charged, then it acts.
 * @source java-tron, Manager.processTransaction
 * @throws JavaTronNotTaken: no block can hold it, and nothing changed
 */
export function* carryOutJavaTron(
  books: JavaTronBooks,
  submission: JavaTronSubmission,
  context: JavaTronContext,
): AskingForRuns<JavaTronApplied> {
  const net = consumeJavaTronBandwidth(books, submission, context);
  const memo = consumeJavaTronMemo(net.books, submission, context);
  const outcome = yield* act(memo.books, submission, context);
  const { ran } = outcome;
  const receipt: JavaTronReceipt = {
    ...net.bill,
    fee: net.bill.netFee + memo.fee + outcome.fee,
    result: ran?.run.result ?? "SUCCESS",
    words: ran?.run.words ?? "",
    energy: ran?.run.energy ?? 0n,
    energyFee: ran?.energyFee ?? 0n,
    output: ran?.run.output ?? new Uint8Array(),
    logs: ran?.run.logs ?? [],
    contract: ran?.contract,
    assetId: outcome.assetId,
  };
  return { books: outcome.books, receipt };
}

/** Stands for the run of a contract that has not run, whose effects are unknown. */
const NOT_RUN: JavaTronRun = {
  result: "SUCCESS",
  words: "",
  energy: 0n,
  output: new Uint8Array(),
  logs: [],
  balances: new Map(),
  codes: new Map(),
  nonces: new Map(),
  storage: new Map(),
};

/** The effect of a transaction on the books, without its contract's run. @throws JavaTronNotTaken */
export const tryOutJavaTron = (
  books: JavaTronBooks,
  submission: JavaTronSubmission,
  context: JavaTronContext,
): JavaTronBooks => {
  const trial = carryOutJavaTron(books, submission, context);
  for (let step = trial.next(); ; step = trial.next(NOT_RUN)) {
    if (step.done === true) return step.value.books;
  }
};
