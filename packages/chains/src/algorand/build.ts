import { fail, ok, type Result } from "@conclave/custody";
import type { BuiltTransaction, TransactionIntent } from "../chain.ts";
import { judgeAffordable } from "./affordable.ts";
import { algorandFee } from "./fee.ts";
import type { AlgorandNetwork } from "./network.ts";
import { type AlgorandPlan, algorandPlan } from "./plan.ts";
import type { AlgorandSituation } from "./situation.ts";
import { type AlgorandDraft, encodeAlgorand, VALIDITY_ROUNDS_MAX } from "./transaction.ts";

/**
 * Number of rounds in which a transaction may land: some ten minutes. While they last, a transaction that the chain refuses
 * cannot be known to have failed.
 */
const VALIDITY_ROUNDS = 200n;

/**
 * Writes the unsigned transaction of a request.
 * @param situation the situation on the chain
 * @param intent the sender's address, and what is authorised
 * @returns InsufficientFunds, RecipientCannotReceive, FeeAboveCap, TransactionInvalid, or ServiceUnavailable when the node is
 *   of another chain
 */
export const buildAlgorand = (
  network: AlgorandNetwork,
  situation: AlgorandSituation,
  { sender, act }: TransactionIntent,
): Result<BuiltTransaction> => {
  const { genesisId, genesisHash } = network;
  if (situation.genesisHash !== genesisHash || situation.genesisId !== genesisId) {
    return fail(
      "ServiceUnavailable",
      { network: network.network },
      `The chain node of ${network.network} is of another chain: ${situation.genesisId}.`,
    );
  }
  const plan = algorandPlan(act);
  if (!plan.ok) return plan;
  const written =
    plan.value.kind === "exact"
      ? judgeExact(plan.value, situation)
      : writePayment(network, situation, sender, plan.value);
  if (!written.ok) return written;
  const { unsigned, draft } = written.value;
  const { fee, payment } = draft;
  const payable = judgeAffordable({ sender, payment, fee, situation });
  if (!payable.ok) return payable;
  return ok({ unsigned, ...shownOfAlgorand(draft) });
};

/** The place in the order and the details that clients see of a transaction. */
export const shownOfAlgorand = ({
  fee,
  firstValid,
  lastValid,
}: AlgorandDraft): Omit<BuiltTransaction, "unsigned"> => ({
  sequence: undefined,
  details: { fee: fee.toString(), firstValid: firstValid.toString(), lastValid: lastValid.toString() },
});

interface Written {
  readonly unsigned: Uint8Array;
  readonly draft: AlgorandDraft;
}

/** The first valid round is the chain's last round, so that a node one round behind also accepts the transaction. */
const writePayment = (
  { genesisId, genesisHash, feeCap }: AlgorandNetwork,
  { lastRound, fees }: AlgorandSituation,
  from: string,
  { payment, lease }: Extract<AlgorandPlan, { kind: "payment" }>,
): Result<Written> => {
  const lastValid = lastRound + VALIDITY_ROUNDS;
  const frame = { from, firstValid: lastRound, lastValid, genesisId, genesisHash, lease, payment };
  const fee = algorandFee(fees, feeCap, frame);
  if (!fee.ok) return fee;
  const draft = { ...frame, fee: fee.value };
  return ok({ unsigned: encodeAlgorand(draft), draft });
};

const invalid = (field: string, why: string): Result<never> =>
  fail("TransactionInvalid", { field }, `the transaction is not valid: ${field} ${why}`);

/** A caller's bytes stay as they are; the check is only whether they can still land. */
const judgeExact = (
  { unsigned, draft }: Extract<AlgorandPlan, { kind: "exact" }>,
  { lastRound, fees }: AlgorandSituation,
): Result<Written> => {
  if (lastRound >= draft.lastValid)
    return invalid("lv", `is over: the chain is at round ${lastRound}; make it anew with a later one`);
  if (draft.firstValid > lastRound + VALIDITY_ROUNDS_MAX) {
    return invalid(
      "fv",
      `is too far away: the chain is at round ${lastRound}, and it may be at most ${VALIDITY_ROUNDS_MAX} later`,
    );
  }
  return draft.fee < fees.leastFee
    ? invalid("fee", `is too low: the chain asks for ${fees.leastFee} microalgos`)
    : ok({ unsigned, draft });
};
