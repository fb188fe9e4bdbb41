import { expect } from "vitest";
import { z } from "zod";
import { describeChainNode } from "../../testing/conformance/chain-conformance.ts";
import { callJsonRpc, isoOfSeconds } from "../../testing/conformance/chain-records.ts";
import { SOLANA_CASE } from "../../testing/conformance/ledger-cases.ts";
import { openLedgerChain } from "../../testing/conformance/ledger-chain.ts";
import { payeeOf } from "../../testing/conformance/plain-wallet.ts";
import { describeChainRecord } from "../../testing/conformance/record-conformance.ts";
import { solanaNetworkSchema } from "../network.ts";

describeChainNode("Solana", openLedgerChain(SOLANA_CASE));

const recordSchema = z.object({
  slot: z.number(),
  transaction: z.object({ message: z.object({ accountKeys: z.array(z.string()) }) }),
  meta: z.object({ fee: z.number(), preBalances: z.array(z.number()), postBalances: z.array(z.number()) }),
});

describeChainRecord("Solana", openLedgerChain(SOLANA_CASE), async (chain, txHash) => {
  const { solanaUrl } = solanaNetworkSchema.parse(chain.entry);
  const options = { commitment: "confirmed", encoding: "json", maxSupportedTransactionVersion: 0 };
  const found = await callJsonRpc(recordSchema, solanaUrl, "getTransaction", [txHash, options]);
  const { slot, transaction, meta } = found;
  const time = await callJsonRpc(z.number(), solanaUrl, "getBlockTime", [slot]);
  const at = transaction.message.accountKeys.indexOf(payeeOf(chain));
  const [before, after] = [meta.preBalances[at], meta.postBalances[at]];
  if (before === undefined || after === undefined) expect.fail("it does not name the payee");
  return {
    fee: BigInt(meta.fee),
    amount: BigInt(after - before),
    height: BigInt(slot),
    date: isoOfSeconds(time),
  };
});
