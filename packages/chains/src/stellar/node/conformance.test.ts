import { describeChainNode } from "../../testing/conformance/chain-conformance.ts";
import { STELLAR_CASE } from "../../testing/conformance/ledger-cases.ts";
import { openLedgerChain } from "../../testing/conformance/ledger-chain.ts";

describeChainNode("Stellar", openLedgerChain(STELLAR_CASE));
