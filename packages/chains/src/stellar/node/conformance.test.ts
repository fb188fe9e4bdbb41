import { Horizon } from "@stellar/stellar-sdk";
import { describeChainNode } from "../../testing/conformance/chain-conformance.ts";
import { STELLAR_CASE } from "../../testing/conformance/ledger-cases.ts";
import { openLedgerChain } from "../../testing/conformance/ledger-chain.ts";
import { describeChainRecord } from "../../testing/conformance/record-conformance.ts";
import { stellarNetworkSchema } from "../network.ts";

describeChainNode("Stellar", openLedgerChain(STELLAR_CASE));

const inStroops = (lumens: string): bigint => BigInt(lumens.replace(".", ""));

describeChainRecord("Stellar", openLedgerChain(STELLAR_CASE), async ({ entry }, txHash) => {
  const { horizonUrl } = stellarNetworkSchema.parse(entry);
  const horizon = new Horizon.Server(horizonUrl, { allowHttp: true });
  const {
    fee_charged: fee,
    ledger_attr: height,
    created_at: createdAt,
  } = await horizon.transactions().transaction(txHash).call();
  const [moved] = (await horizon.payments().forTransaction(txHash).call()).records;
  const lumens = moved?.type === "create_account" ? moved.starting_balance : "0";
  return {
    fee: BigInt(fee),
    amount: inStroops(lumens),
    height: BigInt(height),
    date: new Date(createdAt).toISOString(),
  };
});
