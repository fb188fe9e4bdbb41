import { ok, type Result } from "@conclave/custody";
import { type Address, getAddress, type Hex, parseAbi } from "viem";
import { estimateGas, readContract } from "viem/actions";
import { bytesToHex, parseTransaction } from "viem/utils";
import type { BuiltTransaction, TransactionIntent } from "../../chain.ts";
import { build, judgeHolding, judgeReturned, judgeRollupFee, judgeSurroundings } from "../build.ts";
import { judgeGasLimit } from "../gas/gas-limit.ts";
import type { EvmNetwork } from "../network.ts";
import { type Plan, planOf } from "../plan.ts";
import type { EvmTransfer } from "../rules/act.ts";
import type { Surroundings, TokenHolding } from "../situation.ts";
import { lookAround } from "./look-around.ts";
import { rollupFee } from "./rollup-fee.ts";
import { ask, type Rpc } from "./rpc.ts";
import { type TrialBlock, transactionLimit, tryOut } from "./trial.ts";

const BALANCE_OF = parseAbi(["function balanceOf(address owner) view returns (uint256)"]);
const OWNER_OF = parseAbi(["function ownerOf(uint256 tokenId) view returns (address)"]);

/** The sender's balance in the token. An address without a token gives another error than a node that is away. */
const holdingOf = async (
  network: EvmNetwork,
  rpc: Rpc,
  sender: Address,
  transfer: EvmTransfer | undefined,
): Promise<Result<TokenHolding | undefined>> => {
  if (transfer === undefined || transfer.kind === "Native") return ok(undefined);
  const address = getAddress(transfer.contract);
  if (transfer.kind === "Erc20") {
    const held = await ask(network.network, () =>
      readContract(rpc, { address, abi: BALANCE_OF, functionName: "balanceOf", args: [sender] }),
    );
    return held.ok ? ok({ kind: "Erc20", held: held.value }) : held;
  }
  const args = [BigInt(transfer.tokenId)] as const;
  const owner = await ask(network.network, () =>
    readContract(rpc, { address, abi: OWNER_OF, functionName: "ownerOf", args }),
  );
  return owner.ok ? ok({ kind: "Erc721", owner: owner.value }) : owner;
};

/** The gas limit that the caller chose, for a call or in its own bytes. */
const chosenLimit = (plan: Plan): bigint | undefined =>
  plan.kind === "exact" ? plan.decoded.gasLimit : plan.gasLimit;

const gasLimitOf = (unsigned: Uint8Array): bigint => parseTransaction(bytesToHex(unsigned)).gas ?? 0n;

/** The checks that come before the gas estimate, whose errors do not say what is missing. */
const judgeBefore = async (
  network: EvmNetwork,
  rpc: Rpc,
  sender: Address,
  plan: Plan,
  { sequencing }: TransactionIntent,
  around: Surroundings,
): Promise<Result<TokenHolding | undefined>> => {
  const nonce = judgeSurroundings(plan, sequencing, around);
  if (!nonce.ok) return nonce;
  const transfer = plan.kind === "call" ? plan.transfer : undefined;
  const holding = await holdingOf(network, rpc, sender, transfer);
  if (!holding.ok) return holding;
  const tokens = judgeHolding(plan, sender, holding.value);
  return tokens.ok ? holding : tokens;
};

/**
 * Whether to try on the pending block: waiting transactions come first, except the one that this one replaces. Some
 * nodes build no pending block, so it is used only if the account has waiting transactions.
 */
const blockOf = ({ count }: Surroundings, isReplacement: boolean): TrialBlock =>
  count.pending > count.mined && !isReplacement ? "pending" : "latest";

/**
 * Judges unsigned bytes by everything that the chain can say before they are signed: the gas limit of a transaction,
 * the fees of a rollup beside gas, and whether the call succeeds.
 *
 * @returns the result of the call
 */
const tryWritten = async (
  network: EvmNetwork,
  rpc: Rpc,
  sender: Address,
  plan: Plan,
  around: Surroundings,
  unsigned: Uint8Array,
  block: TrialBlock,
): Promise<Result<Hex>> => {
  const { network: name } = network;
  const gas = gasLimitOf(unsigned);
  const limits = await transactionLimit(name, rpc, sender, gas, around.gasLimits);
  if (!limits.ok) return limits;
  const possible = judgeGasLimit(gas, limits.value, plan.call);
  if (!possible.ok) return possible;
  const ofData = await rollupFee(name, rpc, unsigned, gas);
  if (!ofData.ok) return ofData;
  const payable = judgeRollupFee(network, around.balance, unsigned, ofData.value);
  if (!payable.ok) return payable;
  return tryOut(name, rpc, sender, unsigned, block, chosenLimit(plan) !== undefined);
};

/**
 * Reads the chain's state and builds the unsigned transaction of a request. It stops as soon as something makes the
 * request impossible.
 *
 * @returns the refusals of `build`, ExecutionReverted, or ServiceUnavailable when the node is away
 */
export const lookAndBuild = async (
  network: EvmNetwork,
  rpc: Rpc,
  intent: TransactionIntent,
): Promise<Result<BuiltTransaction>> => {
  const { network: name } = network;
  const sender = getAddress(intent.sender);
  const planned = planOf(intent.act);
  if (!planned.ok) return planned;
  const plan = planned.value;
  const isReplacement = intent.sequencing.kind === "replacing";
  const around = await ask(name, () => lookAround(rpc, network, sender, isReplacement));
  if (!around.ok) return around;
  const holding = await judgeBefore(network, rpc, sender, plan, intent, around.value);
  if (!holding.ok) return holding;
  const blockTag = blockOf(around.value, isReplacement);
  const { call } = plan;
  const estimate =
    chosenLimit(plan) === undefined
      ? await ask(name, () => estimateGas(rpc, { account: sender, ...call, blockTag }))
      : ok(undefined);
  if (!estimate.ok) return estimate;
  const built = build(network, { ...around.value, holding: holding.value, estimate: estimate.value }, intent);
  if (!built.ok) return built;
  const tried = await tryWritten(network, rpc, sender, plan, around.value, built.value.unsigned, blockTag);
  if (!tried.ok) return tried;
  const judged = intent.insists === true ? ok(undefined) : judgeReturned(plan, tried.value);
  return judged.ok ? built : judged;
};
