import { fail, ok, type Result } from "@conclave/custody";
import type { BuiltTransaction, Sequencing, TransactionIntent } from "../chain.ts";
import { judgeStellarAffordable } from "./affordable.ts";
import { stellarFee } from "./fee.ts";
import type { StellarNetwork } from "./network.ts";
import { type StellarPlan, stellarPlan } from "./plan.ts";
import { stellarSequence } from "./sequence.ts";
import type { StellarAccount, StellarSituation } from "./situation.ts";
import { encodeStellar, type StellarDraft } from "./transaction.ts";
import type { StellarOperation } from "./xdr/operation.ts";

/** How long after the last ledger a transaction may land. What the chain refuses until then is known to have failed only then. */
const VALIDITY_SECONDS = 300n;

/**
 * Writes the unsigned transaction of a request.
 * @param situation what was found on the chain
 * @param intent the sender's address, what is authorised, and where our own records want it
 * @returns InsufficientFunds, RecipientCannotReceive, FeeAboveCap, TransactionInvalid, NonceUsed or NonceGap; ServiceUnavailable
 *   when the node is of another chain, or an earlier transaction of the wallet may land
 */
export const buildStellar = (
  network: StellarNetwork,
  situation: StellarSituation,
  { sender: from, act, sequencing }: TransactionIntent,
): Result<BuiltTransaction> => {
  if (situation.passphrase !== network.passphrase) {
    return fail(
      "ServiceUnavailable",
      { network: network.network },
      `The chain node of ${network.network} is of another chain: ${situation.passphrase}.`,
    );
  }
  const plan = stellarPlan(act);
  if (!plan.ok) return plan;
  const { sender } = situation;
  if (sender === undefined) {
    return fail("InsufficientFunds", {}, "insufficient funds: the wallet's account does not exist yet");
  }
  const asked: Asked = { network, situation, from, sender, sequencing };
  const written =
    plan.value.kind === "exact" ? judgeExact(asked, plan.value) : writePayment(asked, plan.value);
  if (!written.ok) return written;
  const { unsigned, draft } = written.value;
  const payable = judgeStellarAffordable(draft, situation, sender);
  if (!payable.ok) return payable;
  const { sequence, fee, maxTime } = draft;
  const details = { fee: fee.toString(), sequence: sequence.toString(), maxTime: maxTime.toString() };
  return ok({ unsigned, sequence, details });
};

interface Asked {
  readonly network: StellarNetwork;
  readonly situation: StellarSituation;
  readonly from: string;
  readonly sender: StellarAccount;
  readonly sequencing: Sequencing;
}

interface Written {
  readonly unsigned: Uint8Array;
  readonly draft: StellarDraft;
}

type Payment = Extract<StellarPlan, { kind: "payment" }>;

/** Lumens to an account that does not exist yet are its first ones. */
const operationOf = ({ to, token, amount }: Payment, situation: StellarSituation): StellarOperation =>
  token === undefined && situation.recipient === undefined
    ? { kind: "createAccount", to, amount }
    : { kind: "payment", to, token, amount };

const writePayment = (asked: Asked, payment: Payment): Result<Written> => {
  const { network, situation, from, sender, sequencing } = asked;
  const sequence = stellarSequence(network.network, sequencing, undefined, sender.sequence);
  if (!sequence.ok) return sequence;
  const fee = stellarFee(situation.fees, network.feeCap);
  if (!fee.ok) return fee;
  const draft: StellarDraft = {
    from,
    fee: fee.value,
    sequence: sequence.value,
    minTime: 0n,
    maxTime: situation.closedAt + VALIDITY_SECONDS,
    memo: payment.memo,
    operation: operationOf(payment, situation),
  };
  return ok({ unsigned: encodeStellar(draft), draft });
};

const invalid = (field: string, why: string): Result<never> =>
  fail("TransactionInvalid", { field }, `the transaction is not valid: ${field} ${why}`);

/** The bytes stay as they are: all that is left is to see whether they can still land. */
const judgeExact = (
  { network, situation, sender, sequencing }: Asked,
  { unsigned, draft }: Extract<StellarPlan, { kind: "exact" }>,
): Result<Written> => {
  const { closedAt, fees } = situation;
  if (closedAt >= draft.maxTime) return invalid("maxTime", `is over: the last ledger closed at ${closedAt}`);
  if (closedAt < draft.minTime)
    return invalid("minTime", `is to come: the last ledger closed at ${closedAt}`);
  if (draft.fee < fees.base) return invalid("fee", `is too low: the chain asks for ${fees.base} stroops`);
  const sequence = stellarSequence(network.network, sequencing, draft.sequence, sender.sequence);
  return sequence.ok ? ok({ unsigned, draft }) : sequence;
};
