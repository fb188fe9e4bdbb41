import { describeChainNode } from "../../testing/conformance/chain-conformance.ts";
import { SOLANA_CASE } from "../../testing/conformance/ledger-cases.ts";
import { openLedgerChain } from "../../testing/conformance/ledger-chain.ts";

describeChainNode("Solana", openLedgerChain(SOLANA_CASE));
