import { z } from "zod";
import { describeChainNode } from "../../testing/conformance/chain-conformance.ts";
import { BITCOIN_CASE } from "../../testing/conformance/ledger-cases.ts";
import { openLedgerChain } from "../../testing/conformance/ledger-chain.ts";
import { payeeOf } from "../../testing/conformance/plain-wallet.ts";
import { describeChainRecord } from "../../testing/conformance/record-conformance.ts";
import { bitcoinNetworkSchema } from "../network.ts";

describeChainNode("Bitcoin", openLedgerChain(BITCOIN_CASE));

const satoshis = z.number().transform((bitcoins) => BigInt(Math.round(bitcoins * 100_000_000)));
const recordSchema = z.object({
  blockhash: z.string(),
  fee: satoshis,
  vout: z.array(z.object({ value: satoshis, scriptPubKey: z.object({ address: z.string() }) })),
});
const blockSchema = z.object({ height: z.number() });

describeChainRecord("Bitcoin", openLedgerChain(BITCOIN_CASE), async (chain, txid) => {
  const { bitcoindUrl, bitcoindUser, bitcoindPassword } = bitcoinNetworkSchema.parse(chain.entry);
  const authorization = `Basic ${Buffer.from(`${bitcoindUser}:${bitcoindPassword}`).toString("base64")}`;
  const ask = async <T>(schema: z.ZodType<T>, method: string, ...params: readonly unknown[]): Promise<T> => {
    const body = JSON.stringify({ id: 1, method, params });
    const answered = await fetch(bitcoindUrl, { method: "POST", headers: { authorization }, body });
    return z.object({ result: schema }).parse(await answered.json()).result;
  };
  const { blockhash, fee, vout } = await ask(recordSchema, "getrawtransaction", txid, 2);
  const { height } = await ask(blockSchema, "getblockheader", blockhash);
  const paid = vout.filter(({ scriptPubKey }) => scriptPubKey.address === payeeOf(chain));
  const amount = paid.reduce((sum, { value }) => sum + value, 0n);
  return { fee, amount, height: BigInt(height) };
});
