import { openAnvilChain } from "../../testing/conformance/anvil-chain.ts";
import { describeChainNode } from "../../testing/conformance/chain-conformance.ts";
import { readEvmRecord } from "../../testing/conformance/chain-records.ts";
import { describeChainRecord } from "../../testing/conformance/record-conformance.ts";

describeChainNode("EVM", openAnvilChain);

describeChainRecord("EVM", openAnvilChain, readEvmRecord);
