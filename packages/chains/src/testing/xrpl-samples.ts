import { networkSchema } from "@conclave/custody";
import type { OwnTransaction } from "../chain.ts";
import { XRPL_FAMILY } from "../xrpl/family.ts";
import type { XrplNetwork } from "../xrpl/network.ts";
import type { XrplTransaction, XrplTransfer } from "../xrpl/rules/act.ts";
import { xrplAddress, xrplPublicKey } from "../xrpl/rules/address.ts";
import {
  decodeXrpl,
  encodeXrpl,
  FULLY_CANONICAL,
  type XrplDraft,
  xrplSignable,
} from "../xrpl/transaction.ts";
import { decodeXrplWire, encodeXrplWire } from "../xrpl/wire.ts";
import { testAccount, testEdwardsKey } from "./account.ts";
import { exactActs } from "./acts/authorised-acts.ts";

/** Whole private keys in one process, which only tests have, one of each kind, with their accounts. */
export const XRPL_KEY = testAccount("0b".repeat(32));
export const XRPL_EDWARDS_KEY = testEdwardsKey("0b".repeat(32));
export const XRPL_SENDER: string = xrplAddress(XRPL_KEY.publicKey);
export const XRPL_EDWARDS_SENDER: string = xrplAddress(XRPL_EDWARDS_KEY.publicKey);
export const XRPL_RECIPIENT: string = xrplAddress(testEdwardsKey("0c".repeat(32)).publicKey);

export const XRPL_TESTNET: XrplNetwork = {
  network: networkSchema.parse("XrpLedgerTestnet"),
  family: "Xrpl",
  networkId: 1,
  rippledUrl: "http://127.0.0.1:9",
  feeCap: "10000",
};

export const XRP_TRANSFER: XrplTransfer = {
  kind: "Native",
  from: XRPL_SENDER,
  to: XRPL_RECIPIENT,
  amount: "1500000",
  tag: 7,
};

/** A transaction that the service may build for that transfer. */
export const XRPL_DRAFT: XrplDraft = {
  networkId: undefined,
  flags: FULLY_CANONICAL,
  sourceTag: undefined,
  sequence: 500,
  destinationTag: 7,
  lastLedger: 1_050,
  amount: 1_500_000n,
  fee: 12n,
  signingPubKey: XRPL_KEY.publicKey,
  from: XRPL_SENDER,
  to: XRPL_RECIPIENT,
};

/** Like `XRPL_DRAFT`, from the Ed25519 key's account. */
export const XRPL_EDWARDS_DRAFT: XrplDraft = {
  ...XRPL_DRAFT,
  signingPubKey: xrplPublicKey(XRPL_EDWARDS_KEY.publicKey),
  from: XRPL_EDWARDS_SENDER,
};

const authorised = exactActs<XrplTransfer, XrplTransaction>(XRPL_TESTNET.network, XRPL_SENDER);
/** A transfer as the gateway authorises it. */
export const authorisedXrpl = authorised.ofTransfer;
/** A caller's own bytes as the gateway authorises them. */
export const authorisedXrplBytes = authorised.ofBytes;

/** A caller's own bytes, hex with 0x: a payment of the secp256k1 account. */
export const xrplBytes = (change: Partial<XrplDraft> = {}): string =>
  `0x${Buffer.from(encodeXrpl({ ...XRPL_DRAFT, ...change })).toString("hex")}`;

/** A payment without the signing key, as users of the official SDK build it who do not sign it themselves. */
export const xrplBytesWithoutKey = (change: Partial<XrplDraft> = {}): string => {
  const decoded = decodeXrplWire(encodeXrpl({ ...XRPL_DRAFT, ...change }));
  if (!decoded.ok) throw new TypeError(decoded.why);
  const fields = { ...decoded.fields, SigningPubKey: undefined };
  return `0x${Buffer.from(encodeXrplWire(fields)).toString("hex")}`;
};

/** A transaction with the signature of the samples' secp256k1 key, and its id. */
export const withXrplSignature = (
  unsigned: Uint8Array,
): OwnTransaction & { readonly txHash: string; readonly lastLedger: number } => {
  const decoded = decodeXrpl(unsigned);
  if (!decoded.ok) throw new Error(decoded.problem.message);
  const signature = XRPL_KEY.sign(xrplSignable(unsigned, decoded.value).bytes);
  const attached = XRPL_FAMILY.attach(unsigned, [signature], [XRPL_KEY.publicKey]);
  if (!attached.ok) throw new Error(attached.problem.message);
  return { unsigned, ...attached.value, lastLedger: decoded.value.lastLedger };
};
