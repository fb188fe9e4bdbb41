import { ok } from "@conclave/custody";
import { getAddress, isHash } from "viem";
import { getChainId } from "viem/actions";
import { ofBlock } from "../../answers/hurdle.ts";
import { restingFetch } from "../../breaker/node/resting-fetch.ts";
import { type NodeSurroundings, processSurroundings } from "../../breaker/node/surroundings.ts";
import type { ChainNode } from "../../chain.ts";
import { hidingKeys } from "../../node-url.ts";
import type { EvmNetwork } from "../network.ts";
import { parseTransfer } from "../parse-content.ts";
import { blockAt, headOf, isSyncing } from "./blocks.ts";
import { broadcast } from "./broadcast.ts";
import { lookAndBuild } from "./build.ts";
import { callContract, callFunction } from "./call-contract.ts";
import { arrivalsAt } from "./contents/arrivals.ts";
import { noEvmPieces } from "./contents/pieces.ts";
import { fateOf, twinOf } from "./fate.ts";
import { feeLevels } from "./fee-levels.ts";
import { nativeBalance, tokenBalance, tokenOwner } from "./holdings.ts";
import { accountCount } from "./look-around.ts";
import { judgeRecipient } from "./recipient.ts";
import { ask, connectForBlocks, connectRpc } from "./rpc.ts";
import { findSent } from "./sent.ts";
import { sight } from "./sight.ts";
import { describeToken } from "./token.ts";

/** The node of an EVM network, by JSON-RPC. */
export const evmNode = (
  network: EvmNetwork,
  surroundings: NodeSurroundings = processSurroundings,
): ChainNode<EvmNetwork> => {
  const wire = restingFetch(surroundings);
  const rpc = connectRpc(network, wire);
  const forBlocks = connectForBlocks(network, rpc, wire);
  const pieces = noEvmPieces();
  const { network: name } = network;
  return {
    network,
    build: (intent) => lookAndBuild(network, rpc, intent),
    broadcast: (signed) => broadcast(rpc, signed, hidingKeys(network.rpcUrl)),
    head: () => ask(name, () => headOf(rpc, network)),
    ofChain: () => ask(name, async () => String(await getChainId(rpc))),
    isCatchingUp: () => ask(name, () => isSyncing(rpc)),
    block: (height, ours) => ask(name, () => blockAt(rpc, height, ours)),
    sight: async (txHash, expected) => {
      if (!isHash(txHash)) throw new TypeError("a transaction hash is 32 bytes of hex");
      const transfer = expected === undefined ? ok(undefined) : parseTransfer(expected);
      if (!transfer.ok) return transfer;
      return ask(name, () => sight(rpc, txHash, network.confirmations, transfer.value));
    },
    judgeRecipient: (transfer) => judgeRecipient(name, rpc, transfer),
    arrivals: async (height, areOurs, arePayers) =>
      ofBlock(
        name,
        height,
        await ask(name, () => arrivalsAt(forBlocks, pieces, height, { areOurs, arePayers })),
      ),
    fateOf: (sender, transactions) => fateOf(network, rpc, forBlocks.together, sender, transactions),
    twinOf: (sender, own) => twinOf(network, rpc, sender, own),
    findSent: (sender, search) => findSent(network, rpc, sender, search),
    nextSequence: async (sender) => {
      const count = await ask(name, () => accountCount(rpc, sender));
      return count.ok ? ok(count.value.pending) : count;
    },
    describeToken: (token) => ask(name, () => describeToken(rpc, getAddress(token))),
    balance: (owner) => nativeBalance(name, rpc, owner),
    tokenBalance: (owner, token) => tokenBalance(name, rpc, owner, token),
    tokenOwner: (token, tokenId) => tokenOwner(name, rpc, token, tokenId),
    callContract: (contract, data) => callContract(name, rpc, contract, data),
    callFunction: (contract, abi, given) => callFunction(name, rpc, contract, abi, given),
    feeLevels: () => ask(name, () => feeLevels(rpc, network)),
  };
};
