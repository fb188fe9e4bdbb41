import { describeChainNode } from "../../testing/conformance/chain-conformance.ts";
import { ALGORAND_CASE } from "../../testing/conformance/ledger-cases.ts";
import { openLedgerChain } from "../../testing/conformance/ledger-chain.ts";

describeChainNode("Algorand", openLedgerChain(ALGORAND_CASE));
