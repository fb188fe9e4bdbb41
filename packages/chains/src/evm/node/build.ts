import { type EvmTransfer, ok, type Result } from "@conclave/custody";
import { type Address, getAddress, parseAbi } from "viem";
import { estimateGas, readContract } from "viem/actions";
import type { BuiltTransaction, TransactionIntent } from "../../chain.ts";
import { build, judgeHolding, judgeSurroundings } from "../build.ts";
import type { EvmNetwork } from "../network.ts";
import { planOf } from "../plan.ts";
import type { TokenHolding } from "../situation.ts";
import { lookAround } from "./look-around.ts";
import { ask, type Rpc } from "./rpc.ts";

const BALANCE_OF = parseAbi(["function balanceOf(address owner) view returns (uint256)"]);
const OWNER_OF = parseAbi(["function ownerOf(uint256 tokenId) view returns (address)"]);

/** What the sender holds of the token; an address that is no token is told from a node that is away. */
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

/**
 * Looks at the chain and writes the unsigned transaction of a request. It stops looking as soon as what it found makes the
 * request impossible.
 * @returns what `build` refuses, ExecutionReverted, or ServiceUnavailable when the node is away
 */
export const lookAndBuild = async (
  network: EvmNetwork,
  rpc: Rpc,
  intent: TransactionIntent,
): Promise<Result<BuiltTransaction>> => {
  const sender = getAddress(intent.sender);
  const plan = planOf(intent.act);
  if (!plan.ok) return plan;
  const isReplacement = intent.sequencing.kind === "replacing";
  const around = await ask(network.network, () => lookAround(rpc, sender, isReplacement));
  if (!around.ok) return around;
  const nonce = judgeSurroundings(plan.value, intent.sequencing, around.value);
  if (!nonce.ok) return nonce;
  const transfer = plan.value.kind === "call" ? plan.value.transfer : undefined;
  const holding = await holdingOf(network, rpc, sender, transfer);
  if (!holding.ok) return holding;
  const tokens = judgeHolding(plan.value, sender, holding.value);
  if (!tokens.ok) return tokens;
  const block = isReplacement ? ({ blockTag: "latest" } as const) : {};
  const { call } = plan.value;
  const estimate = await ask(network.network, () => estimateGas(rpc, { account: sender, ...call, ...block }));
  if (!estimate.ok) return estimate;
  return build(network, { ...around.value, holding: holding.value, estimate: estimate.value }, intent);
};
