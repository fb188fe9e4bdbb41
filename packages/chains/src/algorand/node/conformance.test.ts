import algosdk from "algosdk";
import { describeChainNode } from "../../testing/conformance/chain-conformance.ts";
import { ALGORAND_CASE } from "../../testing/conformance/ledger-cases.ts";
import { openLedgerChain } from "../../testing/conformance/ledger-chain.ts";
import { describeChainRecord } from "../../testing/conformance/record-conformance.ts";
import { algorandNetworkSchema } from "../network.ts";

describeChainNode("Algorand", openLedgerChain(ALGORAND_CASE));

describeChainRecord("Algorand", openLedgerChain(ALGORAND_CASE), async ({ entry }, txHash) => {
  const { algodUrl } = algorandNetworkSchema.parse(entry);
  const algod = new algosdk.Algodv2("", algodUrl, new URL(algodUrl).port);
  const { confirmedRound = 0n, txn } = await algod.pendingTransactionInformation(txHash).do();
  return { fee: txn.txn.fee, amount: txn.txn.payment?.amount ?? 0n, height: confirmedRound };
});
