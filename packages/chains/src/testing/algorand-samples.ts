import { networkSchema } from "@conclave/custody";
import { base64 } from "@scure/base";
import { ALGORAND_FAMILY } from "../algorand/family.ts";
import type { AlgorandNetwork } from "../algorand/network.ts";
import type { AlgorandTransfer } from "../algorand/rules/act.ts";
import { algorandAddress } from "../algorand/rules/address.ts";
import { bytesToSign } from "../algorand/transaction.ts";
import { encodeWire } from "../algorand/wire.ts";
import type { OwnTransaction, TransactionIntent } from "../chain.ts";
import type { ExactTransaction } from "../rules/exact-act.ts";
import { testEdwardsKey } from "./account.ts";
import { exactActs } from "./acts/authorised-acts.ts";

/** A whole private key in one process, which only tests have, and its account. */
export const ALGORAND_KEY = testEdwardsKey("0b".repeat(32));
export const ALGORAND_SENDER: string = algorandAddress(ALGORAND_KEY.publicKey);
export const ALGORAND_RECIPIENT_KEY = testEdwardsKey("0c".repeat(32));
export const ALGORAND_RECIPIENT: string = algorandAddress(ALGORAND_RECIPIENT_KEY.publicKey);
/** The asset that `issueAlgorandAsset` creates on a ledger. */
export const ASSET_ID = "1002";

/** The entry of a simulated ledger's chain, under the test network's name. */
export const ALGORAND_TESTNET: AlgorandNetwork = {
  network: networkSchema.parse("AlgorandTestnet"),
  family: "Algorand",
  genesisId: "testnet-v1.0",
  genesisHash: "TT+u/lVaRvDSvnErYjFIv51zWRrabLDy/62RcbMia/4=",
  algodUrl: "http://127.0.0.1:9",
  feeCap: "100000",
};

type AlgorandTransferOf<Kind> = Extract<AlgorandTransfer, { readonly kind: Kind }>;

const payment = { from: ALGORAND_SENDER, to: ALGORAND_RECIPIENT };
export const ALGO_TRANSFER: AlgorandTransferOf<"Native"> = { kind: "Native", ...payment, amount: "1500000" };
export const ASA_TRANSFER: AlgorandTransferOf<"Asa"> = {
  kind: "Asa",
  assetId: ASSET_ID,
  ...payment,
  amount: "2500000",
};

const authorised = exactActs<AlgorandTransfer, ExactTransaction>(ALGORAND_TESTNET.network, ALGORAND_SENDER);
/** A transfer as the gateway authorises it. */
export const authorisedAlgorand = authorised.ofTransfer;
/** A caller's own bytes as the gateway authorises them. */
export const authorisedAlgorandBytes = authorised.ofBytes;

/**
 * A caller's own bytes, hex with 0x: an opt-in to the asset. Its fields have their names on the wire, so that a test can add
 * unknown fields.
 */
export const algorandBytes = (change: Readonly<Record<string, unknown>> = {}): string => {
  const { publicKey } = ALGORAND_KEY;
  const fields = {
    arcv: publicKey,
    fee: 1_000n,
    fv: 1n,
    gen: ALGORAND_TESTNET.genesisId,
    gh: base64.decode(ALGORAND_TESTNET.genesisHash),
    lv: 1_001n,
    snd: publicKey,
    type: "axfer",
    xaid: BigInt(ASSET_ID),
  };
  return `0x${Buffer.from(encodeWire({ ...fields, ...change })).toString("hex")}`;
};

/** A transaction with the signature of the samples' key, and its id. */
export const signedAlgorand = (unsigned: Uint8Array): OwnTransaction & { readonly txHash: string } => {
  const { sign, publicKey } = ALGORAND_KEY;
  const attached = ALGORAND_FAMILY.attach(unsigned, [sign(bytesToSign(unsigned))], [publicKey]);
  if (!attached.ok) throw new Error(attached.problem.message);
  return { unsigned, ...attached.value };
};

/** The intent of the samples' account; by default a payment. */
export const algorandIntent = (
  act: TransactionIntent["act"] = authorisedAlgorand(ALGO_TRANSFER),
): TransactionIntent => ({
  sender: ALGORAND_SENDER,
  keys: [ALGORAND_KEY.publicKey],
  act,
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
});
