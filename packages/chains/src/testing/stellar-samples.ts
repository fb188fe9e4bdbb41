import { networkSchema } from "@conclave/custody";
import type { OwnTransaction, TransactionIntent } from "../chain.ts";
import type { ExactTransaction } from "../rules/exact-act.ts";
import { STELLAR_FAMILY } from "../stellar/family.ts";
import type { StellarNetwork } from "../stellar/network.ts";
import type { StellarTransfer } from "../stellar/rules/act.ts";
import { stellarAddress } from "../stellar/rules/address.ts";
import { spellStellarToken } from "../stellar/rules/asset.ts";
import { decodeStellar, encodeStellar, type StellarDraft, stellarHash } from "../stellar/transaction.ts";
import { testEdwardsKey } from "./account.ts";
import { exactActs } from "./acts/authorised-acts.ts";

/** A whole private key in one process, which only tests have, and its account. */
export const STELLAR_SECRET: string = "0b".repeat(32);
export const STELLAR_RECIPIENT_SECRET: string = "0c".repeat(32);
export const STELLAR_TOKEN_SECRET: string = "0e".repeat(32);
export const STELLAR_KEY = testEdwardsKey(STELLAR_SECRET);
export const STELLAR_SENDER: string = stellarAddress(STELLAR_KEY.publicKey);
export const STELLAR_RECIPIENT: string = stellarAddress(testEdwardsKey(STELLAR_RECIPIENT_SECRET).publicKey);
/** The sequence number of an account that the second ledger created, and that has sent nothing. */
export const STELLAR_SEQUENCE: bigint = 2n << 32n;
/** An asset USDC from an issuer of these tests. */
export const STELLAR_TOKEN = {
  code: "USDC",
  issuer: stellarAddress(testEdwardsKey(STELLAR_TOKEN_SECRET).publicKey),
} as const;
export const STELLAR_TOKEN_SPELT: string = spellStellarToken(STELLAR_TOKEN);

export const STELLAR_TESTNET: StellarNetwork = {
  network: networkSchema.parse("StellarTestnet"),
  family: "Stellar",
  passphrase: "Test SDF Network ; September 2015",
  horizonUrl: "http://127.0.0.1:9",
  feeCap: "100000",
};

type StellarTransferOf<Kind> = Extract<StellarTransfer, { readonly kind: Kind }>;

const payment = { from: STELLAR_SENDER, to: STELLAR_RECIPIENT };
export const LUMEN_TRANSFER: StellarTransferOf<"Native"> = {
  kind: "Native",
  ...payment,
  amount: "15000000",
  memo: { kind: "id", id: "4711" },
};
export const SEP41_TRANSFER: StellarTransferOf<"Sep41"> = {
  kind: "Sep41",
  assetCode: STELLAR_TOKEN.code,
  issuer: STELLAR_TOKEN.issuer,
  ...payment,
  amount: "25000000",
};

const authorised = exactActs<StellarTransfer, ExactTransaction>(STELLAR_TESTNET.network, STELLAR_SENDER);
/** A transfer as the gateway authorises it. */
export const authorisedStellar = authorised.ofTransfer;
/** A caller's own bytes as the gateway authorises them. */
export const authorisedStellarBytes = authorised.ofBytes;

/** A trustline that a caller builds, for an account that has sent nothing. */
export const STELLAR_TRUSTLINE: StellarDraft = {
  from: STELLAR_SENDER,
  fee: 100n,
  sequence: STELLAR_SEQUENCE + 1n,
  minTime: 0n,
  maxTime: 2_000_000_200n,
  memo: { kind: "none" },
  operation: { kind: "changeTrust", token: STELLAR_TOKEN, limit: 1_000_000_000n },
};

/** A caller's own bytes, hex with 0x: a trustline, with changes. */
export const stellarBytes = (change: Partial<StellarDraft> = {}): string =>
  `0x${Buffer.from(encodeStellar({ ...STELLAR_TRUSTLINE, ...change })).toString("hex")}`;

/** The intent of the samples' wallet; by default a payment. */
export const stellarIntent = (
  act: TransactionIntent["act"] = authorisedStellar(LUMEN_TRANSFER),
  lowest = 0n,
): TransactionIntent => ({
  sender: STELLAR_SENDER,
  keys: [STELLAR_KEY.publicKey],
  act,
  priority: undefined,
  sequencing: { kind: "next", lowest },
});

/** A transaction with the signature of the samples' key, and its id. */
export const withStellarSignature = (
  unsigned: Uint8Array,
): OwnTransaction & { readonly txHash: string } & Pick<StellarDraft, "sequence" | "maxTime"> => {
  const decoded = decodeStellar(unsigned);
  if (!decoded.ok) throw new Error(decoded.problem.message);
  const { sequence, maxTime } = decoded.value;
  const signature = STELLAR_KEY.sign(stellarHash(STELLAR_TESTNET.passphrase, unsigned));
  const attached = STELLAR_FAMILY.attach(unsigned, [signature], [STELLAR_KEY.publicKey], STELLAR_TESTNET);
  if (!attached.ok) throw new Error(attached.problem.message);
  return { unsigned, ...attached.value, sequence, maxTime };
};
