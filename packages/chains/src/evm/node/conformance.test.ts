import { openAnvilChain } from "../../testing/conformance/anvil-chain.ts";
import { describeChainNode } from "../../testing/conformance/chain-conformance.ts";

describeChainNode("EVM", openAnvilChain);
