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

/** A wallet whose key is derived from a number, by default a secp256k1 key. */
export const testWallet = (number: number, algorithm = ECDSA.secp256k1): Wallet =>
  Wallet.fromEntropy(new Uint8Array(16).fill(number), { algorithm });

export interface Tampering {
  /** the difference from an honest transaction */
  readonly change?: object;
  /** changes the hex of its fields, before and after signing */
  readonly bytes?: (hex: string) => string;
}

const UNCHANGED = (hex: string): string => hex;

/**
 * Signs malformed transactions too, which the client's own wallet refuses.
 * @returns the bytes in hex
 */
export const signAnything = (
  transaction: SubmittableTransaction,
  wallet: Wallet,
  { change = {}, bytes = UNCHANGED }: Tampering = {},
): string => {
  const prepared = { ...transaction, ...change, SigningPubKey: wallet.publicKey };
  const message = hexToBytes(bytes(encodeForSigning(prepared)).toLowerCase());
  // the byte before the key identifies the curve
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
  /** Performs an action of the admin endpoint. */
  admin(action: string, input?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Closes this many ledgers. */
  mine(ledgers?: number): Promise<void>;
  /** Pays XRP out of the faucet, and closes a ledger with the payment. */
  fund(wallet: Wallet, drops: number): Promise<void>;
  /** Fills in missing fields, and signs. @returns the bytes in hex, and the hash */
  signed(
    transaction: SubmittableTransaction,
    wallet: Wallet,
  ): Promise<{ readonly tx_blob: string; readonly hash: string }>;
  /** Fills in missing fields, signs and submits. @returns the engine's result */
  send(transaction: SubmittableTransaction, wallet: Wallet): Promise<string>;
  /** Signs an honest payment with changed fields, malformed or not, and submits it. @returns the engine's result */
  sendAnything(change: object, wallet: Wallet): Promise<string>;
  /** Submits bytes. @returns the engine's result */
  submit(blob: string): Promise<string>;
  /** Calls JSON-RPC over HTTP. @returns the result */
  rpc(method: string, params?: object): Promise<Answer>;
  /** balance in drops after the latest ledger */
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

/** A ledger over a real port with a stopped clock, and the official client over WebSocket. */
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
