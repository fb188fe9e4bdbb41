import { TronWeb } from "tronweb";
import { startTronLedger } from "../tron/http/start.ts";
import { HandClock } from "./hand-clock.ts";
import type { TronTestContract } from "./tron-contracts.ts";

/** 20 November 2026 */
const START_MS = 1_795_132_800_000;
const ORIGIN_ENERGY_LIMIT = 10_000_000;
/** 1000 TRX, in sun */
const FEE_LIMIT = 1_000_000_000;

/** A key derived from a number. */
export const tronTestKey = (number: number): string => number.toString(16).padStart(2, "0").repeat(32);

/** The address of such a key, T…. */
export const tronTestAddress = (key: string): string => {
  const address = TronWeb.address.fromPrivateKey(key);
  if (address === false) throw new RangeError("the key has an address");
  return address;
};

export type TronWebTransaction = Exclude<Parameters<TronWeb["trx"]["sign"]>[0], string>;

export interface TronWorld extends AsyncDisposable {
  readonly clock: HandClock;
  readonly url: string;
  readonly adminUrl: string;
  /** acts as the owner of key 1 */
  readonly client: TronWeb;
  /** Performs an action of the admin endpoint. */
  admin(action: string, input?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  mine(blocks?: number): Promise<void>;
  /** Pays TRX out of the faucet, and makes a block with the payment. @param sun at least 1 */
  fund(key: string, sun: number): Promise<void>;
  /** POSTs to the node. */
  ask(path: string, input?: object): Promise<Readonly<Record<string, unknown>>>;
  /** Signs with a key, and sends by broadcasttransaction. @returns the id; the transaction waits */
  send(transaction: TronWebTransaction, key: string): Promise<string>;
  /** The node's code and message of refusal; fails if the node accepts. */
  refusal(transaction: TronWebTransaction, key: string): Promise<string>;
  /** Deploys a contract whose constructor takes one number, and makes a block with it. @returns its address, T… */
  deploy(contract: TronTestContract, key: string, number: number): Promise<string>;
  /** The result of the transaction. */
  info(id: string): Promise<Readonly<Record<string, unknown>>>;
  /** sun */
  balance(key: string): Promise<number>;
}

type Running = Awaited<ReturnType<typeof startTronLedger>>;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const post = async (url: string, input: unknown): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
  });

type Asked = Readonly<Record<string, unknown>>;

const asking =
  ({ url }: Running): TronWorld["ask"] =>
  async (path, input = {}) => {
    const body: unknown = await (await post(`${url}/${path}`, input)).json();
    if (!isRecord(body)) throw new Error(`${path} answered ${JSON.stringify(body)}`);
    return body;
  };

/** A node's refusal: its code, and its message, which the answer has in hex. */
const wordsOf = (answer: Readonly<Record<string, unknown>>): string =>
  `${String(answer["code"])}: ${TronWeb.toUtf8(String(answer["message"]))}`;

/** Signs with a key, and sends. @returns the node's answer */
const broadcasting =
  (client: TronWeb, ask: TronWorld["ask"]) =>
  async (transaction: TronWebTransaction, key: string): Promise<Asked> => {
    const signed: unknown = await client.trx.sign(transaction, key);
    if (!isRecord(signed)) throw new Error("the SDK signs a transaction");
    return ask("wallet/broadcasttransaction", signed);
  };

const deploying =
  ({ send, mine, client }: Pick<TronWorld, "send" | "mine" | "client">): TronWorld["deploy"] =>
  async ({ abi, bytecode }, key, number) => {
    const transaction = await client.transactionBuilder.createSmartContract(
      {
        abi: JSON.stringify(abi),
        bytecode,
        parameters: [number],
        feeLimit: FEE_LIMIT,
        originEnergyLimit: ORIGIN_ENERGY_LIMIT,
        userFeePercentage: 100,
      },
      tronTestAddress(key),
    );
    await send(transaction, key);
    await mine();
    return TronWeb.address.fromHex(transaction.contract_address);
  };

/** A ledger over real HTTP with a stopped clock, and a client of the official SDK. */
export const startTronWorld = async (
  options: {
    readonly blockMs?: number;
    readonly token?: string;
    readonly adminPort?: number;
    readonly folder?: string;
  } = {},
): Promise<TronWorld> => {
  const clock = new HandClock(START_MS);
  const ledger = await startTronLedger({
    clock,
    chain: "conclave-tests",
    seed: "tests",
    blockMs: options.blockMs ?? 0,
    listen: { host: "127.0.0.1", port: 0 },
    adminPort: options.adminPort ?? 0,
    folder: options.folder,
    token: options.token,
  });
  const headers = options.token === undefined ? {} : { "TRON-PRO-API-KEY": options.token };
  const client = new TronWeb({ fullHost: ledger.url, headers, privateKey: tronTestKey(1) });
  const ask = asking(ledger);
  const admin: TronWorld["admin"] = async (action, input = {}) => {
    const answer = await post(`${ledger.adminUrl}/${action}`, input);
    return { status: answer.status, body: await answer.json() };
  };
  const done = async (action: string, input: unknown): Promise<void> => {
    const { status, body } = await admin(action, input);
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
  const mine = (blocks = 1): Promise<void> => done("mine", { blocks });
  const broadcast = broadcasting(client, ask);
  const send: TronWorld["send"] = async (transaction, key) => {
    const answer = await broadcast(transaction, key);
    if (answer["result"] !== true) throw new Error(wordsOf(answer));
    return String(answer["txid"]);
  };
  return {
    clock,
    url: ledger.url,
    adminUrl: ledger.adminUrl,
    client,
    admin,
    mine,
    fund: async (key, sun) => {
      await done("fund", { address: tronTestAddress(key), amount: sun });
      await mine();
    },
    ask,
    send,
    refusal: async (transaction, key) => {
      const answer = await broadcast(transaction, key);
      if (answer["result"] === true) throw new Error(`it was accepted: ${String(answer["txid"])}`);
      return wordsOf(answer);
    },
    deploy: deploying({ send, mine, client }),
    info: (id) => ask("wallet/gettransactioninfobyid", { value: id }),
    balance: (key) => client.trx.getUnconfirmedBalance(tronTestAddress(key)),
    [Symbol.asyncDispose]: () => ledger.stop(),
  };
};
