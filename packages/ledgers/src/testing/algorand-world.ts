import { ed25519 } from "@noble/curves/ed25519.js";
import algosdk from "algosdk";
import { startAlgorandLedger } from "../algorand/http/start.ts";
import { HandClock } from "./hand-clock.ts";

/** 20 November 2026 */
const START_MS = 1_795_132_800_000;

/** An account whose key is derived from a number. */
export const testAccount = (number: number): algosdk.Account => {
  const seed = new Uint8Array(32).fill(number);
  const publicKey = ed25519.getPublicKey(seed);
  return { addr: new algosdk.Address(publicKey), sk: Uint8Array.from([...seed, ...publicKey]) };
};

export interface AlgorandWorld extends AsyncDisposable {
  readonly clock: HandClock;
  readonly client: algosdk.Algodv2;
  readonly url: string;
  readonly adminUrl: string;
  /** Performs an action of the admin endpoint. */
  admin(action: string, input?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  mine(blocks?: number): Promise<void>;
  /** Pays out of the faucet, and makes a block with the payment. */
  fund(account: algosdk.Account, microalgos: number): Promise<void>;
  /** @returns the transaction's id; the transaction waits in the pool */
  send(signed: Uint8Array | readonly Uint8Array[]): Promise<string>;
  /** The node's refusal; fails if the node accepts. */
  refusal(signed: Uint8Array | readonly Uint8Array[]): Promise<string>;
  balance(account: algosdk.Account): Promise<bigint>;
}

/** The node's message in an error of the SDK. */
const wordsOf = (error: unknown): string => {
  if (error instanceof Error && "response" in error) {
    const { response } = error;
    if (typeof response === "object" && response !== null && "text" in response) {
      const body: unknown = JSON.parse(String(response.text));
      if (typeof body === "object" && body !== null && "message" in body) return String(body.message);
    }
  }
  throw error;
};

/** A ledger over real HTTP with a stopped clock, and a client of the official SDK. */
export const startAlgorandWorld = async (
  options: {
    readonly blockMs?: number;
    readonly token?: string;
    readonly adminPort?: number;
    readonly folder?: string;
  } = {},
): Promise<AlgorandWorld> => {
  const clock = new HandClock(START_MS);
  const ledger = await startAlgorandLedger({
    clock,
    chain: "conclave-v1",
    seed: "tests",
    blockMs: options.blockMs ?? 0,
    listen: { host: "127.0.0.1", port: 0 },
    adminPort: options.adminPort ?? 0,
    folder: options.folder,
    token: options.token,
  });
  const client = new algosdk.Algodv2(options.token ?? "", ledger.url, new URL(ledger.url).port);
  const admin: AlgorandWorld["admin"] = async (action, input = {}) => {
    const answer = await fetch(`${ledger.adminUrl}/${action}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const mine = async (blocks = 1): Promise<void> => {
    const { status, body } = await admin("mine", { blocks });
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
  const post = (signed: Uint8Array | readonly Uint8Array[]) =>
    client.sendRawTransaction(signed instanceof Uint8Array ? signed : [...signed]).do();
  return {
    clock,
    client,
    url: ledger.url,
    adminUrl: ledger.adminUrl,
    admin,
    mine,
    fund: async (account, microalgos) => {
      const { status, body } = await admin("fund", { address: account.addr.toString(), amount: microalgos });
      if (status !== 200) throw new Error(JSON.stringify(body));
      await mine();
    },
    send: async (signed) => (await post(signed)).txid,
    refusal: async (signed) => {
      const answer = await post(signed).catch(wordsOf);
      if (typeof answer !== "string") throw new Error(`it was accepted: ${answer.txid}`);
      return answer;
    },
    balance: async (account) => (await client.accountInformation(account.addr).do()).amount,
    [Symbol.asyncDispose]: () => ledger.stop(),
  };
};
