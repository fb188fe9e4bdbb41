import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hex } from "@scure/base";
import * as btc from "@scure/btc-signer";
import { startBitcoinLedger } from "../bitcoin/http/start.ts";
import { HandClock } from "./hand-clock.ts";

/** 20 November 2026 */
export const BITCOIN_START_MS = 1_795_132_800_000;

/** Regtest, in the form that @scure/btc-signer requires. */
export const REGTEST = { bech32: "bcrt", pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };

/** The scripts of one key, of each kind that a ledger can spend. */
export interface BitcoinTestKey {
  readonly secretKey: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly p2wpkh: string;
  readonly p2pkh: string;
  readonly nested: string;
  readonly p2tr: string;
}

const addressIn = ({ address }: { readonly address?: string | undefined }): string => {
  if (address === undefined) throw new Error("such a script has an address");
  return address;
};

/** A key derived from a number. */
export const bitcoinTestKey = (number: number): BitcoinTestKey => {
  const secretKey = new Uint8Array(32).fill(number);
  const publicKey = secp256k1.getPublicKey(secretKey, true);
  return {
    secretKey,
    publicKey,
    p2wpkh: addressIn(btc.p2wpkh(publicKey, REGTEST)),
    p2pkh: addressIn(btc.p2pkh(publicKey, REGTEST)),
    nested: addressIn(btc.p2sh(btc.p2wpkh(publicKey, REGTEST), REGTEST)),
    p2tr: addressIn(btc.p2tr(btc.utils.pubSchnorr(secretKey), undefined, REGTEST)),
  };
};

/** A JSON-RPC refusal, with its HTTP status. */
export interface RpcRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

export interface BitcoinWorld extends AsyncDisposable {
  readonly clock: HandClock;
  readonly url: string;
  readonly adminUrl: string;
  /** POSTs a body to the node. */
  post(body: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Calls a method; fails if it is refused. */
  rpc(method: string, ...parameters: readonly unknown[]): Promise<unknown>;
  /** Calls a method; fails if it is not refused. */
  refusal(method: string, ...parameters: readonly unknown[]): Promise<RpcRefusal>;
  /** Performs an action of the admin endpoint. */
  admin(action: string, input?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  mine(blocks?: number): Promise<void>;
  /** Pays satoshis out of the faucet, and makes a block with the payment. @returns the output */
  fund(address: string, amount: number): Promise<BitcoinTestCoin>;
}

export interface BitcoinTestCoin {
  readonly txid: string;
  readonly index: number;
  readonly amount: bigint;
  readonly script: Uint8Array;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** A member of a JSON object; fails if the value is no object. */
export const fieldOf = (value: unknown, name: string): unknown => {
  if (!isObject(value)) throw new Error(`there is no ${name} in ${JSON.stringify(value)}`);
  return value[name];
};

const readBody = async (answer: Response): Promise<unknown> => {
  const text = await answer.text();
  return text === "" ? undefined : JSON.parse(text);
};

const postJson = async (url: string, body: unknown, credentials?: string) => {
  const authorization =
    credentials === undefined
      ? {}
      : { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...authorization },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await readBody(answer) };
};

/** The output of a transaction that pays an address. */
const coinOf = (transaction: unknown, address: string): BitcoinTestCoin => {
  const outputs = fieldOf(transaction, "vout");
  if (!Array.isArray(outputs)) throw new Error("a transaction has outputs");
  const output: unknown = outputs.find(
    (each) => fieldOf(fieldOf(each, "scriptPubKey"), "address") === address,
  );
  return {
    txid: String(fieldOf(transaction, "txid")),
    index: Number(fieldOf(output, "n")),
    amount: BigInt(Math.round(Number(fieldOf(output, "value")) * 100_000_000)),
    script: hex.decode(String(fieldOf(fieldOf(output, "scriptPubKey"), "hex"))),
  };
};

/** A ledger over real HTTP with a stopped clock, and calls of its JSON-RPC without an SDK. */
export const startBitcoinWorld = async (
  options: {
    readonly chain?: string;
    readonly blockMs?: number;
    readonly token?: string;
    readonly folder?: string;
  } = {},
): Promise<BitcoinWorld> => {
  const clock = new HandClock(BITCOIN_START_MS);
  const { token } = options;
  const ledger = await startBitcoinLedger({
    clock,
    chain: options.chain ?? "regtest",
    seed: "tests",
    blockMs: options.blockMs ?? 0,
    listen: { host: "127.0.0.1", port: 0 },
    adminPort: 0,
    folder: options.folder,
    token,
  });
  const post: BitcoinWorld["post"] = (body) => postJson(ledger.url, body, token);
  const admin: BitcoinWorld["admin"] = (action, input = {}) =>
    postJson(`${ledger.adminUrl}/${action}`, input);
  const mine = async (blocks = 1): Promise<void> => {
    const { status, body } = await admin("mine", { blocks });
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
  const rpc: BitcoinWorld["rpc"] = async (method, ...params) => {
    const { body } = await post({ id: 1, method, params });
    if (fieldOf(body, "error") !== null) throw new Error(JSON.stringify(fieldOf(body, "error")));
    return fieldOf(body, "result");
  };
  return {
    clock,
    url: ledger.url,
    adminUrl: ledger.adminUrl,
    post,
    rpc,
    admin,
    mine,
    refusal: async (method, ...params) => {
      const { status, body } = await post({ id: 1, method, params });
      const error = fieldOf(body, "error");
      if (error === null) throw new Error(`it was accepted: ${JSON.stringify(fieldOf(body, "result"))}`);
      return { status, code: Number(fieldOf(error, "code")), message: String(fieldOf(error, "message")) };
    },
    fund: async (address, amount) => {
      const { status, body } = await admin("fund", { address, amount });
      if (status !== 200) throw new Error(JSON.stringify(body));
      await mine();
      return coinOf(await rpc("getrawtransaction", fieldOf(body, "id"), 1), address);
    },
    [Symbol.asyncDispose]: () => ledger.stop(),
  };
};

/** How a test's payment differs from a plain one. */
export interface PaymentOptions {
  /** satoshis; 1 000 by default */
  readonly fee?: number;
  readonly sequence?: number;
  readonly lockTime?: number;
  readonly version?: number;
  readonly sighash?: number;
}

/** An unsigned payment of all the coins of a key to one address, less the fee. */
export const unsignedPayment = (
  key: BitcoinTestKey,
  coins: readonly BitcoinTestCoin[],
  to: string,
  options: PaymentOptions = {},
): btc.Transaction => {
  const { fee = 1_000, sequence = 0xfffffffd, lockTime = 0, version = 2, sighash } = options;
  const transaction = new btc.Transaction({
    version,
    lockTime,
    allowUnknownOutputs: true,
    allowUnknownVersion: true,
    allowLegacyWitnessUtxo: true,
  });
  const nested = btc.p2sh(btc.p2wpkh(key.publicKey, REGTEST), REGTEST);
  for (const { txid, index, amount, script } of coins) {
    const kind = btc.OutScript.decode(script).type;
    transaction.addInput({
      txid,
      index,
      sequence,
      witnessUtxo: { amount, script },
      ...(sighash === undefined ? {} : { sighashType: sighash }),
      ...(kind === "sh" ? { redeemScript: nested.redeemScript } : {}),
      ...(kind === "tr" ? { tapInternalKey: btc.utils.pubSchnorr(key.secretKey) } : {}),
    });
  }
  const given = coins.reduce((sum, { amount }) => sum + amount, 0n);
  transaction.addOutputAddress(to, given - BigInt(fee), REGTEST);
  return transaction;
};

/** The hex of a payment that one key signed. Spending P2PKH needs the whole previous transaction: `rawPrevious`. */
export const signedPayment = (
  key: BitcoinTestKey,
  coins: readonly BitcoinTestCoin[],
  to: string,
  options: PaymentOptions = {},
): string => {
  const transaction = unsignedPayment(key, coins, to, options);
  transaction.sign(
    key.secretKey,
    options.sighash === undefined ? undefined : [options.sighash],
    new Uint8Array(32),
  );
  transaction.finalize();
  return hex.encode(transaction.extract());
};

/** An output of a transaction in hex, confirmed or not. */
export const outputOfPayment = (raw: string, index = 0): BitcoinTestCoin => {
  const transaction = btc.Transaction.fromRaw(hex.decode(raw), { allowUnknownOutputs: true });
  const { amount, script } = transaction.getOutput(index);
  if (amount === undefined || script === undefined) throw new Error("a transaction has such an output");
  return { txid: transaction.id, index, amount, script };
};
