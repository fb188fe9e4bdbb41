import {
  type Address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  pipe,
  type Rpc,
  type RpcSubscriptions,
  type Signature,
  type SolanaRpcApi,
  type SolanaRpcSubscriptionsApi,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from "@solana/kit";
import { startSolanaLedger } from "../solana/http/start.ts";
import { HandClock } from "./hand-clock.ts";

/** 20 November 2026 */
const START_MS = 1_795_132_800_000;
/** How many blocks it takes until a block is final. */
export const BLOCKS_TO_FINALITY = 32;

/** An account whose key is derived from a number. */
export const testSigner = (number: number): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(number));

/** A signed transaction in wire form, with its id. */
export interface SignedForSolana {
  readonly wire: Base64EncodedWireTransaction;
  readonly signature: Signature;
}

export interface SolanaWorld extends AsyncDisposable {
  readonly clock: HandClock;
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly subscriptions: RpcSubscriptions<SolanaRpcSubscriptionsApi>;
  readonly url: string;
  readonly adminUrl: string;
  /** Calls JSON-RPC without the SDK. @returns the whole answer */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** Performs an action of the admin endpoint. */
  admin(action: string, input?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  mine(blocks?: number): Promise<void>;
  /** Pays out of the faucet, and makes blocks until the payment is final. */
  fund(address: Address, lamports: number | bigint): Promise<void>;
  /** Signs a transaction with the latest blockhash. @param from pays the fee */
  signed(
    from: KeyPairSigner,
    instructions: readonly Instruction[],
    version?: "legacy" | 0,
  ): Promise<SignedForSolana>;
  /** @returns the transaction's signature; the transaction waits for a block */
  send(signed: SignedForSolana): Promise<Signature>;
  /** Sends a transaction, and makes blocks until it is final. */
  land(from: KeyPairSigner, instructions: readonly Instruction[]): Promise<Signature>;
  /** The node's refusal; fails if the node accepts. */
  refusal(signed: SignedForSolana): Promise<string>;
  balance(address: Address): Promise<bigint>;
}

/** The message of an SDK error, followed by that of its cause. */
const wordsOf = (error: unknown): string => {
  if (!isSolanaError(error)) throw error;
  const cause = error.cause instanceof Error ? ` | ${error.cause.message}` : "";
  return `${error.context.__code}: ${error.message}${cause}`;
};

/** Calls a node without the SDK. */
const callerOf =
  (url: string): SolanaWorld["call"] =>
  async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return (await fetch(url, { method: "POST", body })).json();
  };

/** Signs transactions with the latest blockhash of a node. */
const signerWith =
  (rpc: Rpc<SolanaRpcApi>): SolanaWorld["signed"] =>
  async (from, instructions, version = 0) => {
    const { value } = await rpc.getLatestBlockhash({ commitment: "processed" }).send();
    const transaction = await pipe(
      createTransactionMessage({ version }),
      (message) => setTransactionMessageFeePayerSigner(from, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(value, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
      signTransactionMessageWithSigners,
    );
    return {
      wire: getBase64EncodedWireTransaction(transaction),
      signature: getSignatureFromTransaction(transaction),
    };
  };

/** A ledger over real HTTP and WebSocket with a stopped clock, and a client of the official SDK. */
export const startSolanaWorld = async (
  options: {
    readonly blockMs?: number;
    readonly adminPort?: number;
    readonly folder?: string;
    readonly chain?: string;
  } = {},
): Promise<SolanaWorld> => {
  const clock = new HandClock(START_MS);
  const ledger = await startSolanaLedger({
    clock,
    chain: options.chain ?? "conclave",
    seed: "tests",
    blockMs: options.blockMs ?? 0,
    listen: { host: "127.0.0.1", port: 0 },
    adminPort: options.adminPort ?? 0,
    folder: options.folder,
    token: undefined,
  });
  const rpc = createSolanaRpc(ledger.url);
  const admin: SolanaWorld["admin"] = async (action, input = {}) => {
    const answer = await fetch(`${ledger.adminUrl}/${action}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const command = async (action: string, input: unknown): Promise<void> => {
    const { status, body } = await admin(action, input);
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
  const call = callerOf(ledger.url);
  const mine = (blocks = 1): Promise<void> => command("mine", { blocks });
  const signed = signerWith(rpc);
  const send: SolanaWorld["send"] = ({ wire }) =>
    rpc.sendTransaction(wire, { encoding: "base64", preflightCommitment: "processed" }).send();
  return {
    clock,
    rpc,
    subscriptions: createSolanaRpcSubscriptions(ledger.url.replace("http:", "ws:")),
    url: ledger.url,
    adminUrl: ledger.adminUrl,
    call,
    admin,
    mine,
    fund: async (address, lamports) => {
      await command("fund", { address, amount: String(lamports) });
      await mine(1 + BLOCKS_TO_FINALITY);
    },
    signed,
    send,
    land: async (from, instructions) => {
      const signature = await send(await signed(from, instructions));
      await mine(1 + BLOCKS_TO_FINALITY);
      return signature;
    },
    refusal: async (transaction) => {
      const answer = await send(transaction).then((signature) => ({ signature }), wordsOf);
      if (typeof answer !== "string") throw new Error(`it was accepted: ${answer.signature}`);
      return answer;
    },
    balance: async (address) => (await rpc.getBalance(address).send()).value,
    [Symbol.asyncDispose]: () => ledger.stop(),
  };
};
