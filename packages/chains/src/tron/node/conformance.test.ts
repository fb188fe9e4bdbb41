import { describeChainNode } from "../../testing/conformance/chain-conformance.ts";
import { TRON_CASE } from "../../testing/conformance/ledger-cases.ts";
import { openLedgerChain } from "../../testing/conformance/ledger-chain.ts";

describeChainNode("TRON", openLedgerChain(TRON_CASE));
