import { describeChainNode } from "../../testing/conformance/chain-conformance.ts";
import { readBitcoinRecord } from "../../testing/conformance/chain-records.ts";
import { BITCOIN_CASE } from "../../testing/conformance/ledger-cases.ts";
import { openLedgerChain } from "../../testing/conformance/ledger-chain.ts";
import { describeChainRecord } from "../../testing/conformance/record-conformance.ts";

describeChainNode("Bitcoin", openLedgerChain(BITCOIN_CASE));

describeChainRecord("Bitcoin", openLedgerChain(BITCOIN_CASE), readBitcoinRecord);
