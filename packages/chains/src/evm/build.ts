import { fail, ok, type Result } from "@conclave/custody";
import { type Address, getAddress, parseAbi } from "viem";
import { estimateGas, getBalance, getFeeHistory, getTransactionCount, readContract } from "viem/actions";
import type { BuiltTransaction, TransferIntent } from "../chain.ts";
import type { EvmNetwork } from "../network.ts";
import { type Call, callOf } from "./call.ts";
import {
  FEE_HISTORY_BLOCKS,
  type FeeMarket,
  feesFor,
  gasLimitFor,
  REWARD_PERCENTILES,
  wholeFee,
} from "./fees.ts";
import { ask, type Rpc } from "./rpc.ts";
import { buildTransfer } from "./transaction.ts";

const BALANCE_OF = parseAbi(["function balanceOf(address owner) view returns (uint256)"]);

interface Situation {
  readonly nonce: number;
  /** wei that the sender can spend */
  readonly balance: bigint;
  readonly market: FeeMarket;
}

/** What leaves in transactions that wait counts as gone, what arrives in them does not count yet. */
const spendable = async (rpc: Rpc, address: Address): Promise<bigint> => {
  const [latest, pending] = await Promise.all([
    getBalance(rpc, { address, blockTag: "latest" }),
    getBalance(rpc, { address, blockTag: "pending" }),
  ]);
  const leaving = latest - pending;
  return leaving > 0n ? pending : latest;
};

const feeMarket = async (rpc: Rpc): Promise<FeeMarket> => {
  const [history, tip] = await Promise.all([
    getFeeHistory(rpc, {
      blockCount: FEE_HISTORY_BLOCKS,
      blockTag: "latest",
      rewardPercentiles: [...REWARD_PERCENTILES],
    }),
    rpc.request({ method: "eth_maxPriorityFeePerGas" }),
  ]);
  return {
    nextBaseFee: history.baseFeePerGas.at(-1) ?? 0n,
    rewards: history.reward ?? [],
    suggestedTip: BigInt(tip),
  };
};

const look = async (rpc: Rpc, sender: Address): Promise<Situation> => {
  const [nonce, balance, market] = await Promise.all([
    getTransactionCount(rpc, { address: sender, blockTag: "pending" }),
    spendable(rpc, sender),
    feeMarket(rpc),
  ]);
  return { nonce, balance, market };
};

/** What the sender holds of the token; an address that is no token is told from a node that is away. */
const tokenShortage = async (
  network: EvmNetwork,
  rpc: Rpc,
  sender: Address,
  transfer: TransferIntent["transfer"],
): Promise<Result<void>> => {
  if (transfer.kind !== "Erc20") return ok(undefined);
  const token = getAddress(transfer.contract);
  const held = await ask(network.network, () =>
    readContract(rpc, { address: token, abi: BALANCE_OF, functionName: "balanceOf", args: [sender] }),
  );
  if (!held.ok) return held;
  const needed = BigInt(transfer.amount);
  return held.value < needed ? shortage(needed, held.value, `units of the token ${token}`) : ok(undefined);
};

const shortage = (needed: bigint, held: bigint, unit: string): Result<never> =>
  fail(
    "InsufficientFunds",
    { needed: needed.toString(), held: held.toString() },
    `insufficient funds: ${needed} ${unit} are needed, the wallet holds ${held}`,
  );

const affordable = (network: EvmNetwork, balance: bigint, call: Call, fee: bigint): Result<void> => {
  if (fee > BigInt(network.feeCap)) {
    return fail(
      "FeeAboveCap",
      { fee: fee.toString(), feeCap: network.feeCap },
      `the fee of up to ${fee} wei is above the cap of ${network.feeCap} wei`,
    );
  }
  const needed = call.value + fee;
  return balance < needed ? shortage(needed, balance, "wei (amount and fee)") : ok(undefined);
};

/**
 * Looks at the chain and writes the unsigned transaction of a transfer.
 * @param intent the sender's address, the authorised transfer, and the lowest nonce that our own records leave free
 * @returns InsufficientFunds, ExecutionReverted, FeeAboveCap; ServiceUnavailable when the node is away
 */
export const build = async (
  network: EvmNetwork,
  rpc: Rpc,
  intent: TransferIntent,
): Promise<Result<BuiltTransaction>> => {
  const sender = getAddress(intent.sender);
  const call = callOf(intent.transfer);
  const situation = await ask(network.network, () => look(rpc, sender));
  if (!situation.ok) return situation;
  const { balance, market } = situation.value;
  // before the estimate, whose error would not say what is missing
  if (balance < call.value) return shortage(call.value, balance, "wei");
  const tokens = await tokenShortage(network, rpc, sender, intent.transfer);
  if (!tokens.ok) return tokens;
  const estimate = await ask(network.network, () => estimateGas(rpc, { account: sender, ...call }));
  if (!estimate.ok) return estimate;
  const fees = feesFor(intent.priority, market);
  const gasLimit = gasLimitFor(estimate.value);
  const payable = affordable(network, balance, call, wholeFee(gasLimit, fees));
  if (!payable.ok) return payable;
  const nonce = Math.max(intent.lowestNonce, situation.value.nonce);
  const unsigned = buildTransfer({
    chainId: network.chainId,
    nonce: BigInt(nonce),
    fees,
    gasLimit,
    transfer: intent.transfer,
  });
  return ok({ unsigned, nonce });
};
