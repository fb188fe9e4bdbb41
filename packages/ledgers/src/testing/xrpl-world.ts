import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { Client, ECDSA, encode, encodeForSigning, type SubmittableTransaction, Wallet } from "xrpl";
import { startXrpLedger } from "../xrpl/http/start.ts";
import { HandClock } from "./hand-clock.ts";

/** 20 November 2026 */
const START_MS = 1_795_132_800_000;
export const TEST_NETWORK_ID = 20_261;

/** A wallet whose key follows from a number: a secp256k1 key, unless it shall be an Ed25519 one. */
export const testWallet = (number: number, algorithm = ECDSA.secp256k1): Wallet =>
  Wallet.fromEntropy(new Uint8Array(16).fill(number), { algorithm });

export interface Tampering {
  /** the difference from an honest transaction */
  readonly change?: object;
  /** the change of the hex of its fields, before it is signed and after */
  readonly bytes?: (hex: string) => string;
}

const UNCHANGED = (hex: string): string => hex;

/**
 * Signs whatever it is given; the client's own wallet refuses what is malformed.
 * @returns the bytes in hex
 */
export const signAnything = (
  transaction: SubmittableTransaction,
  wallet: Wallet,
  { change = {}, bytes = UNCHANGED }: Tampering = {},
): string => {
  const prepared = { ...transaction, ...change, SigningPubKey: wallet.publicKey };
  const message = hexToBytes(bytes(encodeForSigning(prepared)).toLowerCase());
  // the byte before the key says which curve it belongs to
  const key = hexToBytes(wallet.privateKey.slice(2).toLowerCase());
  const signature = wallet.publicKey.startsWith("ED")
    ? ed25519.sign(message, key)
    : secp256k1.sign(sha512(message).subarray(0, 32), key, { prehash: false, lowS: true, format: "der" });
  return bytes(encode({ ...prepared, TxnSignature: bytesToHex(signature).toUpperCase() }));
};

type Answer = Readonly<Record<string, unknown>>;

export interface XrplWorld extends AsyncDisposable {
  readonly clock: HandClock;
  readonly client: Client;
  readonly url: string;
  readonly adminUrl: string;
  /** POSTs to the admin endpoint. */
  admin(action: string, input?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Closes so many ledgers. */
  mine(ledgers?: number): Promise<void>;
  /** XRP out of the faucet, in a ledger already. */
  fund(wallet: Wallet, drops: number): Promise<void>;
  /** Fills in what is missing, and signs. @returns the bytes in hex, and the hash */
  signed(
    transaction: SubmittableTransaction,
    wallet: Wallet,
  ): Promise<{ readonly tx_blob: string; readonly hash: string }>;
  /** Fills in what is missing, signs and submits. @returns the engine's result */
  send(transaction: SubmittableTransaction, wallet: Wallet): Promise<string>;
  /** Signs whatever it is given over what an honest payment has, and submits it. @returns the engine's result */
  sendAnything(change: object, wallet: Wallet): Promise<string>;
  /** Submits bytes. @returns the engine's result */
  submit(blob: string): Promise<string>;
  /** JSON-RPC by HTTP. @returns what stands in its result */
  rpc(method: string, params?: object): Promise<Answer>;
  /** drops after the latest ledger */
  balance(wallet: Wallet): Promise<string>;
}

const isAnswer = (value: unknown): value is Answer => typeof value === "object" && value !== null;

/** POSTs JSON. */
const post = async (
  url: string,
  body: unknown,
): Promise<{ readonly status: number; readonly body: unknown }> => {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
};

const connected = async (url: string): Promise<Client> => {
  const client = new Client(url.replace("http:", "ws:"));
  await client.connect();
  return client;
};

const validatedBalance = async (client: Client, { address }: Wallet): Promise<string> => {
  const { result } = await client.request({
    command: "account_info",
    account: address,
    ledger_index: "validated",
  });
  return result.account_data.Balance;
};

/** A ledger over a real port whose time stands still, and the official client that speaks to it by WebSocket. */
export const startXrplWorld = async (
  options: {
    readonly blockMs?: number;
    readonly chain?: string;
    readonly adminPort?: number;
    readonly folder?: string;
  } = {},
): Promise<XrplWorld> => {
  const clock = new HandClock(START_MS);
  const ledger = await startXrpLedger({
    clock,
    chain: options.chain ?? `${TEST_NETWORK_ID}`,
    seed: "tests",
    blockMs: options.blockMs ?? 0,
    listen: { host: "127.0.0.1", port: 0 },
    adminPort: options.adminPort ?? 0,
    folder: options.folder,
    token: undefined,
  });
  const client = await connected(ledger.url);
  const admin: XrplWorld["admin"] = (action, input = {}) => post(`${ledger.adminUrl}/${action}`, input);
  const mine = async (blocks = 1): Promise<void> => {
    const { status, body } = await admin("mine", { blocks });
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
  const submit = async (tx_blob: string): Promise<string> =>
    (await client.request({ command: "submit", tx_blob })).result.engine_result;
  const signed: XrplWorld["signed"] = async (transaction, wallet) =>
    wallet.sign(await client.autofill(transaction));
  return {
    clock,
    client,
    url: ledger.url,
    adminUrl: ledger.adminUrl,
    admin,
    mine,
    fund: async (wallet, amount) => {
      const { status, body } = await admin("fund", { address: wallet.address, amount });
      if (status !== 200) throw new Error(JSON.stringify(body));
      await mine();
    },
    signed,
    send: async (transaction, wallet) => submit((await signed(transaction, wallet)).tx_blob),
    sendAnything: async (change, wallet) => {
      const prepared = await client.autofill({
        TransactionType: "Payment",
        Account: wallet.address,
        Destination: testWallet(99).address,
        Amount: "20000000",
      });
      return submit(signAnything(prepared, wallet, { change }));
    },
    submit,
    rpc: async (method, params = {}) => {
      const { body } = await post(ledger.url, { method, params: [params] });
      if (!isAnswer(body) || !isAnswer(body["result"])) throw new Error(JSON.stringify(body));
      return body["result"];
    },
    balance: (wallet) => validatedBalance(client, wallet),
    [Symbol.asyncDispose]: async () => {
      await client.disconnect();
      await ledger.stop();
    },
  };
};
