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
 * The time after the last ledger in which a transaction may land. A transaction that the chain refuses until then is
 * known to have failed only then.
 */
const VALIDITY_SECONDS = 300n;
/**
 * The time that a caller's own bytes may leave themselves at the most, when they are built: a week. A node may refuse them all that
 * time, and the wallet waits as long.
 */
const CALLERS_SECONDS_MAX = 604_800n;

/**
 * Writes the unsigned transaction of a request.
 * @param situation the situation on the chain
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

/** Place and details of a transaction. */
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

/** To a contract goes a call; lumens to an account that does not exist yet are its first ones. */
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
 * The simulated bytes of a transfer to a contract: the transaction as it will be, but for resources and fee; of
 * a caller's own call the very bytes.
 * @returns undefined where nothing is to be simulated: an account receives
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
 * Whether a call names every entry of the ledger that its simulation touched: the chain takes the fee of one that does not, and undoes
 * it. Its limits of other resources are not compared: a simulation asks for more than is needed.
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

/** The bytes stay as they are: all that is left is to see whether they can still land. */
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
