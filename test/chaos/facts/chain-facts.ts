import type { Cluster, NodeUrls } from "@conclave/testbed";
import { FAMILY_DRIVERS } from "@conclave/testbed/families";
import { Transaction } from "ethers";
import { isHex } from "viem/utils";
import type { LoadHistory, LoadWallet } from "../load/history.ts";
import { accountName, type ChainFacts, type LandedFact, type RowFact } from "./cluster-facts.ts";

const NOT_THERE = /not ?found|no account|does not exist|404/i;

/** Reads a network from outside. */
interface ChainReader {
  read(txHash: string): Promise<LandedFact>;
  balance(address: string): Promise<bigint>;
}

const hexOf = (value: Uint8Array): string => Buffer.from(value).toString("hex");

const evmReader = ({ chain }: Cluster): ChainReader => ({
  read: async (txHash) => {
    if (!isHex(txHash)) throw new Error(`${txHash} is no hash`);
    const raw = await chain.rawTransaction(txHash);
    const { status, gasUsed, effectiveGasPrice } = await chain.client.getTransactionReceipt({ hash: txHash });
    const { from, to, value, hash } = Transaction.from(raw);
    return {
      sender: from ?? "",
      recipient: to ?? "",
      amount: status === "success" ? value : 0n,
      fee: gasUsed * effectiveGasPrice,
      // the sender is recovered from the signature; a check compares it with the wallet
      isSigned: hash === txHash && from !== null,
      signed: raw.slice(2),
    };
  },
  balance: async (address) => (isHex(address) ? chain.balance(address) : 0n),
});

const ledgerReader = (urls: NodeUrls, network: string): ChainReader => {
  const driver = FAMILY_DRIVERS.find((one) => one.network === network);
  if (driver === undefined) throw new Error(`nobody reads ${network}`);
  return {
    read: async (txHash) => {
      const seen = await driver.read(urls, txHash);
      return { ...seen, signed: hexOf(seen.signed) };
    },
    balance: async (address) => {
      try {
        return await driver.balance(urls, address);
      } catch (cause) {
        // some chains have no account until somebody pays it
        if (NOT_THERE.test(String(cause))) return 0n;
        throw cause;
      }
    },
  };
};

const readerOf = (cluster: Cluster, network: string): ChainReader => {
  if (network === cluster.description.chain.network) return evmReader(cluster);
  const urls = cluster.description.networks.find((served) => served.network === network);
  if (urls === undefined) throw new Error(`${network} is not served`);
  return ledgerReader(urls, network);
};

/** All transactions that wallets of the first network sent, block by block. */
const sentOnEvm = async (
  { chain, description }: Cluster,
  wallets: readonly LoadWallet[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const own = wallets.filter(({ network }) => network === description.chain.network);
  const sent = new Map<string, string[]>(own.map(({ id }) => [id, []]));
  if (own.length === 0) return sent;
  const last = await chain.client.getBlockNumber();
  for (let blockNumber = 0n; blockNumber <= last; blockNumber += 1n) {
    const { transactions } = await chain.client.getBlock({ blockNumber, includeTransactions: true });
    for (const { from, hash } of transactions) {
      const wallet = own.find(({ address }) => address.toLowerCase() === from.toLowerCase());
      if (wallet !== undefined) sent.get(wallet.id)?.push(hash);
    }
  }
  return sent;
};

/** The chains' records of the load: each transaction on record, and the balances of wallets and receivers. */
export const readChains = async (
  cluster: Cluster,
  history: LoadHistory,
  rows: readonly RowFact[],
): Promise<ChainFacts> => {
  const networks = new Set(history.wallets.map(({ network }) => network));
  const readers = new Map([...networks].map((network) => [network, readerOf(cluster, network)]));
  const landed = new Map<string, LandedFact | string>();
  for (const { id, walletId, txHash } of rows) {
    const wallet = history.wallets.find((one) => one.id === walletId);
    const reader = wallet && readers.get(wallet.network);
    if (reader === undefined || txHash === undefined) continue;
    landed.set(id, await reader.read(txHash).catch((cause: unknown) => String(cause)));
  }
  const balances = new Map<string, bigint>();
  const accounts = [
    ...history.wallets.map(({ network, address }) => ({ network, address })),
    ...history.requests.map(({ asked: { network, to } }) => ({ network, address: to })),
  ];
  for (const { network, address } of accounts) {
    const name = accountName(network, address);
    const balance = balances.has(name) ? undefined : await readers.get(network)?.balance(address);
    if (balance !== undefined) balances.set(name, balance);
  }
  return { landed, balances, sent: await sentOnEvm(cluster, history.wallets) };
};
