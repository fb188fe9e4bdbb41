import { z } from "zod";
import { describeChainNode } from "../../testing/conformance/chain-conformance.ts";
import { XRPL_CASE } from "../../testing/conformance/ledger-cases.ts";
import { openLedgerChain } from "../../testing/conformance/ledger-chain.ts";
import { describeChainRecord } from "../../testing/conformance/record-conformance.ts";
import { xrplNetworkSchema } from "../network.ts";

describeChainNode("XRP Ledger", openLedgerChain(XRPL_CASE));

const recordSchema = z.object({
  result: z.object({
    ledger_index: z.number(),
    close_time_iso: z.string(),
    tx_json: z.object({ Fee: z.string() }),
    meta: z.object({ delivered_amount: z.string() }),
  }),
});

describeChainRecord("XRP Ledger", openLedgerChain(XRPL_CASE), async ({ entry }, transaction) => {
  const { rippledUrl } = xrplNetworkSchema.parse(entry);
  const body = JSON.stringify({ method: "tx", params: [{ transaction, api_version: 2 }] });
  const answered = await fetch(rippledUrl, { method: "POST", body });
  const { ledger_index, close_time_iso, tx_json, meta } = recordSchema.parse(await answered.json()).result;
  return {
    fee: BigInt(tx_json.Fee),
    amount: BigInt(meta.delivered_amount),
    height: BigInt(ledger_index),
    date: new Date(close_time_iso).toISOString(),
  };
});
