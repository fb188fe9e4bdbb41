import { describeChainNode } from "../../testing/conformance/chain-conformance.ts";
import { XRPL_CASE } from "../../testing/conformance/ledger-cases.ts";
import { openLedgerChain } from "../../testing/conformance/ledger-chain.ts";

describeChainNode("XRP Ledger", openLedgerChain(XRPL_CASE));
