import { describeChainNode } from "../../testing/conformance/chain-conformance.ts";
import { readTronRecord } from "../../testing/conformance/chain-records.ts";
import { TRON_CASE } from "../../testing/conformance/ledger-cases.ts";
import { openLedgerChain } from "../../testing/conformance/ledger-chain.ts";
import { describeChainRecord } from "../../testing/conformance/record-conformance.ts";

describeChainNode("TRON", openLedgerChain(TRON_CASE));

describeChainRecord("TRON", openLedgerChain(TRON_CASE), readTronRecord);
