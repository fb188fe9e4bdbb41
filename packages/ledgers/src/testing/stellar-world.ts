import {
  Account,
  Asset,
  BASE_FEE,
  Horizon,
  Keypair,
  type Memo,
  Operation,
  rpc,
  TransactionBuilder,
  type xdr,
} from "@stellar/stellar-sdk";
import { startStellarLedger } from "../stellar/http/start.ts";
import { HandClock } from "./hand-clock.ts";

/** 20 November 2026 */
const START_MS = 1_795_132_800_000;
export const PASSPHRASE = "Conclave Test Network";

/** A key derived from a number. */
export const stellarKey = (number: number): Keypair => Keypair.fromRawEd25519Seed(Buffer.alloc(32, number));

export interface BuildOptions {
  /** stroops per operation */
  readonly fee?: string;
  readonly memo?: Memo;
  readonly timeout?: number;
  readonly sequence?: string;
  readonly passphrase?: string;
  readonly timebounds?: { readonly minTime: number; readonly maxTime: number };
}

export type BuiltTransaction = ReturnType<TransactionBuilder["build"]>;

export interface StellarWorld extends AsyncDisposable {
  readonly clock: HandClock;
  readonly horizon: Horizon.Server;
  readonly rpc: rpc.Server;
  readonly url: string;
  readonly adminUrl: string;
  /** Performs an action of the admin endpoint. */
  admin(action: string, input?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  mine(ledgers?: number): Promise<void>;
  /**
   * Pays lumens out of the faucet, and closes a ledger with the payment. @param stroops at least a lumen for a new
   * account
   */
  fund(key: Keypair, stroops: number | string): Promise<void>;
  /** An unsigned transaction of an account, with its next sequence number. */
  build(
    source: Keypair,
    operations: readonly xdr.Operation[],
    options?: BuildOptions,
  ): Promise<BuiltTransaction>;
  signed(
    source: Keypair,
    operations: readonly xdr.Operation[],
    options?: BuildOptions,
  ): Promise<BuiltTransaction>;
  /** Sends a transaction, and closes a ledger with it. @returns Horizon's answer, which may be an error */
  confirmed(transaction: Parameters<Horizon.Server["submitTransaction"]>[0]): Promise<SubmitAnswer>;
  /** The result codes of a transaction that is refused or fails in a ledger; fails if it succeeds. */
  codes(transaction: Parameters<Horizon.Server["submitTransaction"]>[0]): Promise<unknown>;
  /** The node's immediate reply to a submission. */
  status(transaction: Parameters<rpc.Server["sendTransaction"]>[0]): Promise<string>;
  balance(key: Keypair, asset?: Asset): Promise<string>;
}

export type SubmitAnswer = Awaited<ReturnType<Horizon.Server["submitTransaction"]>>;

/** The node's answer in an error of the SDK. */
export const answerIn = (error: unknown): Readonly<Record<string, unknown>> => {
  for (const from of [error, error instanceof Error && "response" in error ? error.response : undefined]) {
    if (typeof from === "object" && from !== null && "data" in from) {
      const { data } = from;
      if (typeof data === "object" && data !== null) return Object.fromEntries(Object.entries(data));
    }
  }
  throw error;
};

type Running = Awaited<ReturnType<typeof startStellarLedger>>;

/** Performs actions of the admin endpoint. */
const adminOf =
  ({ adminUrl }: Running): StellarWorld["admin"] =>
  async (action, input = {}) => {
    const answer = await fetch(`${adminUrl}/${action}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    return { status: answer.status, body: await answer.json() };
  };

const builderOf =
  (horizon: Horizon.Server, clock: HandClock): StellarWorld["build"] =>
  async (source, operations, given = {}) => {
    const { fee = BASE_FEE, memo, timeout = 300, passphrase = PASSPHRASE, timebounds } = given;
    const sequence = given.sequence ?? (await horizon.loadAccount(source.publicKey())).sequenceNumber();
    const builder = new TransactionBuilder(new Account(source.publicKey(), sequence), {
      fee,
      networkPassphrase: passphrase,
      timebounds: timebounds ?? { minTime: 0, maxTime: Math.floor(clock.now() / 1_000) + timeout },
      ...(memo && { memo }),
    });
    for (const operation of operations) builder.addOperation(operation);
    return builder.build();
  };

/** Horizon answers only once a ledger holds the transaction, so a ledger is closed as soon as the request waits. */
const confirmer =
  (horizon: Horizon.Server, clock: HandClock, mine: () => Promise<void>): StellarWorld["confirmed"] =>
  async (transaction) => {
    const waiting = clock.pending;
    let isAnswered = false;
    const answer = horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true });
    const answered = answer.finally(() => {
      isAnswered = true;
    });
    answered.catch(() => undefined);
    while (!isAnswered && clock.pending === waiting) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (!isAnswered) await mine();
    return answered;
  };

const codesIn = (answer: object): unknown => {
  if ("hash" in answer) throw new Error(`it was accepted: ${String(answer.hash)}`);
  const extras = "extras" in answer ? answer.extras : undefined;
  if (typeof extras === "object" && extras !== null && "result_codes" in extras) return extras.result_codes;
  throw new Error(JSON.stringify(answer));
};

const balanceOf = async (horizon: Horizon.Server, key: Keypair, asset?: Asset): Promise<string> => {
  const { balances } = await horizon.loadAccount(key.publicKey());
  const line = balances.find((each) =>
    asset === undefined
      ? each.asset_type === "native"
      : "asset_code" in each &&
        each.asset_code === asset.getCode() &&
        each.asset_issuer === asset.getIssuer(),
  );
  return line?.balance ?? "none";
};

/** A ledger over real HTTP with a stopped clock, and a client of the official SDK. */
export const startStellarWorld = async (
  options: {
    readonly blockMs?: number;
    readonly token?: string;
    readonly adminPort?: number;
    readonly folder?: string;
  } = {},
): Promise<StellarWorld> => {
  const clock = new HandClock(START_MS);
  const ledger = await startStellarLedger({
    clock,
    chain: PASSPHRASE,
    seed: "tests",
    blockMs: options.blockMs ?? 0,
    listen: { host: "127.0.0.1", port: 0 },
    adminPort: options.adminPort ?? 0,
    folder: options.folder,
    token: options.token,
  });
  const horizon = new Horizon.Server(ledger.url, { allowHttp: true });
  const client = new rpc.Server(`${ledger.url}/rpc`, { allowHttp: true });
  const admin = adminOf(ledger);
  const done = async (action: string, input: unknown): Promise<void> => {
    const { status, body } = await admin(action, input);
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
  const mine = (ledgers = 1): Promise<void> => done("mine", { blocks: ledgers });
  const build = builderOf(horizon, clock);
  const confirmed = confirmer(horizon, clock, mine);
  return {
    clock,
    horizon,
    rpc: client,
    url: ledger.url,
    adminUrl: ledger.adminUrl,
    admin,
    mine,
    fund: async (key, stroops) => {
      await done("fund", { address: key.publicKey(), amount: stroops });
      await mine();
    },
    build,
    signed: async (source, operations, given) => {
      const transaction = await build(source, operations, given);
      transaction.sign(source);
      return transaction;
    },
    confirmed,
    codes: async (transaction) => codesIn(await confirmed(transaction).catch(answerIn)),
    status: async (transaction) => (await client.sendTransaction(transaction)).status,
    balance: (key, asset) => balanceOf(horizon, key, asset),
    [Symbol.asyncDispose]: () => ledger.stop(),
  };
};

/** A payment of lumens. @param amount in lumens, as a string */
export const lumens = (to: Keypair, amount: string): xdr.Operation =>
  Operation.payment({ destination: to.publicKey(), asset: Asset.native(), amount });
