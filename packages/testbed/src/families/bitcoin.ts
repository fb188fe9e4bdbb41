import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js";
import { hex } from "@scure/base";
import * as btc from "@scure/btc-signer";
import { z } from "zod";
import type { NodeUrls } from "../networks/local-network.ts";
import {
  command,
  type FamilyDriver,
  type KindOfTransfer,
  type SeenTransaction,
  type Submission,
} from "./driver.ts";

const ONE_BITCOIN = 100_000_000n;
/** How many further coins the wallet gets, none of which alone is enough for a payment. */
const FURTHER_COINS = 3;

const answerSchema = z.object({
  result: z.unknown(),
  error: z.object({ message: z.string() }).nullable(),
});
type Answer = z.infer<typeof answerSchema>;

const call = async ({ url }: NodeUrls, method: string, ...params: readonly unknown[]): Promise<Answer> => {
  const answer = await fetch(url, { method: "POST", body: JSON.stringify({ id: 1, method, params }) });
  return answerSchema.parse(await answer.json());
};

const ask = async (urls: NodeUrls, method: string, ...params: readonly unknown[]): Promise<unknown> => {
  const { result, error } = await call(urls, method, ...params);
  if (error !== null) throw new Error(`${method}: ${error.message}`);
  return result;
};

const transactionOf = (bytes: Uint8Array): btc.Transaction =>
  btc.Transaction.fromRaw(bytes, { allowUnknownInputs: true, allowUnknownOutputs: true });

/** The bytes of a transaction, whose id is verified with the SDK. */
const bytesOf = async (urls: NodeUrls, txid: string): Promise<Uint8Array> => {
  const bytes = hex.decode(z.string().parse(await ask(urls, "getrawtransaction", txid)));
  if (transactionOf(bytes).id !== txid)
    throw new Error(`what the node has for ${txid} is another transaction`);
  return bytes;
};

interface Output {
  readonly amount: bigint;
  readonly script: Uint8Array;
}

const outputsOf = (transaction: btc.Transaction): readonly Output[] =>
  Array.from({ length: transaction.outputsLength }, (_, at) => {
    const { amount, script } = transaction.getOutput(at);
    if (amount === undefined || script === undefined) throw new Error(`output ${at} is not whole`);
    return { amount, script };
  });

const addressPaid = ({ script }: Output): string =>
  btc.Address(btc.NETWORK).encode(btc.OutScript.decode(script));

/** The output that each input spends, from the transaction that created it. */
const coinsOf = (urls: NodeUrls, transaction: btc.Transaction): Promise<readonly Output[]> =>
  Promise.all(
    Array.from({ length: transaction.inputsLength }, async (_, at) => {
      const { txid, index } = transaction.getInput(at);
      if (txid === undefined || index === undefined) throw new Error(`input ${at} is not whole`);
      const coin = outputsOf(transactionOf(await bytesOf(urls, hex.encode(txid))))[index];
      if (coin === undefined) throw new Error(`input ${at} spends what there is not`);
      return coin;
    }),
  );

/**
 * Verifies an input's signature: signature hashes of BIP-143 and BIP-341 by the SDK, curves by the library that it signs
 * with.
 */
const isInputSigned = (transaction: btc.Transaction, coins: readonly Output[], at: number): boolean => {
  const [coin, witness] = [coins[at], transaction.getInput(at).finalScriptWitness];
  const [signature, publicKey] = witness ?? [];
  if (coin === undefined || signature === undefined) return false;
  const kind = btc.OutScript.decode(coin.script);
  if (kind.type === "tr" && witness?.length === 1) {
    const [scripts, amounts] = [coins.map(({ script }) => script), coins.map(({ amount }) => amount)];
    const digest = transaction.preimageWitnessV1(at, scripts, btc.SigHash.DEFAULT, amounts);
    return schnorr.verify(signature, digest, kind.pubkey);
  }
  if (kind.type !== "wpkh" || publicKey === undefined || witness?.length !== 2) return false;
  const script = btc.OutScript.encode({ type: "pkh", hash: kind.hash });
  const digest = transaction.preimageWitnessV0(at, script, btc.SigHash.ALL, coin.amount);
  return (
    addressOf(hex.encode(publicKey)) === addressPaid(coin) &&
    signature.at(-1) === btc.SigHash.ALL &&
    secp256k1.verify(signature.slice(0, -1), digest, publicKey, { prehash: false, format: "der" })
  );
};

/**
 * @param publicKey hex, compressed. An ECDSA key is paid by its hash; a Schnorr key is the internal key of a Taproot
 * output without a script tree, and the library tweaks it
 */
const addressOf = (publicKey: string, scheme?: string): string => {
  const key = hex.decode(publicKey);
  const pays =
    scheme === "Schnorr" ? btc.p2tr(key.slice(1), undefined, btc.NETWORK) : btc.p2wpkh(key, btc.NETWORK);
  return addressPaid({ script: pays.script, amount: 0n });
};

const sum = (outputs: readonly Output[]): bigint => outputs.reduce((all, { amount }) => all + amount, 0n);

const read = async (urls: NodeUrls, txHash: string): Promise<SeenTransaction> => {
  const signed = await bytesOf(urls, txHash);
  const transaction = transactionOf(signed);
  const [coins, outputs] = [await coinsOf(urls, transaction), outputsOf(transaction)];
  const [sender, ...others] = new Set(coins.map(addressPaid));
  if (sender === undefined || others.length > 0) throw new Error("its coins are not of one sender");
  const [paid, ...change] = outputs;
  if (paid === undefined) throw new Error("it pays nobody");
  if (change.some((output) => addressPaid(output) !== sender)) throw new Error("it pays a second recipient");
  return {
    sender,
    recipient: addressPaid(paid),
    amount: paid.amount,
    token: undefined,
    fee: sum(coins) - sum(outputs),
    isSigned: coins.every((_, at) => isInputSigned(transaction, coins, at)),
    signed,
  };
};

const satoshis = z.number().transform((bitcoins) => BigInt(Math.round(bitcoins * Number(ONE_BITCOIN))));
const scanSchema = z.object({ unspents: z.array(z.object({ amount: satoshis })) });

/** The amount of each confirmed coin of an address. */
const amountsAt = async (urls: NodeUrls, address: string): Promise<readonly bigint[]> => {
  const { unspents } = scanSchema.parse(await ask(urls, "scantxoutset", "start", [`addr(${address})`]));
  return unspents.map(({ amount }) => amount);
};

const native = (amount: bigint): KindOfTransfer => {
  const recipient = addressOf(hex.encode(secp256k1.keygen().publicKey));
  return {
    kind: "Native",
    body: { kind: "Native", to: recipient, amount: String(amount) },
    expected: { recipient, amount, token: undefined },
  };
};

/** A payment larger than any single coin of the wallet, so that it has several inputs, each signed, and change. */
const ofSeveralCoins = async (urls: NodeUrls, address: string): Promise<KindOfTransfer> => {
  for (let count = 0; count < FURTHER_COINS; count += 1)
    await command(urls, "fund", { address, amount: String(ONE_BITCOIN) });
  await command(urls, "mine");
  const [largest = 0n] = (await amountsAt(urls, address)).toSorted((one, other) => Number(other - one));
  return native(largest + (3n * ONE_BITCOIN) / 2n);
};

const submit = async (urls: NodeUrls, signed: Uint8Array): Promise<Submission> => {
  const { error } = await call(urls, "sendrawtransaction", hex.encode(signed));
  return error === null ? { kind: "taken" } : { kind: "refused", words: error.message };
};

const seenSchema = z.object({ confirmations: z.int().min(1) });

/**
 * Makes the node forget a transaction and its block: a node does not verify signatures of a transaction whose inputs are
 * spent.
 */
const forget = async (urls: NodeUrls, txHash: string): Promise<void> => {
  await command(urls, "hold");
  const { confirmations } = seenSchema.parse(await ask(urls, "getrawtransaction", txHash, true));
  await command(urls, "reorg", { depth: confirmations });
  await command(urls, "drop", { id: txHash });
  await command(urls, "resume");
};

/** Bitcoin, through @scure/btc-signer. */
export const BITCOIN: FamilyDriver = {
  network: "Bitcoin",
  // the dust limit of a P2WPKH output
  least: 294n,
  coinEvent: "UtxoTransfer",
  addressOf,
  // a Taproot key
  otherKey: { scheme: "Schnorr", curve: "secp256k1" },
  native,
  kinds: async (urls, { address }) => [native(1_234_567n), await ofSeveralCoins(urls, address)],
  read,
  balance: async (urls, address) =>
    (await amountsAt(urls, address)).reduce((all, amount) => all + amount, 0n),
  altered: (signed) => {
    const transaction = btc.RawTx.decode(signed);
    // one satoshi less, so that the fee is still sufficient
    const outputs = transaction.outputs.map((output, at) =>
      at === 0 ? { ...output, amount: output.amount - 1n } : output,
    );
    return btc.RawTx.encode({ ...transaction, outputs });
  },
  wrongSignature: /mandatory-script-verify-flag-failed/,
  submit,
  forget,
  // a Bitcoin transaction has no deadline
  expire: undefined,
};
