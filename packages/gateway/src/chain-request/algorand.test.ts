import {
  ALGORAND_KEY,
  ALGORAND_RECIPIENT,
  ALGORAND_SENDER,
  ASSET_ID,
  algorandAddress,
  algorandBytes,
} from "@conclave/chains/testing";
import {
  issueAlgorandAsset,
  openScriptedLedger,
  type ScriptedLedger,
  WALLET_SAMPLES,
} from "@conclave/chains/testing/ledgers";
import { afterAll, beforeAll } from "vitest";
import { describeExactBytes, PASSES } from "../testing/exact-bytes-suite.ts";
import { type FamilyWorld, startFamilyWorld } from "../testing/family-world.ts";
import { ADDRESS } from "../testing/world.ts";

const sample = WALLET_SAMPLES.Algorand;
const { native } = sample;
const [asa] = sample.tokens;

let family: FamilyWorld;
let ledger: ScriptedLedger;

beforeAll(async () => {
  ledger = await openScriptedLedger("Algorand", "testnet-v1.0");
  const issuer = await issueAlgorandAsset(ledger);
  // for the fee of the opt-in
  await ledger.fund(ALGORAND_SENDER, 5_001_000);
  await issuer.optIn(ALGORAND_KEY);
  await issuer.send(ALGORAND_SENDER, 2n ** 64n - 1n);
  family = await startFamilyWorld(sample, ledger.node.url);
});
afterAll(async () => {
  await family.world.stop();
  await ledger.stop();
});

const OTHER_KEY = new Uint8Array(32).fill(9);
const OTHER_ADDRESS = algorandAddress(OTHER_KEY);
const OTHER_CHAIN = new Uint8Array(32).fill(8);
/** Bytes that signers refuse to read, at least for this wallet. */
const REFUSED: readonly (readonly [string, object])[] = [
  ["that hands the account over", { rekey: OTHER_KEY }],
  ["that closes the holding", { aclose: OTHER_KEY }],
  ["that claws back", { asnd: OTHER_KEY }],
  ["of a group", { grp: OTHER_KEY }],
  ["with a note", { note: Uint8Array.of(1) }],
  ["of another type", { type: "keyreg" }],
  ["valid for too long", { lv: 1_002n }],
];
const bytesOf = ([title, change]: (typeof REFUSED)[number]) => [title, algorandBytes({ ...change })] as const;

describeExactBytes({
  sample,
  family: () => family,
  otherKey: { scheme: "ECDSA", curve: "secp256k1" },
  transfers: [
    {
      title: "the native coin",
      body: native,
      asset: { symbol: "ALGO", decimals: 6, verified: true },
    },
    { title: "an asset", body: asa, asset: { symbol: "USDC", decimals: 6, verified: false } },
  ],
  refusedTransfers: [
    ["AmountInvalid", { ...native, amount: "0" }],
    ["AmountInvalid", { ...native, amount: "18446744073709551616" }],
    ["AmountInvalid", { ...asa, amount: "1.5" }],
    ["TokenIdInvalid", { ...asa, assetId: "USDC" }],
    ["TokenIdInvalid", { ...asa, assetId: "0" }],
    ["AddressChecksum", { ...native, to: `A${ALGORAND_RECIPIENT.slice(1)}` }],
    ["AddressInvalid", { ...asa, to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    ["AddressInvalid", { ...native, to: ALGORAND_RECIPIENT.toLowerCase() }],
    ["PriorityNotSupported", { ...native, priority: "Standard" }],
    ["MemoNotSupported", { ...native, memo: "7" }],
    ["InvalidBody", { ...asa, priority: "Fast" }],
    ["InvalidBody", { ...asa, memo: "7" }],
    ["InvalidBody", { ...native, closeRemainderTo: ALGORAND_RECIPIENT }],
    ["TransferKindNotSupported", { kind: "Erc20", contract: ADDRESS, to: ALGORAND_RECIPIENT, amount: "1" }],
    ["TransferKindNotSupported", { kind: "Sep41", issuer: "x", assetCode: "x", to: "x", amount: "1" }],
  ],
  outage: { node: () => ledger.node, body: { ...asa, amount: "6" }, asset: {} },
  bytes: [["as it is, such as an opt-in to an asset", algorandBytes()]],
  refusedBytes: [
    ["TransactionInvalid", "of another account", algorandBytes({ snd: OTHER_KEY })],
    ["TransactionInvalid", "of another chain", algorandBytes({ gh: OTHER_CHAIN })],
    ["TransactionInvalid", "of another chain's name", algorandBytes({ gen: "mainnet-v1.0" })],
    ...REFUSED.map((each) => ["TransactionUnreadable", ...bytesOf(each)] as const),
  ],
  dearBytes: algorandBytes({ fee: 100_001n }),
  refusedSignatures: [
    ["InvalidBody", "of another chain", algorandBytes({ gh: OTHER_CHAIN })],
    ...REFUSED.map((each) => ["TransactionUnreadable", ...bytesOf(each)] as const),
  ],
  disguised: {
    asked: [{ kind: "Message", message: `0x5458${algorandBytes().slice(2)}` }],
    plain: { kind: "Message", message: "0x54582068656c6c6f" },
  },
  settled: [{ ...asa, amount: "8" }],
  holdings: [
    { kind: "Native", symbol: "ALGO", decimals: 6, balance: "5000000" },
    { kind: "Asa", assetId: ASSET_ID, symbol: "USDC", decimals: 6, balance: "18446744073709551615" },
  ],
  history: [
    { kind: "NativeTransfer", value: "9", symbol: "ALGO", fee: "1000", direction: "Out" },
    { kind: "AsaTransfer", assetId: ASSET_ID, value: "8", symbol: "USDC", decimals: 6 },
  ],
  whitelist: {
    title: "an opt-in leaves the wallet nothing",
    addresses: [ALGORAND_RECIPIENT],
    transfers: [
      [{ ...native, amount: "11" }, "Pending"],
      [{ ...asa, to: OTHER_ADDRESS, amount: "11" }, "Rejected"],
    ],
    bytes: [
      [algorandBytes({ arcv: OTHER_KEY, aamt: 5n }), "Rejected"],
      [algorandBytes({ fv: 2n }), PASSES],
    ],
    signatures: [[{ kind: "Message", message: "0x6869" }, "Rejected"]],
  },
});
