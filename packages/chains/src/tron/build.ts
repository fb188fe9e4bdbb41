import { fail, ok, type Result } from "@conclave/custody";
import { hexToBytes, numberToBytesBE } from "@noble/curves/utils.js";
import type { BuiltTransaction, TransactionIntent } from "../chain.ts";
import { judgeCallable, judgeTronAffordable } from "./affordable.ts";
import { feeLimitFor, tronFee } from "./fee.ts";
import type { TronNetwork } from "./network.ts";
import { type TronPlan, tronPlan } from "./plan.ts";
import { taggedTimes } from "./request-tag.ts";
import type { TronSituation } from "./situation.ts";
import { encodeTron, type TronDraft } from "./transaction.ts";

/**
 * Time after the last block in which a transaction may land. Only once it has passed can a transaction that the chain refuses
 * be known to have failed.
 */
const VALIDITY_MS = 300_000n;
/** The longest validity that the chain accepts (java-tron, Constant.MAXIMUM_TIME_UNTIL_EXPIRATION). */
export const TRON_VALIDITY_MS_MAX = 86_400_000n;
/**
 * Minimum time between blocks. The next block refuses a transaction that expires before its own time
 * (TransactionCapsule.checkExpiration).
 */
const BLOCK_MS = 3_000n;
const HEIGHT_BYTES = 8;

/**
 * Writes the unsigned transaction of a request: the bytes of raw_data.
 * @param situation the situation on the chain
 * @param intent the sender's address, and the authorised act
 * @returns InsufficientFunds, RecipientCannotReceive, ExecutionReverted, FeeAboveCap, TransactionInvalid, or ServiceUnavailable
 * when the node is on another chain
 */
export const buildTron = (
  network: TronNetwork,
  situation: TronSituation,
  { sender, act }: TransactionIntent,
): Result<BuiltTransaction> => {
  if (situation.genesisBlock !== network.genesisBlock) {
    return fail(
      "ServiceUnavailable",
      { network: network.network },
      `The chain node of ${network.network} is of another chain, whose first block is ${situation.genesisBlock}.`,
    );
  }
  const plan = tronPlan(act);
  if (!plan.ok) return plan;
  const { contract } = plan.value;
  const energy = judgeCallable(contract, situation);
  if (!energy.ok) return energy;
  const written =
    plan.value.kind === "exact"
      ? judgeExact(plan.value, situation, energy.value)
      : writeContract(plan.value, situation, energy.value);
  if (!written.ok) return written;
  const { unsigned, draft } = written.value;
  const fee = tronFee(draft, situation, energy.value, network.feeCap);
  if (!fee.ok) return fee;
  const payable = judgeTronAffordable({ sender, contract, fee: fee.value, situation });
  if (!payable.ok) return payable;
  const { sequence, details } = shownOfTron(draft);
  const cost = fee.value.frame + fee.value.energy;
  return ok({ unsigned, sequence, details: { fee: cost.toString(), ...details } });
};

/** The details that clients see of a transaction, without the expected cost, which is not in the bytes. */
export const shownOfTron = ({ feeLimit, expirationMs }: TronDraft): Omit<BuiltTransaction, "unsigned"> => ({
  sequence: undefined,
  details: { feeLimit: feeLimit.toString(), expiration: expirationMs.toString() },
});

interface Written {
  readonly unsigned: Uint8Array;
  readonly draft: TronDraft;
}

/**
 * A transaction's reference to a block of its chain (TRON Developers, "TAPOS"): the last bytes of its height, and a part of its
 * id.
 */
const referenceTo = ({ height, id }: TronSituation["solid"]) => ({
  refBlockBytes: numberToBytesBE(height, HEIGHT_BYTES).slice(6),
  refBlockHash: hexToBytes(id).slice(8, 16),
});

/** Refers to a solid block, which every node has; a block of a fork could be unknown to other nodes. */
const writeContract = (
  { contract, tag }: Extract<TronPlan, { kind: "contract" }>,
  { solid, headTimeMs, prices }: TronSituation,
  energy: bigint,
): Result<Written> => {
  const draft: TronDraft = {
    ...referenceTo(solid),
    ...taggedTimes(tag, { timestampMs: headTimeMs, expirationMs: headTimeMs + VALIDITY_MS }),
    feeLimit: feeLimitFor(energy, prices),
    contract,
  };
  return ok({ unsigned: encodeTron(draft), draft });
};

const invalid = (field: string, why: string): Result<never> =>
  fail("TransactionInvalid", { field }, `the transaction is not valid: ${field} ${why}`);

/** A caller's bytes stay as they are; the check is only whether they can still land. */
const judgeExact = (
  { unsigned, draft }: Extract<TronPlan, { kind: "exact" }>,
  { headTimeMs, prices }: TronSituation,
  energy: bigint,
): Result<Written> => {
  const { expirationMs, feeLimit } = draft;
  const last = `the chain's last block is of ${headTimeMs} ms`;
  if (expirationMs < headTimeMs + BLOCK_MS) {
    return invalid("expiration", `is over: ${last}; make it again with a later one`);
  }
  if (expirationMs > headTimeMs + TRON_VALIDITY_MS_MAX) {
    return invalid("expiration", `is too far away: ${last}; make it again with one of at most a day`);
  }
  const least = energy * prices.energy;
  return feeLimit < least
    ? invalid("fee_limit", `is too low: the call takes energy for ${least} sun; make it again with more`)
    : ok({ unsigned, draft });
};
