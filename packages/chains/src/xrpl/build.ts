import { fail, ok, type Result } from "@conclave/custody";
import type { BuiltTransaction, TransactionIntent } from "../chain.ts";
import { judgeXrplAffordable, withoutAccount } from "./affordable.ts";
import { xrplFee } from "./fee.ts";
import { namedNetworkId, type XrplNetwork } from "./network.ts";
import { type XrplPlan, xrplPlan } from "./plan.ts";
import { xrplPublicKey } from "./rules/address.ts";
import { xrplSequence } from "./sequence.ts";
import type { XrplSituation } from "./situation.ts";
import { encodeXrpl, FULLY_CANONICAL, type XrplDraft } from "./transaction.ts";

/**
 * Ledgers in which a transaction may land: some three minutes. Only once they have passed can a transaction that did not land
 * be known to have failed.
 */
const VALIDITY_LEDGERS = 50;
/**
 * Most ledgers that a caller's own bytes may stay valid at the build: a week, at three seconds per ledger. A node may refuse
 * them all that time, and the wallet waits as long.
 */
const CALLERS_LEDGERS_MAX = 201_600;

/**
 * Writes the unsigned transaction of a request.
 * @param situation the situation on the chain
 * @param intent the sender's address and key, the authorised act, and its place among the account's transactions
 * @returns InsufficientFunds, RecipientCannotReceive, FeeAboveCap, NonceUsed, NonceGap, TransactionInvalid, or
 * ServiceUnavailable when the node is on another chain, or behind our own records
 */
export const buildXrpl = (
  network: XrplNetwork,
  situation: XrplSituation,
  intent: TransactionIntent,
): Result<BuiltTransaction> => {
  if (situation.networkId !== network.networkId) {
    return fail(
      "ServiceUnavailable",
      { network: network.network },
      `The chain node of ${network.network} is of another chain: its network id is ${situation.networkId}.`,
    );
  }
  const plan = xrplPlan(intent.act);
  if (!plan.ok) return plan;
  const { sender } = situation;
  if (sender === undefined) return withoutAccount(situation.reserve);
  const given = plan.value.kind === "exact" ? BigInt(plan.value.draft.sequence) : undefined;
  const sequence = xrplSequence(intent.sequencing, given, sender.place);
  if (!sequence.ok) return sequence;
  const written =
    plan.value.kind === "exact"
      ? judgeExact(plan.value, situation)
      : writePayment(network, situation, intent, plan.value, sequence.value);
  if (!written.ok) return written;
  const { unsigned, draft } = written.value;
  const { payment } = plan.value;
  const payable = judgeXrplAffordable({ payment, fee: draft.fee, situation: { ...situation, sender } });
  if (!payable.ok) return payable;
  return ok({ unsigned, ...shownOfXrpl(draft) });
};

/** The place in the order and the details that clients see of a transaction. */
export const shownOfXrpl = ({
  fee,
  sequence,
  lastLedger,
}: XrplDraft): Omit<BuiltTransaction, "unsigned"> => ({
  sequence: BigInt(sequence),
  details: { fee: fee.toString(), sequence, lastLedgerSequence: lastLedger },
});

interface Written {
  readonly unsigned: Uint8Array;
  readonly draft: XrplDraft;
}

const writePayment = (
  network: XrplNetwork,
  { validated, fees }: XrplSituation,
  { sender: from, keys }: TransactionIntent,
  { payment }: Extract<XrplPlan, { kind: "payment" }>,
  sequence: bigint,
): Result<Written> => {
  const [key] = keys;
  if (key === undefined) throw new TypeError("a wallet has a key");
  const fee = xrplFee(fees, network.feeCap);
  if (!fee.ok) return fee;
  const draft: XrplDraft = {
    networkId: namedNetworkId(network),
    flags: FULLY_CANONICAL,
    sourceTag: undefined,
    sequence: Number(sequence),
    destinationTag: payment.destinationTag,
    lastLedger: validated + VALIDITY_LEDGERS,
    amount: payment.amount,
    fee: fee.value,
    signingPubKey: xrplPublicKey(key),
    from,
    to: payment.to,
  };
  return ok({ unsigned: encodeXrpl(draft), draft });
};

const invalid = (field: string, why: string): Result<never> =>
  fail("TransactionInvalid", { field }, `the transaction is not valid: ${field} ${why}`);

/** A caller's bytes stay as they are; the check is only whether they can still land. */
const judgeExact = (
  { unsigned, draft }: Extract<XrplPlan, { kind: "exact" }>,
  { validated, fees }: XrplSituation,
): Result<Written> => {
  if (validated >= draft.lastLedger) {
    return invalid("LastLedgerSequence", `is over: the chain is at ledger ${validated}`);
  }
  if (draft.lastLedger - validated > CALLERS_LEDGERS_MAX) {
    return invalid(
      "LastLedgerSequence",
      `is too far away: the wallet could wait for it as long. Make it ${validated + CALLERS_LEDGERS_MAX} at the most`,
    );
  }
  return draft.fee < fees.least
    ? invalid("Fee", `is too low: the chain asks for ${fees.least} drops`)
    : ok({ unsigned, draft });
};
