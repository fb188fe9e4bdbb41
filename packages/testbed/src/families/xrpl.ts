import {
  Client,
  classicAddressToXAddress,
  decode,
  deriveAddress,
  encode,
  encodeForSigning,
  hashes,
  type Payment,
  verifySignature,
  Wallet,
} from "xrpl";
import { z } from "zod";
import type { NodeUrls } from "../networks/local-network.ts";
import { command, type FamilyDriver, type KindOfTransfer, type SeenTransaction } from "./driver.ts";
import { ed25519Verified } from "./ed25519-verified.ts";

/** more ledgers than our transactions are valid for */
const LEDGERS_TO_EXPIRY = 60;
const TIMEOUT_MS = 30_000;
/** prefix of an Ed25519 key in hex, where a secp256k1 key has 02 or 03 */
const ED25519_PREFIX = "ED";
const ED25519_DIGITS = 64;
/** destination tag, which tells the receiver which customer is paid */
const TAG = 20_261;

/** Calls the node through the official client. */
const asking = async <T>({ url }: NodeUrls, ask: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client(url.replace("http:", "ws:"), {
    connectionTimeout: TIMEOUT_MS,
    timeout: TIMEOUT_MS,
  });
  await client.connect();
  try {
    return await ask(client);
  } finally {
    await client.disconnect();
  }
};

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex").toUpperCase();

const signedPaymentSchema = z.object({
  TransactionType: z.literal("Payment"),
  Account: z.string(),
  Destination: z.string(),
  Amount: z.string(),
  DestinationTag: z.int().optional(),
  Fee: z.string(),
  SigningPubKey: z.string(),
  TxnSignature: z.string(),
});
/** A payment with these fields, in the SDK's type. */
const paymentSchema = z.custom<Payment>((value) => signedPaymentSchema.safeParse(value).success);

/** Verifies that the account's own key signed: with the SDK and, for an Ed25519 key, with OpenSSL too. */
const isSigned = (blob: string): boolean => {
  const { Account, SigningPubKey: key, TxnSignature } = signedPaymentSchema.parse(decode(blob));
  if (deriveAddress(key) !== Account || !verifySignature(blob)) return false;
  if (!key.startsWith(ED25519_PREFIX)) return true;
  const message = bytesOf(encodeForSigning(paymentSchema.parse(decode(blob))));
  return ed25519Verified(bytesOf(key.slice(ED25519_PREFIX.length)), message, bytesOf(TxnSignature));
};

/** An address; with a destination tag, as an X-address. */
const receiver = (address: string, tag: number | undefined): string =>
  tag === undefined ? address : classicAddressToXAddress(address, tag, false);

/** The signed fields of a payment in a node's answer, which renames Amount to DeliverMax. */
const signedIn = (shown: object): Payment => {
  const { DeliverMax: Amount, ...fields } = z.record(z.string(), z.unknown()).parse(shown);
  return paymentSchema.parse({ ...fields, Amount });
};

const read = async (urls: NodeUrls, txHash: string): Promise<SeenTransaction> => {
  const { result } = await asking(urls, (client) => client.request({ command: "tx", transaction: txHash }));
  const { tx_json: shown, meta } = result;
  if (shown.TransactionType !== "Payment") throw new Error("it is no payment");
  const signed = encode(signedIn(shown));
  if (hashes.hashSignedTx(signed) !== txHash) throw new Error("what the node shows is another transaction");
  const delivered = typeof meta === "object" ? meta.delivered_amount : undefined;
  const { Account, Destination, DestinationTag, Fee } = signedPaymentSchema.parse(decode(signed));
  return {
    sender: Account,
    recipient: receiver(Destination, DestinationTag),
    amount: BigInt(z.string().parse(delivered)),
    token: undefined,
    fee: BigInt(Fee),
    isSigned: isSigned(signed),
    signed: bytesOf(signed),
  };
};

/** A payment to a new address. */
const paymentOf = (amount: bigint, tag: number | undefined): KindOfTransfer => {
  const to = Wallet.generate().classicAddress;
  return {
    kind: "Native",
    body: {
      kind: "Native",
      to,
      amount: String(amount),
      ...(tag === undefined ? {} : { memo: String(tag) }),
    },
    expected: { recipient: receiver(to, tag), amount, token: undefined },
  };
};

const submissionSchema = z.object({
  result: z.object({ status: z.string(), engine_result: z.string().optional() }),
});
const TAKEN = /^(tes|tec|terQUEUED|tefALREADY)/;

/** The XRP Ledger, through xrpl.js. */
export const XRPL: FamilyDriver = {
  network: "XrpLedger",
  // an account's reserve: less does not create an account
  least: 1_000_000n,
  addressOf: (publicKey) =>
    deriveAddress(publicKey.length === ED25519_DIGITS ? `${ED25519_PREFIX}${publicKey}` : publicKey),
  otherKey: { scheme: "ECDSA", curve: "secp256k1" },
  native: (amount) => paymentOf(amount, undefined),
  kinds: async () => [paymentOf(1_234_567n, TAG)],
  read,
  balance: async (urls, address) => {
    const { result } = await asking(urls, (client) =>
      client.request({ command: "account_info", account: address, ledger_index: "validated" }),
    );
    return BigInt(result.account_data.Balance);
  },
  altered: (signed) => {
    const sent = paymentSchema.parse(decode(hexOf(signed)));
    const amount = BigInt(z.string().parse(sent.Amount)) + 1n;
    return bytesOf(encode({ ...sent, Amount: String(amount) }));
  },
  wrongSignature: /Invalid signature/,
  submit: async ({ url }, signed) => {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ method: "submit", params: [{ tx_blob: hexOf(signed) }] }),
    });
    const words = await answer.text();
    const { status, engine_result: result = "" } = submissionSchema.parse(JSON.parse(words)).result;
    return status === "success" && TAKEN.test(result) ? { kind: "taken" } : { kind: "refused", words };
  },
  expire: async (urls, txHash) => {
    await command(urls, "delay", { id: txHash, blocks: 2 * LEDGERS_TO_EXPIRY });
    await command(urls, "mine", { blocks: LEDGERS_TO_EXPIRY });
  },
};
