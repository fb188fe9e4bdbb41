import { describeChainNode } from "../../testing/conformance/chain-conformance.ts";
import { BITCOIN_CASE } from "../../testing/conformance/ledger-cases.ts";
import { openLedgerChain } from "../../testing/conformance/ledger-chain.ts";

describeChainNode("Bitcoin", openLedgerChain(BITCOIN_CASE));
