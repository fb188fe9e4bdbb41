import { fail, ok, type Result } from "@conclave/custody";
import type { Address, Hex } from "viem";
import { getAddress, getContractAddress, hexToBigInt, size, slice } from "viem/utils";
import type { BuiltTransaction, Sequencing, TransactionIntent } from "../chain.ts";
import type { Call } from "./calls/call.ts";
import { decodeAnyUnsigned } from "./decode-any.ts";
import { chooseFees, feesOfUnsigned, judgeTip } from "./fees/choose-fees.ts";
import { feeCapOf, wholeFee } from "./fees/fees.ts";
import { gasLimitFor, judgeGasLimit } from "./gas/gas-limit.ts";
import type { EvmNetwork } from "./network.ts";
import { type Plan, planOf } from "./plan.ts";
import { nonceOf } from "./sequence.ts";
import type { EvmSituation, Surroundings, TokenHolding } from "./situation.ts";
import { buildTransaction } from "./transaction.ts";

const WORD_BYTES = 32;

const shortage = (needed: bigint, held: bigint, unit: string): Result<never> =>
  fail(
    "InsufficientFunds",
    { needed: needed.toString(), held: held.toString() },
    `insufficient funds: ${needed} ${unit} are needed, the wallet holds ${held}; send it ${needed - held} more, or ask for less`,
  );

const affordable = (network: EvmNetwork, balance: bigint, plan: Plan, fee: bigint): Result<void> => {
  const feeCap = feeCapOf(network, plan.kind === "call" ? plan.maxFee : undefined);
  if (fee > feeCap) {
    return fail(
      "FeeAboveCap",
      { fee: fee.toString(), feeCap: feeCap.toString() },
      `the fee of up to ${fee} wei is above the cap of ${feeCap} wei`,
    );
  }
  const needed = plan.call.value + fee;
  return balance < needed ? shortage(needed, balance, "wei (amount and fee)") : ok(undefined);
};

/** The gas limit: the caller's if given. The node simulates the transaction with it before anything is signed. */
const limitOf = (
  wanted: bigint | undefined,
  call: Call,
  { gasLimits, estimate }: EvmSituation,
): Result<bigint> => {
  if (wanted !== undefined) return judgeGasLimit(wanted, gasLimits, call);
  if (estimate === undefined) throw new TypeError("nobody chose the gas limit, and none was estimated");
  return gasLimitFor(estimate, gasLimits);
};

/** Judges whether the sender holds the token that a transfer moves: InsufficientFunds. */
export const judgeHolding = (
  plan: Plan,
  sender: Address,
  holding: TokenHolding | undefined,
): Result<void> => {
  const transfer = plan.kind === "call" ? plan.transfer : undefined;
  if (transfer === undefined || transfer.kind === "Native") return ok(undefined);
  if (transfer.kind !== holding?.kind) throw new TypeError("a token was not looked for");
  const address = getAddress(transfer.contract);
  if (transfer.kind === "Erc20" && holding.kind === "Erc20") {
    const needed = BigInt(transfer.amount);
    return holding.held < needed
      ? shortage(needed, holding.held, `units of the token ${address}`)
      : ok(undefined);
  }
  if (transfer.kind !== "Erc721" || holding.kind !== "Erc721" || holding.owner === sender)
    return ok(undefined);
  return fail(
    "InsufficientFunds",
    { contract: address, tokenId: transfer.tokenId },
    `the wallet does not own the token ${transfer.tokenId} of ${address}`,
  );
};

/**
 * The checks before the node estimates gas, because its error would not say what is missing.
 * @returns the account nonce; NonceUsed, NonceGap, InsufficientFunds
 */
export const judgeSurroundings = (
  plan: Plan,
  sequencing: Sequencing,
  { balance, count }: Surroundings,
): Result<bigint> => {
  const nonce = nonceOf(sequencing, plan.nonce, count);
  if (!nonce.ok) return nonce;
  return balance < plan.call.value ? shortage(plan.call.value, balance, "wei") : nonce;
};

/**
 * Writes the unsigned transaction of a request.
 * @param situation the situation on the chain
 * @param intent the sender's address, the authorised act, and its place among the account's transactions
 * @returns InsufficientFunds, FeeAboveCap, NonceUsed, NonceGap, ReplacementUnderpriced, FeesContradictory, TransactionInvalid
 */
export const build = (
  network: EvmNetwork,
  situation: EvmSituation,
  intent: TransactionIntent,
): Result<BuiltTransaction> => {
  const sender = getAddress(intent.sender);
  const plan = planOf(intent.act);
  if (!plan.ok) return plan;
  const nonce = judgeSurroundings(plan.value, intent.sequencing, situation);
  if (!nonce.ok) return nonce;
  const tokens = judgeHolding(plan.value, sender, situation.holding);
  if (!tokens.ok) return tokens;
  const written =
    plan.value.kind === "exact"
      ? writeExact(intent, plan.value, nonce.value, situation)
      : writeCall(network, intent, plan.value, nonce.value, situation);
  if (!written.ok) return written;
  const payable = affordable(network, situation.balance, plan.value, written.value.fee);
  return payable.ok ? ok(withDetails(sender, written.value)) : payable;
};

/**
 * Judges the value that a token's `transfer` returned in a simulation. EIP-20: callers must handle false. A token that returns
 * nothing, such as USDT, signals success by not reverting. A few tokens move and yet return false (Tether Gold on the main
 * network); that shows only after landing, so the service sends such a transfer if its caller insists.
 * @returns ExecutionReverted if the token returned a zero word, or anything shorter than a word
 */
export const judgeReturned = (plan: Plan, returned: Hex): Result<void> => {
  const transfer = plan.kind === "call" ? plan.transfer : undefined;
  if (transfer?.kind !== "Erc20" || returned === "0x") return ok(undefined);
  const isWord = size(returned) >= WORD_BYTES;
  if (isWord && hexToBigInt(slice(returned, 0, WORD_BYTES)) !== 0n) return ok(undefined);
  const contract = getAddress(transfer.contract);
  const reason = isWord
    ? "the token's transfer returns false, by which it says that it would move nothing"
    : "the token's transfer returns something that is neither true nor false";
  return fail(
    "ExecutionReverted",
    { contract, reason },
    `The transfer was tried and would move nothing: the token ${contract} returns ${isWord ? "false" : returned.slice(0, 2 + 2 * WORD_BYTES)}. Ask the token's issuer why, such as a paused token or a blocked account. Of a token that returns this and moves, ask for the transfer with sendAnyway: true: its event, or both balances, tell then whether it has moved.`,
  );
};

/**
 * A rollup's data fee may rise between the query and the landing. L1's base fee changes by up to an eighth per block: 50 % more
 * covers three blocks.
 */
const ROLLUP_FEE_PERCENT = 150n;

/**
 * Judges whether the sender can also pay the rollup's data fee on top of gas: otherwise the node would refuse the transaction
 * for lack of funds, now and later.
 * @param rollupFee wei, for exactly these bytes
 * @returns InsufficientFunds; FeeAboveCap when gas and rollup fee together exceed the network's cap; signers cannot see the
 * rollup fee
 */
export const judgeRollupFee = (
  network: EvmNetwork,
  balance: bigint,
  unsigned: Uint8Array,
  rollupFee: bigint,
): Result<void> => {
  if (rollupFee === 0n) return ok(undefined);
  const decoded = decodeAnyUnsigned(unsigned);
  if (!decoded.ok) return decoded;
  const gasFee = wholeFee(decoded.value.gasLimit, decoded.value);
  const ofData = (rollupFee * ROLLUP_FEE_PERCENT) / 100n;
  const fee = gasFee + ofData;
  if (fee > BigInt(network.feeCap)) {
    return fail(
      "FeeAboveCap",
      { fee: fee.toString(), l1Fee: ofData.toString(), feeCap: network.feeCap },
      `the fee of up to ${fee} wei, ${ofData} of it for the data on layer 1, is above the cap of ${network.feeCap} wei`,
    );
  }
  const needed = decoded.value.value + fee;
  return balance < needed
    ? shortage(needed, balance, `wei (amount, gas and ${ofData} wei for the data on layer 1)`)
    : ok(undefined);
};

interface Written {
  readonly unsigned: Uint8Array;
  readonly nonce: bigint;
  readonly fee: bigint;
}

const atLeastOne = (gas: bigint): bigint => (gas > 0n ? gas : 1n);

const earlierFees = ({ sequencing }: TransactionIntent) =>
  sequencing.kind === "replacing" ? feesOfUnsigned(sequencing.earlier) : undefined;

const writeCall = (
  network: EvmNetwork,
  intent: TransactionIntent,
  { call, gasLimit: limit, fees: wanted, maxFee }: Extract<Plan, { kind: "call" }>,
  nonce: bigint,
  situation: EvmSituation,
): Result<Written> => {
  const { market } = situation;
  const gasLimit = limitOf(limit, call, situation);
  if (!gasLimit.ok) return gasLimit;
  const most = maxFee === undefined ? undefined : maxFee / atLeastOne(gasLimit.value);
  const { priority } = intent;
  const fees = chooseFees({ wanted, priority, market, earlier: earlierFees(intent), most });
  if (!fees.ok) return fees;
  const taken = judgeTip(fees.value, market);
  if (!taken.ok) return taken;
  const unsigned = buildTransaction({
    chainId: network.chainId,
    nonce,
    fees: fees.value,
    gasLimit: gasLimit.value,
    call,
  });
  const price = fees.value.kind === "Legacy" ? fees.value.gasPrice : fees.value.maxFeePerGas;
  return ok({ unsigned, nonce, fee: gasLimit.value * price });
};

/** Keeps the caller's bytes as they are, and checks their fees and gas limit against the situation. */
const writeExact = (
  intent: TransactionIntent,
  { unsigned, decoded, call }: Extract<Plan, { kind: "exact" }>,
  nonce: bigint,
  situation: EvmSituation,
): Result<Written> => {
  const { market } = situation;
  const numbers = {
    maxFeePerGas: decoded.maxFeePerGas.toString(),
    maxPriorityFeePerGas: decoded.maxPriorityFeePerGas.toString(),
  };
  const wanted =
    decoded.type === 2
      ? ({ kind: "Eip1559", ...numbers } as const)
      : ({ kind: "Legacy", gasPrice: numbers.maxFeePerGas } as const);
  const earlier = earlierFees(intent);
  const fees = chooseFees({ wanted, priority: undefined, market, earlier, most: undefined });
  if (!fees.ok) return fees;
  const taken = judgeTip(fees.value, market);
  if (!taken.ok) return taken;
  const gasLimit = limitOf(decoded.gasLimit, call, situation);
  return gasLimit.ok ? ok({ unsigned, nonce, fee: wholeFee(decoded.gasLimit, decoded) }) : gasLimit;
};

const withDetails = (from: Address, { unsigned }: Written): BuiltTransaction => {
  const shown = describe(unsigned, from);
  if (!shown.ok) throw new Error(`a transaction was built that cannot be read: ${shown.problem.message}`);
  return { unsigned, ...shown.value };
};

/** `describe` of the family: the details that clients see, including the address of a deployed contract. */
export const describe = (
  unsigned: Uint8Array,
  sender: string,
): Result<Omit<BuiltTransaction, "unsigned">> => {
  const decoded = decodeAnyUnsigned(unsigned);
  if (!decoded.ok) return decoded;
  const { type, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas, to } = decoded.value;
  const fees =
    type === 2
      ? { maxFeePerGas: maxFeePerGas.toString(), maxPriorityFeePerGas: maxPriorityFeePerGas.toString() }
      : { gasPrice: maxFeePerGas.toString() };
  const from = getAddress(sender);
  return ok({
    sequence: nonce,
    details: {
      nonce: Number(nonce),
      gasLimit: gasLimit.toString(),
      ...fees,
      ...(to === undefined ? { contractAddress: getContractAddress({ from, nonce }) } : {}),
    },
  });
};
