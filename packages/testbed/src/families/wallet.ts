import { z } from "zod";
import type { CustodyApi } from "../api.ts";
import type { Cluster } from "../cluster.ts";
import { waitUntil } from "../host/wait-until.ts";
import { fundAccount } from "../networks/fund.ts";
import type { NodeUrls } from "../networks/local-network.ts";
import type { AskedKey, DrivenWallet } from "./driver.ts";

/** A three-of-five signature takes seconds; this allows for a slow machine. */
const CONFIRM_MS = 120_000;

const walletSchema = z.object({
  id: z.string(),
  address: z.string(),
  signingKey: z.object({ publicKey: z.string(), scheme: z.string() }),
});
const requestSchema = z.object({
  id: z.string(),
  status: z.enum(["Pending", "Executing", "Broadcasted", "Confirmed", "Failed", "Rejected"]),
  reason: z.string().optional(),
  fee: z.string().optional(),
  txHash: z.string().optional(),
});
/** A transfer or transaction on any network. */
export type AnyRequest = z.infer<typeof requestSchema>;

const arrivalSchema = z.object({
  kind: z.string(),
  direction: z.string(),
  txHash: z.string(),
  value: z.string().optional(),
});
/** The incoming entries of a wallet's history. */
export type AnyArrival = z.infer<typeof arrivalSchema>;

/** A wallet on any network, through the cluster's REST interface. */
export interface AnyWallet extends DrivenWallet {
  readonly id: string;
  readonly publicKey: string;
  readonly scheme: string;
  readonly urls: NodeUrls;
  transfer(body: object): Promise<AnyRequest>;
  /** Polls a transfer until the condition holds. */
  until(transfer: AnyRequest, isSo: (now: AnyRequest) => boolean): Promise<AnyRequest>;
  /** Polls the wallet's arrivals until one has this amount. @returns all arrivals of this amount */
  arrived(amount: bigint): Promise<readonly AnyArrival[]>;
  /** Sends a transfer, and waits until it is confirmed; rejects with its reason if it ends otherwise. */
  confirmed(body: object): Promise<AnyRequest & { readonly txHash: string; readonly fee: string }>;
}

const historySchema = z.object({ items: z.array(arrivalSchema) });

const ENDED: ReadonlySet<string> = new Set(["Confirmed", "Failed", "Rejected"]);

const settled = (request: AnyRequest): AnyRequest & { readonly txHash: string; readonly fee: string } => {
  const { txHash, fee } = request;
  if (request.status === "Confirmed" && txHash !== undefined && fee !== undefined) {
    return { ...request, txHash, fee };
  }
  throw new Error(`${request.id} is ${request.status}: ${request.reason ?? "no reason"}`);
};

/**
 * Makes a wallet that holds coins of the network's faucet.
 * @param coins whole coins
 * @param askedKey the kind of its key; by default the network's usual one
 */
export const makeWallet = async (
  cluster: Cluster,
  network: string,
  coins: string,
  askedKey?: AskedKey,
): Promise<AnyWallet> => {
  const { api, description } = cluster;
  const urls = description.networks.find((served) => served.network === network);
  if (urls === undefined) throw new Error(`${network} is not served`);
  const wallet = await openWallet(api, urls, network, askedKey);
  await fundAccount(description.networks, network, wallet.address, coins);
  return wallet;
};

/**
 * Makes a wallet without coins, on a network with any node.
 * @param urls of the node, and of the endpoint that funds accounts and makes blocks
 */
export const openWallet = async (
  api: CustodyApi,
  urls: NodeUrls,
  network: string,
  askedKey?: AskedKey,
): Promise<AnyWallet> => {
  const ask = async <T>(schema: z.ZodType<T>, method: string, path: string, body?: object): Promise<T> => {
    const answer = await api.send(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return schema.parse(answer.body);
  };
  const named = askedKey === undefined ? {} : { signingKey: askedKey };
  const made = await api.sendUntilServed("POST", "/wallets", { network, ...named });
  if (made.status !== 200) throw new Error(`POST /wallets: ${JSON.stringify(made.body)}`);
  const { id, address, signingKey } = walletSchema.parse(made.body);

  const follow = (path: string, isSo: (now: AnyRequest) => boolean): Promise<AnyRequest> => {
    let last = "never read";
    return waitUntil(
      async () => {
        const now = await ask(requestSchema, "GET", path);
        last = `${now.status} ${now.reason ?? ""}`;
        return isSo(now) ? now : undefined;
      },
      { what: () => `${path} (last seen: ${last})`, deadlineMs: CONFIRM_MS, pollMs: api.pollMs },
    );
  };
  const toItsEnd = ({ status }: AnyRequest): boolean => ENDED.has(status);
  const transfer = (body: object) => ask(requestSchema, "POST", `/wallets/${id}/transfers`, body);
  return {
    id,
    address,
    ...signingKey,
    urls,
    transfer,
    until: (sent, isSo) => follow(`/wallets/${id}/transfers/${sent.id}`, isSo),
    arrived: (amount) =>
      waitUntil(
        async () => {
          const { items } = await ask(historySchema, "GET", `/wallets/${id}/history?direction=In`);
          const those = items.filter(({ value }) => value === String(amount));
          return those.length > 0 ? those : undefined;
        },
        { what: `${amount} to arrive at ${id}`, deadlineMs: CONFIRM_MS, pollMs: api.pollMs },
      ),
    confirmed: async (body) => {
      const sent = await transfer(body);
      return settled(await follow(`/wallets/${id}/transfers/${sent.id}`, toItsEnd));
    },
    send: async (transaction) => {
      const path = `/wallets/${id}/transactions`;
      const sent = await ask(requestSchema, "POST", path, { kind: "Transaction", transaction });
      settled(await follow(`${path}/${sent.id}`, toItsEnd));
    },
  };
};
