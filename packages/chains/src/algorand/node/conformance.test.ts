import { describeChainNode } from "../../testing/conformance/chain-conformance.ts";
import { readAlgorandRecord } from "../../testing/conformance/chain-records.ts";
import { ALGORAND_CASE } from "../../testing/conformance/ledger-cases.ts";
import { openLedgerChain } from "../../testing/conformance/ledger-chain.ts";
import { describeChainRecord } from "../../testing/conformance/record-conformance.ts";

describeChainNode("Algorand", openLedgerChain(ALGORAND_CASE));

describeChainRecord("Algorand", openLedgerChain(ALGORAND_CASE), readAlgorandRecord);
