import { type AuthorisedTransfer, fail, ok, type Result } from "@conclave/custody";
import { type Address, getAddress, getContractAddress, hexToBytes, parseAbi } from "viem";
import { estimateGas, readContract } from "viem/actions";
import type { Act, BuiltTransaction, TransactionIntent } from "../chain.ts";
import type { EvmNetwork } from "../network.ts";
import { type Call, callOf, requestedCall } from "./calls/call.ts";
import { type AnyUnsigned, decodeAnyUnsigned } from "./decode-any.ts";
import { chooseFees, feesOfUnsigned } from "./fees/choose-fees.ts";
import { gasLimitFor, wholeFee } from "./fees/fees.ts";
import { ask, type Rpc } from "./node/rpc.ts";
import { lookAround, type Situation } from "./node/situation.ts";
import { nonceOf } from "./place.ts";
import { buildTransaction } from "./transaction.ts";

const BALANCE_OF = parseAbi(["function balanceOf(address owner) view returns (uint256)"]);
const OWNER_OF = parseAbi(["function ownerOf(uint256 tokenId) view returns (address)"]);

/** What is to be built: a call with what its caller fixed, or bytes that are there already. */
type Plan =
  | {
      readonly kind: "call";
      readonly call: Call;
      readonly nonce: number | undefined;
      readonly gasLimit: bigint | undefined;
    }
  | {
      readonly kind: "exact";
      readonly call: Call;
      readonly nonce: number;
      readonly unsigned: Uint8Array;
      readonly decoded: AnyUnsigned;
    };

const planOf = (act: Act): Result<Plan> => {
  if (act.kind === "transfer") {
    return ok({ kind: "call", call: callOf(act.transfer), nonce: undefined, gasLimit: undefined });
  }
  const { transaction } = act;
  if (transaction.kind === "Call") {
    const { nonce, gasLimit } = transaction;
    const limit = gasLimit === undefined ? undefined : BigInt(gasLimit);
    return ok({ kind: "call", call: requestedCall(transaction), nonce, gasLimit: limit });
  }
  const unsigned = hexToBytes(`0x${transaction.unsigned}`);
  const decoded = decodeAnyUnsigned(unsigned);
  if (!decoded.ok) return decoded;
  const { to, value, data } = decoded.value;
  const call = { to: to === undefined ? undefined : getAddress(to), value, data };
  return ok({ kind: "exact", call, nonce: Number(decoded.value.nonce), unsigned, decoded: decoded.value });
};

/** What the sender holds of the token; an address that is no token is told from a node that is away. */
const tokenShortage = async (
  network: EvmNetwork,
  rpc: Rpc,
  sender: Address,
  act: Act,
): Promise<Result<void>> => {
  if (act.kind !== "transfer") return ok(undefined);
  switch (act.transfer.kind) {
    case "Native":
      return ok(undefined);
    case "Erc20":
      return erc20Shortage(network, rpc, sender, act.transfer);
    case "Erc721":
      return erc721Shortage(network, rpc, sender, act.transfer);
  }
};

type TransferOf<Kind> = Extract<AuthorisedTransfer["transfer"], { readonly kind: Kind }>;

const erc20Shortage = async (
  network: EvmNetwork,
  rpc: Rpc,
  sender: Address,
  transfer: TransferOf<"Erc20">,
): Promise<Result<void>> => {
  const address = getAddress(transfer.contract);
  const held = await ask(network.network, () =>
    readContract(rpc, { address, abi: BALANCE_OF, functionName: "balanceOf", args: [sender] }),
  );
  if (!held.ok) return held;
  const needed = BigInt(transfer.amount);
  return held.value < needed ? shortage(needed, held.value, `units of the token ${address}`) : ok(undefined);
};

const erc721Shortage = async (
  network: EvmNetwork,
  rpc: Rpc,
  sender: Address,
  transfer: TransferOf<"Erc721">,
): Promise<Result<void>> => {
  const address = getAddress(transfer.contract);
  const owner = await ask(network.network, () =>
    readContract(rpc, {
      address,
      abi: OWNER_OF,
      functionName: "ownerOf",
      args: [BigInt(transfer.tokenId)],
    }),
  );
  if (!owner.ok) return owner;
  if (owner.value === sender) return ok(undefined);
  return fail(
    "InsufficientFunds",
    { contract: address, tokenId: transfer.tokenId },
    `the wallet does not own the token ${transfer.tokenId} of ${address}`,
  );
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

/** The gas limit: the caller's, as long as it is enough, for one that is not would block the account. */
const limitOf = (wanted: bigint | undefined, estimate: bigint): Result<bigint> => {
  if (wanted === undefined) return ok(gasLimitFor(estimate));
  return wanted >= estimate
    ? ok(wanted)
    : fail(
        "TransactionInvalid",
        { field: "gasLimit", needed: estimate.toString() },
        `the gas limit of ${wanted} is too low: the chain asks for ${estimate}`,
      );
};

/**
 * Looks at the chain and writes the unsigned transaction of a request.
 * @param intent the sender's address, what was authorised, and its place among the account's transactions
 * @returns InsufficientFunds, ExecutionReverted, FeeAboveCap, NonceUsed, NonceGap, ReplacementUnderpriced,
 *   FeesContradictory, TransactionInvalid; ServiceUnavailable when the node is away
 */
export const build = async (
  network: EvmNetwork,
  rpc: Rpc,
  intent: TransactionIntent,
): Promise<Result<BuiltTransaction>> => {
  const sender = getAddress(intent.sender);
  const plan = planOf(intent.act);
  if (!plan.ok) return plan;
  const { call } = plan.value;
  const isReplacement = intent.place.kind === "replacing";
  const situation = await ask(network.network, () => lookAround(rpc, sender, isReplacement));
  if (!situation.ok) return situation;
  const { balance, count } = situation.value;
  const nonce = nonceOf(intent.place, plan.value.nonce, count);
  if (!nonce.ok) return nonce;
  // before the estimate, whose error would not say what is missing
  if (balance < call.value) return shortage(call.value, balance, "wei");
  const tokens = await tokenShortage(network, rpc, sender, intent.act);
  if (!tokens.ok) return tokens;
  const block = isReplacement ? ({ blockTag: "latest" } as const) : {};
  const estimate = await ask(network.network, () => estimateGas(rpc, { account: sender, ...call, ...block }));
  if (!estimate.ok) return estimate;
  const written =
    plan.value.kind === "exact"
      ? writeExact(intent, plan.value, nonce.value, situation.value, estimate.value)
      : writeCall(network, intent, plan.value, nonce.value, situation.value, estimate.value);
  if (!written.ok) return written;
  const payable = affordable(network, balance, call, written.value.fee);
  return payable.ok ? ok(withDetails(sender, written.value)) : payable;
};

interface Written {
  readonly unsigned: Uint8Array;
  readonly nonce: number;
  readonly fee: bigint;
}

const writeCall = (
  network: EvmNetwork,
  { place, act, priority }: TransactionIntent,
  { call, gasLimit: limit }: Extract<Plan, { kind: "call" }>,
  nonce: number,
  { market }: Situation,
  estimate: bigint,
): Result<Written> => {
  const earlier = place.kind === "replacing" ? feesOfUnsigned(place.earlier) : undefined;
  const wishes =
    act.kind === "transaction" && act.transaction.kind === "Call" ? act.transaction.fees : undefined;
  const fees = chooseFees({ wanted: wishes, priority, market, earlier });
  if (!fees.ok) return fees;
  const gasLimit = limitOf(limit, estimate);
  if (!gasLimit.ok) return gasLimit;
  const unsigned = buildTransaction({
    chainId: network.chainId,
    nonce: BigInt(nonce),
    fees: fees.value,
    gasLimit: gasLimit.value,
    call,
  });
  const price = fees.value.kind === "Legacy" ? fees.value.gasPrice : fees.value.maxFeePerGas;
  return ok({ unsigned, nonce, fee: gasLimit.value * price });
};

/** The bytes stay as they are: all that is left is to see whether they fit. */
const writeExact = (
  { place }: TransactionIntent,
  { unsigned, decoded }: Extract<Plan, { kind: "exact" }>,
  nonce: number,
  { market }: Situation,
  estimate: bigint,
): Result<Written> => {
  const numbers = {
    maxFeePerGas: decoded.maxFeePerGas.toString(),
    maxPriorityFeePerGas: decoded.maxPriorityFeePerGas.toString(),
  };
  const wanted =
    decoded.type === 2
      ? ({ kind: "Eip1559", ...numbers } as const)
      : ({ kind: "Legacy", gasPrice: numbers.maxFeePerGas } as const);
  const earlier = place.kind === "replacing" ? feesOfUnsigned(place.earlier) : undefined;
  const fees = chooseFees({ wanted, priority: undefined, market, earlier });
  if (!fees.ok) return fees;
  const gasLimit = limitOf(decoded.gasLimit, estimate);
  return gasLimit.ok ? ok({ unsigned, nonce, fee: wholeFee(decoded.gasLimit, decoded) }) : gasLimit;
};

/** What clients are shown of it, among it the address of a contract that it deploys. */
const withDetails = (from: Address, { unsigned, nonce }: Written): BuiltTransaction => {
  const decoded = decodeAnyUnsigned(unsigned);
  if (!decoded.ok) throw new Error(`a transaction was built that cannot be read: ${decoded.problem.message}`);
  const { type, gasLimit, maxFeePerGas, maxPriorityFeePerGas, to } = decoded.value;
  const fees =
    type === 2
      ? { maxFeePerGas: maxFeePerGas.toString(), maxPriorityFeePerGas: maxPriorityFeePerGas.toString() }
      : { gasPrice: maxFeePerGas.toString() };
  return {
    unsigned,
    nonce,
    details: {
      nonce,
      gasLimit: gasLimit.toString(),
      ...fees,
      ...(to === undefined ? { contractAddress: getContractAddress({ from, nonce: BigInt(nonce) }) } : {}),
    },
  };
};
