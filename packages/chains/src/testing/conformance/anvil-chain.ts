import { parseEther } from "viem";
import { EVM_FAMILY } from "../../evm/family.ts";
import { NODES } from "../../node.ts";
import { FAMILIES } from "../../registry.ts";
import { testAccount } from "../account.ts";
import { startAnvil } from "../anvil.ts";
import { SEPOLIA } from "../samples.ts";
import { firstEntry } from "./first-entry.ts";
import type { OpenTriedChain } from "./tried-chain.ts";
import { type ConnectAt, falteringWire, restingWire, wireTroubles } from "./troubled-wire.ts";

const OTHER_CHAIN_ID = 17_000;
/** anvil's finalized block lies two blocks behind the head */
const FINAL_BLOCKS = 3;
const AMOUNT = parseEther("1");

/** Opens an EVM chain by anvil. */
export const openAnvilChain: OpenTriedChain = async (which) => {
  const chainId = which === "ours" ? SEPOLIA.chainId : OTHER_CHAIN_ID;
  const anvil = await startAnvil(chainId);
  await anvil.control.setAutomine(false);
  const connect: ConnectAt = (entry, rpcUrl) => NODES.connect({ ...entry, ...{ rpcUrl } });
  const entry = firstEntry({ ...SEPOLIA, chainId, rpcUrl: anvil.rpcUrl, confirmations: 2 });
  const mine = (blocks = 1) => anvil.control.mine({ blocks });
  return {
    family: FAMILIES.find(EVM_FAMILY.name) ?? EVM_FAMILY,
    entry,
    connect: (reported) => connect(reported, anvil.rpcUrl),
    keyOf: testAccount,
    amount: AMOUNT,
    transfer: (_from, to, amount) => ({ kind: "Native", to: to.toLowerCase(), amount: amount.toString() }),
    fund: (address) => anvil.control.setBalance({ address: `0x${address.slice(2)}`, value: 10n * AMOUNT }),
    mine,
    include: mine,
    finalise: () => mine(FINAL_BLOCKS),
    outlive: () => mine(FINAL_BLOCKS),
    reorganise: () => anvil.reorganise(1),
    showsPool: true,
    troubles: wireTroubles(connect),
    asksForRest: restingWire(connect),
    faltersAfter: falteringWire(connect, anvil.rpcUrl),
    close: () => anvil.stop(),
  };
};
