import { fail, ok, type Result } from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import type { BuiltTransaction, Sequencing, TransactionIntent } from "../chain.ts";
import { judgeStellarAffordable, judgeStellarMemo } from "./affordable.ts";
import { stellarFee } from "./fee.ts";
import type { StellarNetwork } from "./network.ts";
import { type StellarPlan, stellarPlan } from "./plan.ts";
import { stellarSequence } from "./sequence.ts";
import type { StellarAccount, StellarSituation } from "./situation.ts";
import { assetContractOf } from "./soroban/asset-contract.ts";
import { writeLedgerKey } from "./soroban/ledger-key.ts";
import type { CallResources } from "./soroban/resources.ts";
import { encodeStellar, type StellarDraft } from "./transaction.ts";
import type { StellarOperation } from "./xdr/operation.ts";

/**
 * Seconds after the last ledger's close in which a transaction may land. While they last, a transaction that the chain refuses
 * cannot be known to have failed.
 */
const VALIDITY_SECONDS = 300n;
/**
 * Longest remaining validity of a caller's own bytes at the build: a week. A node may refuse the bytes all that time, and the
 * wallet waits as long.
 */
const CALLERS_SECONDS_MAX = 604_800n;

/**
 * Writes the unsigned transaction of a request.
 * @param situation the situation on the chain
 * @param intent the sender's address, the authorised act, and the place that our own records require
 * @returns InsufficientFunds, RecipientCannotReceive, FeeAboveCap, TransactionInvalid, NonceUsed or NonceGap;
 * ServiceUnavailable when the node is on another chain, or an earlier transaction of the wallet may still land
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
    return fail(
      "InsufficientFunds",
      {},
      "insufficient funds: the wallet's account does not exist yet; a first payment of lumens makes it, which covers its reserve: send one to the wallet's address",
    );
  }
  const asked: Asked = { network, situation, from, sender, sequencing };
  const written =
    plan.value.kind === "exact" ? judgeExact(asked, plan.value) : writePayment(asked, plan.value);
  if (!written.ok) return written;
  const { unsigned, draft } = written.value;
  const payable = judgeStellarAffordable(draft, situation, sender);
  if (!payable.ok) return payable;
  return ok({ unsigned, ...shownOfStellar(draft) });
};

/** The place in the order and the details that clients see of a transaction. */
export const shownOfStellar = ({
  sequence,
  fee,
  maxTime,
}: StellarDraft): Omit<BuiltTransaction, "unsigned"> => ({
  sequence,
  details: { fee: fee.toString(), sequence: sequence.toString(), maxTime: maxTime.toString() },
});

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

/** A contract is paid by a call of the asset's contract; lumens to a missing account create it. */
const operationOf = (
  { passphrase, recipient }: StellarSituation,
  from: string,
  { to, token, amount }: Payment,
): StellarOperation => {
  if (to.startsWith("C")) {
    return { kind: "invokeHostFunction", contract: assetContractOf(passphrase, token), from, to, amount };
  }
  return token === undefined && recipient === undefined
    ? { kind: "createAccount", to, amount }
    : { kind: "payment", to, token, amount };
};

/**
 * The bytes to simulate. For a transfer to a contract: the transaction without final resources and fee. For a caller's own
 * call: its exact bytes.
 * @returns undefined if there is no contract call
 */
export const callToSimulate = (
  { situation, from, sender }: Pick<Asked, "situation" | "from" | "sender">,
  plan: StellarPlan,
): Uint8Array | undefined => {
  if (plan.kind === "exact") {
    return plan.draft.operation.kind === "invokeHostFunction" ? plan.unsigned : undefined;
  }
  const operation = operationOf(situation, from, plan);
  if (operation.kind !== "invokeHostFunction") return undefined;
  return encodeStellar({
    from,
    fee: situation.fees.base,
    sequence: sender.sequence + 1n,
    minTime: 0n,
    maxTime: situation.closedAt + VALIDITY_SECONDS,
    memo: plan.memo,
    operation,
  });
};

const writePayment = (asked: Asked, payment: Payment): Result<Written> => {
  const { network, situation, from, sender, sequencing } = asked;
  const sequence = stellarSequence(network.network, sequencing, undefined, sender.sequence);
  if (!sequence.ok) return sequence;
  const operation = operationOf(situation, from, payment);
  const { resources } = situation;
  if (operation.kind === "invokeHostFunction" && resources === undefined) {
    throw new TypeError("a contract call was not simulated");
  }
  const fee = stellarFee(situation.fees, resources?.fee ?? 0n, network.feeCap);
  if (!fee.ok) return fee;
  const draft: StellarDraft = {
    from,
    fee: fee.value,
    sequence: sequence.value,
    minTime: 0n,
    maxTime: situation.closedAt + VALIDITY_SECONDS,
    memo: payment.memo,
    operation,
    ...(resources === undefined ? {} : { resources }),
  };
  return ok({ unsigned: encodeStellar(draft), draft });
};

const invalid = (field: string, why: string): Result<never> =>
  fail("TransactionInvalid", { field }, `the transaction is not valid: ${field} ${why}`);

/**
 * Whether a call declares every ledger entry that its simulation touched: otherwise the chain charges the fee and undoes the
 * call. Other resource limits are not compared: a simulation reports more than is needed.
 */
const coversFootprint = (given: CallResources | undefined, needed: CallResources): boolean => {
  const spelt = (keys: CallResources["reads"]): readonly string[] =>
    keys.map((key) => bytesToHex(writeLedgerKey(key)));
  const writes = spelt(given?.writes ?? []);
  const all = [...writes, ...spelt(given?.reads ?? [])];
  return (
    spelt(needed.writes).every((key) => writes.includes(key)) &&
    spelt(needed.reads).every((key) => all.includes(key))
  );
};

/** A caller's bytes stay as they are; the check is only whether they can still land. */
const judgeExact = (
  { network, situation, sender, sequencing }: Asked,
  { unsigned, draft }: Extract<StellarPlan, { kind: "exact" }>,
): Result<Written> => {
  const { closedAt, fees, resources } = situation;
  const memo = judgeStellarMemo(draft, situation);
  if (!memo.ok) return memo;
  if (draft.maxTime - closedAt > CALLERS_SECONDS_MAX) {
    return invalid(
      "maxTime",
      `is too far away: the wallet could wait for it as long. Make it ${closedAt + CALLERS_SECONDS_MAX} at the most`,
    );
  }
  if (resources !== undefined && !coversFootprint(draft.resources, resources)) {
    return invalid("resources", "do not name all that the call touches (footprint): simulate it anew");
  }
  if (closedAt >= draft.maxTime) return invalid("maxTime", `is over: the last ledger closed at ${closedAt}`);
  if (closedAt < draft.minTime)
    return invalid("minTime", `is to come: the last ledger closed at ${closedAt}`);
  const least = fees.base + (draft.resources?.fee ?? 0n);
  if (draft.fee < least) return invalid("fee", `is too low: the chain asks for ${least} stroops`);
  const sequence = stellarSequence(network.network, sequencing, draft.sequence, sender.sequence);
  return sequence.ok ? ok({ unsigned, draft }) : sequence;
};
