import algosdk from "algosdk";
import type { NodeUrls } from "../networks/local-network.ts";
import { algodClient, assetTransferOf, createAsset, landOnAlgorand } from "../tokens/algorand-assets.ts";
import { command, type FamilyDriver, type KindOfTransfer, type SeenTransaction } from "./driver.ts";
import { ed25519Verified } from "./ed25519-verified.ts";

/** prefix of the bytes that are signed */
const TRANSACTION_TAG = new TextEncoder().encode("TX");
/** more rounds than our transactions are valid for */
const ROUNDS_TO_EXPIRY = 260;
const ASSET_TOTAL = 1_000_000n;

const isSigned = ({ txn, sig }: algosdk.SignedTransaction): boolean =>
  sig !== undefined &&
  ed25519Verified(txn.sender.publicKey, Uint8Array.from([...TRANSACTION_TAG, ...txn.toByte()]), sig);

const moved = ({ payment, assetTransfer }: algosdk.Transaction) => {
  if (payment !== undefined) {
    return { recipient: payment.receiver.toString(), amount: payment.amount, token: undefined };
  }
  if (assetTransfer === undefined) throw new Error("it moves nothing");
  const { receiver, amount, assetIndex } = assetTransfer;
  return { recipient: receiver.toString(), amount, token: String(assetIndex) };
};

const read = async (urls: NodeUrls, txHash: string): Promise<SeenTransaction> => {
  const { txn } = await algodClient(urls).pendingTransactionInformation(txHash).do();
  return {
    sender: txn.txn.sender.toString(),
    ...moved(txn.txn),
    fee: txn.txn.fee,
    isSigned: isSigned(txn),
    signed: algosdk.encodeMsgpack(txn),
  };
};

/** A funded account outside the cluster. */
const fundedAccount = async (urls: NodeUrls): Promise<algosdk.Account> => {
  const account = algosdk.generateAccount();
  await command(urls, "fund", { address: account.addr.toString(), amount: 10_000_000 });
  await command(urls, "mine");
  return account;
};

/** Creates an asset, and an account that has opted in to it; both are outside the cluster. */
const makeAsset = async (urls: NodeUrls) => {
  const [creator, receiver] = [await fundedAccount(urls), await fundedAccount(urls)];
  const assetIndex = await createAsset(urls, creator, { symbol: "COIN", decimals: 2, supply: ASSET_TOTAL });
  await landOnAlgorand(urls, await assetTransferOf(urls, receiver, receiver.addr, assetIndex, 0));
  return { creator, receiver, assetIndex };
};

const native = (amount: bigint): KindOfTransfer => {
  const recipient = algosdk.generateAccount().addr.toString();
  return {
    kind: "Native",
    body: { kind: "Native", to: recipient, amount: String(amount) },
    expected: { recipient, amount, token: undefined },
  };
};

/** Algorand, through algosdk. */
export const ALGORAND: FamilyDriver = {
  network: "Algorand",
  least: 100_000n,
  addressOf: (publicKey) => new algosdk.Address(Buffer.from(publicKey, "hex")).toString(),
  native,
  kinds: async (urls, { address, send }) => {
    const { creator, receiver, assetIndex } = await makeAsset(urls);
    const optIn = algosdk.makeAssetTransferTxnWithSuggestedParamsFromObject({
      sender: address,
      receiver: address,
      assetIndex,
      amount: 0,
      suggestedParams: await algodClient(urls).getTransactionParams().do(),
    });
    await send(`0x${Buffer.from(optIn.toByte()).toString("hex")}`);
    await landOnAlgorand(urls, await assetTransferOf(urls, creator, address, assetIndex, 500));
    const recipient = receiver.addr.toString();
    const asset = {
      kind: "Asa",
      body: { kind: "Asa", assetId: String(assetIndex), to: recipient, amount: "7" },
      expected: { recipient, amount: 7n, token: String(assetIndex) },
    };
    return [native(1_234_567n), asset];
  },
  read,
  // includes no pending rewards, so it is only what the account was sent
  balance: async (urls, address) =>
    (await algodClient(urls).accountInformation(address).do()).amountWithoutPendingRewards,
  altered: (signed) => {
    const decoded = algosdk.decodeSignedTransaction(signed);
    const { payment } = decoded.txn;
    if (payment === undefined) throw new Error("it is no payment");
    const params = { fee: decoded.txn.fee, flatFee: true, minFee: decoded.txn.fee };
    const txn = algosdk.makePaymentTxnWithSuggestedParamsFromObject({
      sender: decoded.txn.sender,
      receiver: payment.receiver,
      amount: payment.amount + 1n,
      lease: decoded.txn.lease ?? new Uint8Array(32),
      suggestedParams: {
        ...params,
        firstValid: decoded.txn.firstValid,
        lastValid: decoded.txn.lastValid,
        genesisID: decoded.txn.genesisID ?? "",
        genesisHash: decoded.txn.genesisHash ?? new Uint8Array(32),
      },
    });
    const { sig } = decoded;
    if (sig === undefined) throw new Error("it is not signed");
    return algosdk.encodeMsgpack(new algosdk.SignedTransaction({ txn, sig }));
  },
  wrongSignature: /signature didn't pass verification/,
  submit: async (urls, signed) => {
    const answer = await fetch(`${urls.url}/v2/transactions`, {
      method: "POST",
      headers: { "content-type": "application/x-binary" },
      body: Uint8Array.from(signed),
    });
    const words = await answer.text();
    return answer.ok ? { kind: "taken" } : { kind: "refused", words };
  },
  expire: async (urls, txHash) => {
    await command(urls, "delay", { id: txHash, rounds: 2 * ROUNDS_TO_EXPIRY });
    await command(urls, "mine", { blocks: ROUNDS_TO_EXPIRY });
  },
};
