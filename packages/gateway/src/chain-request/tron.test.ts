import { TRON_RECIPIENT, TRON_SENDER, TRON_TOKEN, testAccount, tronBytes } from "@conclave/chains/testing";
import {
  makeTronTokens,
  openTronLedger,
  type ScriptedTronLedger,
  TRON_TOKENS,
  WALLET_SAMPLES,
} from "@conclave/chains/testing/ledgers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { activateKey } from "../testing/activate-key.ts";
import { describeExactBytes, PASSES } from "../testing/exact-bytes-suite.ts";
import { codeOf, enterWalletOn, type FamilyWorld, startFamilyWorld } from "../testing/family-world.ts";
import { ADDRESS, type World } from "../testing/world.ts";

const sample = WALLET_SAMPLES.Tron;
const STRANGER = "TPL66VK2gCXNCD7EJg9pgJRfqcRazjhUZY";

let family: FamilyWorld;
let world: World;
let ledger: ScriptedTronLedger;

beforeAll(async () => {
  ledger = await openTronLedger();
  await makeTronTokens(ledger);
  ledger.node.changes("/wallet/getaccount", (account) => ({
    ...account,
    assetV2: [{ key: TRON_TOKENS.trc10, value: 2n ** 63n - 1n }],
  }));
  family = await startFamilyWorld(sample, ledger.node.url);
  world = family.world;
});
afterAll(async () => {
  await world.stop();
  await ledger.stop();
});

const { native } = sample;
const [trc10, trc20, trc721] = sample.tokens;

/** A payment from another account than the wallet's. */
const OTHERS = { type: "TransferContract", from: STRANGER, to: TRON_RECIPIENT, amount: 5n } as const;
/**
 * A transaction with a note (field 10) after the other fields: the canonical encoding puts it elsewhere, and
 * the reader refuses any note.
 */
const NOTED = `${tronBytes()}52026869`;
const CALLING = {
  type: "TriggerSmartContract",
  from: TRON_SENDER,
  contract: TRON_TOKEN,
  call: { function: "transfer", to: STRANGER, amount: 5n },
} as const;

describeExactBytes({
  sample,
  family: () => family,
  otherKey: { scheme: "EdDSA", curve: "ed25519" },
  transfers: [
    { title: "TRX", body: native, asset: { symbol: "TRX", decimals: 6, verified: true } },
    { title: "a TRC-10 token", body: trc10, asset: { symbol: "DEV", decimals: 2, verified: false } },
    { title: "a TRC-20 token", body: trc20, asset: { symbol: "DEV", decimals: 6, verified: false } },
    { title: "a TRC-721 token", body: trc721, asset: {} },
  ],
  refusedTransfers: [
    ["AmountInvalid", { ...native, amount: "0" }],
    ["AmountInvalid", { ...native, amount: "9223372036854775808" }],
    ["AmountInvalid", { ...trc10, amount: "1.5" }],
    ["AmountInvalid", { ...trc20, amount: "-1" }],
    ["TokenIdInvalid", { ...trc10, tokenId: "USDT" }],
    ["TokenIdInvalid", { ...trc721, tokenId: "x" }],
    [
      "AddressChecksum",
      { ...native, to: `${TRON_RECIPIENT.slice(0, -1)}${TRON_RECIPIENT.endsWith("Z") ? "Y" : "Z"}` },
    ],
    ["AddressInvalid", { ...trc20, to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    ["AddressInvalid", { ...trc20, contract: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    ["AddressInvalid", { ...native, to: TRON_SENDER }],
    ["PriorityNotSupported", { ...native, priority: "Standard" }],
    ["MemoNotSupported", { ...native, memo: "7" }],
    ["InvalidBody", { ...trc10, priority: "Fast" }],
    ["InvalidBody", { ...trc20, memo: "7" }],
    ["InvalidBody", { ...trc721, feeLimit: "7" }],
    ["TransferKindNotSupported", { kind: "Erc20", contract: ADDRESS, to: TRON_RECIPIENT, amount: "1" }],
  ],
  outage: { node: () => ledger.node, body: { ...trc20, amount: "6" }, asset: {} },
  bytes: [["as it is, a transfer of TRX", tronBytes()]],
  refusedBytes: [
    ["TransactionInvalid", "of another account", tronBytes({ contract: OTHERS })],
    ["TransactionUnreadable", "with a note", NOTED],
    ["TransactionUnreadable", "without its last byte", tronBytes().slice(0, -2)],
    ["TransactionUnreadable", "without an expiration", tronBytes({ expirationMs: 0n })],
  ],
  dearBytes: tronBytes({ feeLimit: 100_000_001n }),
  refusedSignatures: [["TransactionUnreadable", "with a note", NOTED]],
  // the third transfer is to the wallet itself: according to the chain, it owns no piece with this number
  settled: [
    { ...trc10, amount: "8" },
    { ...trc20, amount: "8" },
    { ...trc721, to: TRON_SENDER, tokenId: "8" },
  ],
  holdings: [
    { kind: "Native", symbol: "TRX", decimals: 6, balance: "8866882400" },
    { kind: "Trc20", contract: trc20.contract, symbol: "DEV", decimals: 6, balance: "10000000" },
    { kind: "Trc10", tokenId: trc10.tokenId, symbol: "DEV", decimals: 2, balance: "9223372036854775807" },
  ],
  history: [
    { kind: "NativeTransfer", value: "9", symbol: "TRX", fee: "1100000", direction: "Out" },
    { kind: "Trc721Transfer", contract: trc721.contract, tokenId: "8" },
    { kind: "Trc20Transfer", contract: trc20.contract, value: "8", symbol: "DEV", decimals: 6 },
    { kind: "Trc10Transfer", tokenId: trc10.tokenId, value: "8", symbol: "DEV", decimals: 2 },
  ],
  whitelist: {
    title: "a call pays whom it names",
    addresses: [TRON_RECIPIENT],
    transfers: [
      [{ ...native, amount: "11" }, "Pending"],
      [{ ...trc20, to: STRANGER, amount: "11" }, "Rejected"],
      [{ ...trc721, to: STRANGER }, "Rejected"],
    ],
    bytes: [
      [tronBytes({ contract: CALLING }), "Rejected"],
      [tronBytes({ timestampMs: 5n }), PASSES],
    ],
    signatures: [[{ kind: "Hash", hash: "5a".repeat(32) }, "Rejected"]],
  },
});

describe("INV-8 a key on TRON's main and test network, whose transactions name a chain that no signer knows", () => {
  it("has a wallet on one of them, and signs nothing for the other", async () => {
    const keyId = await activateKey(world, "ECDSA", testAccount("0d".repeat(32)).publicKey);
    await enterWalletOn(world.database, world.caller, keyId, "Tron");
    const taken = [409, "KeyNetworkTaken"];
    const second = await world.call("POST", "/wallets", {
      network: family.network,
      signingKey: { id: keyId },
    });
    expect(codeOf(second)).toEqual(taken);
    const body = { ...family.bodyOf(tronBytes()), network: family.network };
    expect(codeOf(await world.call("POST", `/keys/${keyId}/signatures`, body))).toEqual(taken);
  });
});

describe("the pieces of collections that a wallet on TRON holds", () => {
  it("are those that it owns now", async () => {
    await family.settle({ ...trc721, to: TRON_SENDER }, "0");
    expect((await world.call("GET", `${family.path}/nfts`)).body).toEqual({
      walletId: family.wallet.id,
      network: family.network,
      nfts: [{ kind: "Trc721", contract: trc721.contract, symbol: "DEVC", tokenId: "7" }],
    });
  });
});
