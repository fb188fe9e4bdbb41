import { networkSchema } from "@conclave/custody";
import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToNumberLE, concatBytes, numberToBytesLE } from "@noble/curves/utils.js";
import { sha512 } from "@noble/hashes/sha2.js";
import type { OwnTransaction, TransactionIntent } from "../chain.ts";
import type { ExactTransaction } from "../rules/exact-act.ts";
import { SOLANA_FAMILY } from "../solana/family.ts";
import { messageOf, withSignature } from "../solana/message/message.ts";
import { SOLANA_SYSTEM_PROGRAM } from "../solana/message/programs.ts";
import type { SolanaNetwork } from "../solana/network.ts";
import type { SolanaTransfer } from "../solana/rules/act.ts";
import { solanaAddress } from "../solana/rules/address.ts";
import type { SolanaSituation } from "../solana/situation.ts";
import { associatedAccount } from "../solana/token/associated-account.ts";
import { encodeSolana, type SolanaDraft } from "../solana/transaction.ts";
import { testEdwardsKey } from "./account.ts";
import { exactActs } from "./acts/authorised-acts.ts";

const SECRET = "15".repeat(32);
/** A whole private key in one process, which only tests have, and its account. */
export const SOLANA_KEY = testEdwardsKey(SECRET);
export const SOLANA_SENDER: string = solanaAddress(SOLANA_KEY.publicKey);
export const SOLANA_RECIPIENT: string = solanaAddress(testEdwardsKey("16".repeat(32)).publicKey);
/** USDC of the development network. */
export const SOLANA_MINT = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU";
/** The sender's token account for it. */
export const SOLANA_TOKEN_ACCOUNT: string = associatedAccount(
  { kind: "Spl", mint: SOLANA_MINT },
  SOLANA_SENDER,
);
/** The rent-exempt minimum of an account without data, on every network. */
export const SOLANA_RENT = 890_880n;

export const SOLANA_DEVNET: SolanaNetwork = {
  network: networkSchema.parse("SolanaDevnet"),
  family: "Solana",
  genesisHash: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
  solanaUrl: "http://127.0.0.1:9",
  feeCap: "1000000",
};

type SolanaTransferOf<Kind> = Extract<SolanaTransfer, { readonly kind: Kind }>;

const payment = { from: SOLANA_SENDER, to: SOLANA_RECIPIENT };
export const SOL_TRANSFER: SolanaTransferOf<"Native"> = { kind: "Native", ...payment, amount: "1500000000" };
export const SPL_TRANSFER: SolanaTransferOf<"Spl"> = {
  kind: "Spl",
  mint: SOLANA_MINT,
  ...payment,
  amount: "2500000",
  createDestinationAccount: false,
};
export const SPL_2022_TRANSFER: SolanaTransferOf<"Spl2022"> = {
  ...SPL_TRANSFER,
  kind: "Spl2022",
  createDestinationAccount: true,
};

const authorised = exactActs<SolanaTransfer, ExactTransaction>(SOLANA_DEVNET.network, SOLANA_SENDER);
/** A transfer as the gateway authorises it. */
export const authorisedSolana = authorised.ofTransfer;
/** A caller's own bytes as the gateway authorises them. */
export const authorisedSolanaBytes = authorised.ofBytes;

/** A hash of a block. */
export const SOLANA_BLOCKHASH: string = solanaAddress(new Uint8Array(32).fill(7));

const holding = { mint: SOLANA_MINT, amount: 10_000_000n, isFrozen: false };

/** A situation in which every sample can be paid. */
export const SOLANA_SITUATION: SolanaSituation = {
  genesisHash: SOLANA_DEVNET.genesisHash,
  blockhash: SOLANA_BLOCKHASH,
  slot: 4_711n,
  isBlockhashValid: true,
  units: 20_000,
  price: undefined,
  sender: { lamports: 10_000_000_000n, program: SOLANA_SYSTEM_PROGRAM, rent: SOLANA_RENT },
  recipient: { lamports: SOLANA_RENT, program: SOLANA_SYSTEM_PROGRAM, rent: SOLANA_RENT },
  token: {
    mint: { decimals: 6, obstacle: undefined, freezesNew: false, holdingBytes: 165 },
    ofSender: { ...holding, owner: SOLANA_SENDER },
    ofRecipient: { ...holding, owner: SOLANA_RECIPIENT },
    creationCost: 2_039_280n,
  },
};

/** A caller's own bytes, hex with 0x: a payment. */
export const solanaBytes = (change: Partial<SolanaDraft> = {}): string => {
  const unsigned = encodeSolana({
    from: SOLANA_SENDER,
    blockhash: SOLANA_BLOCKHASH,
    instructions: [{ kind: "payment", ...payment, amount: 5n }],
    ...change,
  });
  return `0x${Buffer.from(unsigned).toString("hex")}`;
};

/** The intent of the samples' wallet; by default a payment. */
export const solanaIntent = (
  act: TransactionIntent["act"] = authorisedSolana(SOL_TRANSFER),
): TransactionIntent => ({
  sender: SOLANA_SENDER,
  keys: [SOLANA_KEY.publicKey],
  act,
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
});

/** A transaction with the signature of the samples' key, and its id. */
export const withSolanaSignature = (unsigned: Uint8Array): OwnTransaction & { readonly txHash: string } => {
  const signature = SOLANA_KEY.sign(messageOf(unsigned));
  const attached = SOLANA_FAMILY.attach(unsigned, [signature], [SOLANA_KEY.publicKey]);
  if (!attached.ok) throw new Error(attached.problem.message);
  return { unsigned, ...attached.value };
};

/** A second valid signature of the same message, with another signing nonce, as a second threshold session would make it. */
export const withOtherSolanaSignature = (unsigned: Uint8Array): Uint8Array => {
  const { Fn } = ed25519.Point;
  const { scalar } = ed25519.utils.getExtendedPublicKey(Buffer.from(SECRET, "hex"));
  const nonce = 123_456_789n;
  const commitment = ed25519.Point.BASE.multiply(nonce).toBytes();
  const signed = concatBytes(commitment, SOLANA_KEY.publicKey, messageOf(unsigned));
  const challenge = Fn.create(bytesToNumberLE(sha512(signed)));
  const response = Fn.create(nonce + challenge * scalar);
  return withSignature(unsigned, concatBytes(commitment, numberToBytesLE(response, 32)));
};
