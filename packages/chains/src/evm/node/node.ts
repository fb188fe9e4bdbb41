import { ok } from "@conclave/custody";
import { getAddress, isHash } from "viem";
import { getBlockNumber, getTransactionCount } from "viem/actions";
import type { Chain } from "../../chain.ts";
import type { EvmNetwork } from "../../network.ts";
import { addressOf } from "../address.ts";
import { attachSignature } from "../attach.ts";
import { build } from "../build.ts";
import { broadcast } from "./broadcast.ts";
import { feeLevels } from "./fee-levels.ts";
import { nativeBalance, tokenBalance, tokenOwner } from "./holdings.ts";
import { ask, connectRpc, type Rpc } from "./rpc.ts";
import { sight } from "./sight.ts";
import { accountCount } from "./situation.ts";
import { describeToken } from "./token.ts";

/** The account's count of transactions in the block that is as deep as the confirmations ask. */
const settledCount = async (rpc: Rpc, network: EvmNetwork, sender: string): Promise<number> => {
  const head = await getBlockNumber(rpc, { cacheTime: 0 });
  const depth = BigInt(network.confirmations) - 1n;
  const blockNumber = head > depth ? head - depth : 0n;
  return getTransactionCount(rpc, { address: getAddress(sender), blockNumber });
};

/** An EVM network, spoken to over JSON-RPC. */
export const evmChain = (network: EvmNetwork): Chain => {
  const rpc = connectRpc(network);
  return {
    network,
    addressOf,
    build: (intent) => build(network, rpc, intent),
    attach: attachSignature,
    broadcast: (signed) => broadcast(rpc, signed),
    sight: (txHash) => {
      if (!isHash(txHash)) throw new TypeError("a transaction hash is 32 bytes of hex");
      return ask(network.network, () => sight(rpc, txHash));
    },
    nonceSettled: async (sender, nonce) => {
      const count = await ask(network.network, () => settledCount(rpc, network, sender));
      return count.ok ? ok(count.value > nonce) : count;
    },
    count: (sender) => ask(network.network, () => accountCount(rpc, sender)),
    describeToken: (contract) => ask(network.network, () => describeToken(rpc, getAddress(contract))),
    balance: (owner) => nativeBalance(network.network, rpc, owner),
    tokenBalance: (owner, contract) => tokenBalance(network.network, rpc, owner, contract),
    tokenOwner: (contract, tokenId) => tokenOwner(network.network, rpc, contract, tokenId),
    feeLevels: () => ask(network.network, () => feeLevels(rpc)),
  };
};
