import { z } from "zod";
import { algorandNetworkSchema } from "../../algorand/network.ts";
import { bitcoinNetworkSchema } from "../../bitcoin/network.ts";
import { bitcoinAddressPaid } from "../../bitcoin/rules/script.ts";
import { evmNetworkSchema } from "../../evm/network.ts";
import { tronNetworkSchema } from "../../tron/network.ts";
import { payeeOf } from "./plain-wallet.ts";
import type { ReadChainRecord } from "./record-conformance.ts";

// Reads a chain's own record of a native payment from its node, without our node client.

/** Posts JSON, and reads the answer. */
export const postJson = async <T>(
  schema: z.ZodType<T>,
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> => {
  const answered = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return schema.parse(await answered.json());
};

/** Calls a method of JSON-RPC. */
export const callJsonRpc = async <T>(
  schema: z.ZodType<T>,
  url: string,
  method: string,
  params: readonly unknown[],
  headers: Readonly<Record<string, string>> = {},
): Promise<T> => {
  const body = { jsonrpc: "2.0", id: 1, method, params };
  const { result } = await postJson(z.object({ result: z.unknown() }), url, body, headers);
  return schema.parse(result);
};

/** @param unixSeconds as the chain reports it */
export const isoOfSeconds = (unixSeconds: number): string => new Date(unixSeconds * 1_000).toISOString();

const quantity = z.string().transform(BigInt);
const evmReceipt = z.object({ blockNumber: z.string(), gasUsed: quantity, effectiveGasPrice: quantity });
const evmTransaction = z.object({ value: quantity });
const evmBlock = z.object({ number: quantity, timestamp: quantity });

export const readEvmRecord: ReadChainRecord = async ({ entry }, txHash) => {
  const { rpcUrl } = evmNetworkSchema.parse(entry);
  const receipt = await callJsonRpc(evmReceipt, rpcUrl, "eth_getTransactionReceipt", [txHash]);
  const { value } = await callJsonRpc(evmTransaction, rpcUrl, "eth_getTransactionByHash", [txHash]);
  const block = await callJsonRpc(evmBlock, rpcUrl, "eth_getBlockByNumber", [receipt.blockNumber, false]);
  return {
    fee: receipt.gasUsed * receipt.effectiveGasPrice,
    amount: value,
    height: block.number,
    date: isoOfSeconds(Number(block.timestamp)),
  };
};

const satoshis = z.number().transform((bitcoins) => BigInt(Math.round(bitcoins * 100_000_000)));
const bitcoinRecord = z.object({
  blockhash: z.string(),
  fee: satoshis,
  vout: z.array(z.object({ value: satoshis, scriptPubKey: z.object({ hex: z.string() }) })),
});
const bitcoinHeader = z.object({ height: z.number(), time: z.number() });

export const readBitcoinRecord: ReadChainRecord = async (chain, txid) => {
  const { network, bitcoindUrl, bitcoindUser, bitcoindPassword } = bitcoinNetworkSchema.parse(chain.entry);
  const authorization = `Basic ${Buffer.from(`${bitcoindUser}:${bitcoindPassword}`).toString("base64")}`;
  const ask = <T>(schema: z.ZodType<T>, method: string, ...params: readonly unknown[]): Promise<T> =>
    callJsonRpc(schema, bitcoindUrl, method, params, { authorization });
  const { blockhash, fee, vout } = await ask(bitcoinRecord, "getrawtransaction", txid, 2);
  const { height, time } = await ask(bitcoinHeader, "getblockheader", blockhash);
  // a regtest node shows addresses in another form than the wallet's network
  const paid = vout.filter(
    ({ scriptPubKey }) =>
      bitcoinAddressPaid(network, Buffer.from(scriptPubKey.hex, "hex")) === payeeOf(chain),
  );
  const amount = paid.reduce((sum, { value }) => sum + value, 0n);
  return { fee, amount, height: BigInt(height), date: isoOfSeconds(time) };
};

const algorandPending = z.object({
  "confirmed-round": z.number(),
  txn: z.object({ txn: z.object({ fee: z.number(), amt: z.number() }) }),
});
const algorandBlock = z.object({ block: z.object({ ts: z.number() }) });

export const readAlgorandRecord: ReadChainRecord = async ({ entry }, txHash) => {
  const { algodUrl, algodToken } = algorandNetworkSchema.parse(entry);
  const headers: Record<string, string> = algodToken === undefined ? {} : { "x-algo-api-token": algodToken };
  const ask = async (path: string): Promise<unknown> => {
    const answered = await fetch(new URL(`${path}?format=json`, algodUrl), { headers });
    return answered.json();
  };
  const pending = algorandPending.parse(await ask(`/v2/transactions/pending/${txHash}`));
  const round = pending["confirmed-round"];
  const { block } = algorandBlock.parse(await ask(`/v2/blocks/${round}`));
  const { fee, amt } = pending.txn.txn;
  return { fee: BigInt(fee), amount: BigInt(amt), height: BigInt(round), date: isoOfSeconds(block.ts) };
};

const tronInfo = z.object({
  fee: z.number().default(0),
  blockNumber: z.number(),
  blockTimeStamp: z.number(),
});
const tronSent = z.object({
  raw_data: z.object({
    contract: z.tuple([z.object({ parameter: z.object({ value: z.object({ amount: z.number() }) }) })]),
  }),
});

export const readTronRecord: ReadChainRecord = async ({ entry }, value) => {
  const { fullNodeUrl } = tronNetworkSchema.parse(entry);
  const ask = <T>(schema: z.ZodType<T>, call: string): Promise<T> =>
    postJson(schema, `${fullNodeUrl}/wallet/${call}`, { value });
  const { fee, blockNumber, blockTimeStamp } = await ask(tronInfo, "gettransactioninfobyid");
  const [sent] = (await ask(tronSent, "gettransactionbyid")).raw_data.contract;
  return {
    fee: BigInt(fee),
    amount: BigInt(sent.parameter.value.amount),
    height: BigInt(blockNumber),
    date: new Date(blockTimeStamp).toISOString(),
  };
};
