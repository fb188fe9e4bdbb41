import {
  testAccount,
  XRPL_EDWARDS_DRAFT,
  XRPL_EDWARDS_KEY,
  XRPL_EDWARDS_SENDER,
  XRPL_RECIPIENT,
  XRPL_SENDER,
  xrplBytes,
  xrplBytesWithoutKey,
} from "@conclave/chains/testing";
import { openAgedXrpLedger, type ScriptedXrpLedger, WALLET_SAMPLES } from "@conclave/chains/testing/ledgers";
import { type KeyId, signatureIdSchema } from "@conclave/custody";
import { readSignature } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { activateKey } from "../testing/activate-key.ts";
import { describeExactBytes, PASSES } from "../testing/exact-bytes-suite.ts";
import {
  codeOf,
  enterWalletOn,
  type FamilyWorld,
  startFamilyWorld,
  walletOfKey,
} from "../testing/family-world.ts";
import { approverOf } from "../testing/people.ts";
import { ADDRESS, type World } from "../testing/world.ts";

const sample = WALLET_SAMPLES.Xrpl;
const { native } = sample;
const STRANGER = "rDNvjMc6LjtpR7BdfiSNvavUBjznhhmpNq";
const CLASSIC = "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59";
/** X-addresses of CLASSIC with the tag 1, for test networks and for the main network */
const WITH_TAG = "T719a5UwUCnEs54UsxG9CJYYDhwmFCvbJNZbi37gBGkRkbE";
const ON_MAIN = "X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu";

let family: FamilyWorld;
let world: World;
let network: string;
let rippled: ScriptedXrpLedger;
let edwards: Awaited<ReturnType<typeof walletOfKey>>;

beforeAll(async () => {
  rippled = await openAgedXrpLedger({ [XRPL_SENDER]: 5_000_000 });
  family = await startFamilyWorld(sample, rippled.url);
  ({ world, network } = family);
  edwards = await walletOfKey(world, network, "FROST-Ed25519", XRPL_EDWARDS_KEY.publicKey);
});
afterAll(async () => {
  await world.stop();
  await rippled.stop();
});

const ofEdwards = () => `/wallets/${edwards.id}`;

/** Bytes that signers refuse to read, in place of a payment's. */
const unreadable: readonly (readonly [string, string])[] = [
  ["that may arrive in part", xrplBytes({ flags: 0x8002_0000 })],
  ["with a byte too many", `${xrplBytes()}00`],
  ["of another type", xrplBytes().replace("0x120000", "0x120003")],
  ["with a place that a ticket would take", xrplBytes({ sequence: 0 })],
  ["to its own account", xrplBytes({ to: XRPL_SENDER })],
];

// runs before a transaction takes the first place
describe("a transaction of a caller's making on the XRP Ledger", () => {
  it("INV-9 names the account's next place", async () => {
    expect(codeOf(await family.broadcast(xrplBytes({ sequence: 499 })))).toEqual([409, "NonceUsed"]);
    expect(codeOf(await family.broadcast(xrplBytes({ sequence: 501 })))).toEqual([409, "NonceGap"]);
  });
});

describeExactBytes({
  sample,
  family: () => family,
  otherKey: { scheme: "Schnorr", curve: "secp256k1" },
  transfers: [
    {
      title: "the native coin, with a memo for the recipient's tag,",
      body: { ...native, memo: "77" },
      asset: { symbol: "XRP", decimals: 6, verified: true },
      content: { ...native, from: XRPL_SENDER, tag: 77 },
    },
    {
      title: "the native coin, to an address with its tag inside,",
      body: { ...native, to: WITH_TAG },
      asset: { symbol: "XRP", decimals: 6, verified: true },
      content: { to: CLASSIC, tag: 1 },
    },
  ],
  refusedTransfers: [
    ["AmountInvalid", { ...native, amount: "0" }],
    ["AmountInvalid", { ...native, amount: "1.5" }],
    ["AmountInvalid", { ...native, amount: "100000000000000001" }],
    [
      "AddressChecksum",
      { ...native, to: `${XRPL_RECIPIENT.slice(0, -1)}${XRPL_RECIPIENT.endsWith("a") ? "b" : "a"}` },
    ],
    ["AddressInvalid", { ...native, to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    ["AddressInvalid", { ...native, to: ON_MAIN }],
    ["AddressInvalid", { ...native, to: XRPL_SENDER }],
    ["MemoInvalid", { ...native, memo: "hello" }],
    ["MemoInvalid", { ...native, memo: "4294967296" }],
    ["MemoInvalid", { ...native, to: WITH_TAG, memo: "2" }],
    ["PriorityNotSupported", { ...native, priority: "Standard" }],
    ["InvalidBody", { ...native, memo: "a memo" }],
    ["InvalidBody", { ...native, destinationTag: 5 }],
    ["TransferKindNotSupported", { kind: "Erc20", contract: ADDRESS, to: XRPL_RECIPIENT, amount: "1" }],
    ["TransferKindNotSupported", { kind: "Sep41", issuer: "x", assetCode: "x", to: "x", amount: "1" }],
  ],
  place: 500n,
  bytes: [
    ["as it is", xrplBytes()],
    ["without its key, as the official SDK writes it for others to sign", xrplBytesWithoutKey()],
  ],
  refusedBytes: [
    ["TransactionInvalid", "of another account", xrplBytes({ from: STRANGER })],
    [
      "TransactionInvalid",
      "with another key",
      xrplBytes({ signingPubKey: XRPL_EDWARDS_DRAFT.signingPubKey }),
    ],
    ["TransactionInvalid", "of another chain", xrplBytes({ networkId: 21_337 })],
    ...unreadable.map(([name, bytes]) => ["TransactionUnreadable", name, bytes] as const),
  ],
  dearBytes: xrplBytes({ fee: 10_001n }),
  refusedSignatures: [
    ["InvalidBody", "of another chain", xrplBytes({ networkId: 21_337 })],
    ["InvalidBody", "with another key", xrplBytes(XRPL_EDWARDS_DRAFT)],
    ...unreadable.map(([title, bytes]) => ["TransactionUnreadable", title, bytes] as const),
  ],
  disguised: {
    asked: [{ kind: "Message", message: `0x53545800${xrplBytes(XRPL_EDWARDS_DRAFT).slice(2)}` }],
    plain: { kind: "Message", message: "0x53545820" },
    path: ofEdwards,
  },
  settled: [],
  holdings: [{ kind: "Native", symbol: "XRP", decimals: 6, balance: "5000000" }],
  history: [{ kind: "NativeTransfer", value: "9", symbol: "XRP", fee: "12", direction: "Out" }],
  whitelist: {
    title: "recipients count in their classic form, however either was written, and whatever the tag",
    addresses: [ON_MAIN],
    transfers: [
      [{ ...native, to: WITH_TAG, amount: "11" }, "Pending"],
      [{ ...native, to: CLASSIC, memo: "5", amount: "11" }, "Pending"],
      [{ ...native, amount: "11" }, "Rejected"],
    ],
    bytes: [],
    signatures: [
      [{ kind: "Transaction", transaction: xrplBytes() }, "Rejected"],
      [{ kind: "Transaction", transaction: xrplBytes({ to: CLASSIC }) }, PASSES],
    ],
  },
});

describe("a wallet on the XRP Ledger", () => {
  it("has the address of its key of Ed25519", () => {
    expect(edwards.address).toBe(XRPL_EDWARDS_SENDER);
  });
});

describe("INV-8 a key on the main and the test network, whose transactions name no chain", () => {
  const insertMainWallet = (keyId: KeyId) => enterWalletOn(world.database, world.caller, keyId, "XrpLedger");

  it("has a wallet on one of them, and signs nothing for the other", async () => {
    const keyId = await activateKey(world, "ECDSA", testAccount("0e".repeat(32)).publicKey);
    await insertMainWallet(keyId);
    const second = await world.call("POST", "/wallets", { network, signingKey: { id: keyId } });
    expect(codeOf(second)).toEqual([409, "KeyNetworkTaken"]);
    const body = { kind: "Transaction", transaction: xrplBytes(), network };
    expect(codeOf(await world.call("POST", `/keys/${keyId}/signatures`, body))).toEqual([
      409,
      "KeyNetworkTaken",
    ]);
  });

  it("judged when: wallet and key, release: signs nothing that waited until it had a wallet on the other", async () => {
    const keyId = await activateKey(world, "ECDSA", testAccount("0f".repeat(32)).publicKey);
    const { body: policy } = await world.call("POST", "/v2/policies", {
      name: "all wait",
      activityKind: "Wallets:Sign",
      rule: { kind: "AlwaysTrigger", configuration: {} },
      action: { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] },
    });
    const { body } = await world.call("POST", `/keys/${keyId}/signatures`, {
      kind: "Hash",
      hash: "5a".repeat(32),
      network,
    });
    const asked = z.object({ id: z.string(), status: z.string(), approvalId: z.string() }).parse(body);
    await insertMainWallet(keyId);
    const alice = await approverOf(world);
    const path = `/v2/policy-approvals/${asked.approvalId}/decisions`;
    expect((await alice.call("POST", path, { value: "Approved" })).status).toBe(200);
    await world.call("DELETE", `/v2/policies/${z.object({ id: z.string() }).parse(policy).id}`, {});
    const stored = await readSignature(world.database, signatureIdSchema.parse(asked.id));
    expect([asked.status, stored?.status, stored?.authorisation]).toEqual(["Pending", "Rejected", undefined]);
  });
});

describe("a signature for the XRP Ledger", () => {
  it.each([xrplBytes(XRPL_EDWARDS_DRAFT), xrplBytesWithoutKey(XRPL_EDWARDS_DRAFT)])(
    "INV-3 of a transaction is authorised whole, for signers to read: FROST-Ed25519",
    async (transaction) => {
      const { status, body } = await family.sign({ kind: "Transaction", transaction }, ofEdwards());
      expect(status).toBe(200);
      expect(await family.signatureOf(body)).toMatchObject({
        scheme: "FROST-Ed25519",
        content: {
          kind: "readable",
          family: "Xrpl",
          content: { kind: "transaction", network, transaction: transaction.slice(2) },
        },
      });
    },
  );
});
