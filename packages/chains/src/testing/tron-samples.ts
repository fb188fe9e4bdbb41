import { networkSchema } from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import type { OwnTransaction, TransactionIntent } from "../chain.ts";
import type { ExactTransaction } from "../rules/exact-act.ts";
import { tronAddressOf } from "../tron/address.ts";
import { TRON_FAMILY } from "../tron/family.ts";
import type { TronNetwork } from "../tron/network.ts";
import type { TronTransfer } from "../tron/rules/act.ts";
import { encodeTron, type TronDraft, tronDigest } from "../tron/transaction.ts";
import { testAccount } from "./account.ts";
import { exactActs } from "./acts/authorised-acts.ts";

/** A whole private key in one process, which only tests have, and its account. */
export const TRON_SECRET_KEY: string = "0e".repeat(32);
export const TRON_KEY = testAccount(TRON_SECRET_KEY);
export const TRON_SENDER: string = tronAddressOf(TRON_KEY.publicKey);
export const TRON_RECIPIENT: string = tronAddressOf(testAccount("0f".repeat(32)).publicKey);
/** USDT of the main network. */
export const TRON_TOKEN = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
/** BTT's former TRC-10 token on the main network. */
export const TRC10_ID = "1002000";

export const TRON_NILE: TronNetwork = {
  network: networkSchema.parse("TronNile"),
  family: "Tron",
  genesisBlock: "0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc",
  fullNodeUrl: "http://127.0.0.1:9",
  feeCap: "100000000",
};

type TronTransferOf<Kind> = Extract<TronTransfer, { readonly kind: Kind }>;

const parties = { from: TRON_SENDER, to: TRON_RECIPIENT };
export const TRX_TRANSFER: TronTransferOf<"Native"> = { kind: "Native", ...parties, amount: "1500000" };
export const TRC10_TRANSFER: TronTransferOf<"Trc10"> = {
  kind: "Trc10",
  tokenId: TRC10_ID,
  ...parties,
  amount: "2500000",
};
export const TRC20_TRANSFER: TronTransferOf<"Trc20"> = {
  kind: "Trc20",
  contract: TRON_TOKEN,
  ...parties,
  amount: "2500000",
};
export const TRC721_TRANSFER: TronTransferOf<"Trc721"> = {
  kind: "Trc721",
  contract: TRON_TOKEN,
  ...parties,
  tokenId: "7",
};

const authorised = exactActs<TronTransfer, ExactTransaction>(TRON_NILE.network, TRON_SENDER);
/** A transfer as the gateway authorises it. */
export const authorisedTron = authorised.ofTransfer;
/** A caller's own bytes as the gateway authorises them. */
export const authorisedTronBytes = authorised.ofBytes;

/** A payment that a caller built. */
export const TRON_DRAFT: TronDraft = {
  refBlockBytes: hexToBytes("1234"),
  refBlockHash: hexToBytes("0102030405060708"),
  expirationMs: 1_800_000_060_000n,
  timestampMs: 1_800_000_000_000n,
  feeLimit: 0n,
  contract: { type: "TransferContract", from: TRON_SENDER, to: TRON_RECIPIENT, amount: 1_500_000n },
};

/** A caller's own bytes, hex with 0x. */
export const tronBytes = (change: Partial<TronDraft> = {}): string =>
  `0x${Buffer.from(encodeTron({ ...TRON_DRAFT, ...change })).toString("hex")}`;

/** The intent of the samples' wallet; by default a payment. */
export const tronIntent = (
  act: TransactionIntent["act"] = authorisedTron(TRX_TRANSFER),
): TransactionIntent => ({
  sender: TRON_SENDER,
  keys: [TRON_KEY.publicKey],
  act,
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
});

/** A transaction with the signature of the samples' key, and its id. */
export const withTronSignature = (unsigned: Uint8Array): OwnTransaction & { readonly txHash: string } => {
  const attached = TRON_FAMILY.attach(unsigned, [TRON_KEY.sign(tronDigest(unsigned))], [TRON_KEY.publicKey]);
  if (!attached.ok) throw new Error(attached.problem.message);
  return { unsigned, ...attached.value };
};
