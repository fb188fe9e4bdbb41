import {
  testAccount,
  XRPL_EDWARDS_DRAFT,
  XRPL_EDWARDS_KEY,
  XRPL_EDWARDS_SENDER,
  XRPL_KEY,
  XRPL_RECIPIENT,
  XRPL_SENDER,
  XRPL_TESTNET,
  xrplBytes,
  xrplBytesWithoutKey,
} from "@conclave/chains/testing";
import { openAgedXrpLedger, type ScriptedXrpLedger } from "@conclave/chains/testing/ledgers";
import { type KeyId, networkSchema, sharesTransactions, signatureIdSchema } from "@conclave/custody";
import { readSignature } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { activateKey } from "../testing/activate-key.ts";
import { transferOf } from "../testing/bodies.ts";
import {
  type ExactBytesCase,
  itHasNoPriorities,
  itRefusesBytes,
  itRefusesTransfers,
  itRefusesWallets,
  itSignsWhole,
  itTriggersWithoutPrice,
} from "../testing/exact-bytes-suite.ts";
import {
  codeOf,
  enterWalletOn,
  type FamilyWorld,
  startFamilyWorld,
  statusOf,
  walletOfKey,
} from "../testing/family-world.ts";
import { approverOf } from "../testing/people.ts";
import { ADDRESS, type World } from "../testing/world.ts";

const { network } = XRPL_TESTNET;
const STRANGER = "rDNvjMc6LjtpR7BdfiSNvavUBjznhhmpNq";
/** of r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59 with the tag 1, on test networks and on the main one */
const WITH_TAG = "T719a5UwUCnEs54UsxG9CJYYDhwmFCvbJNZbi37gBGkRkbE";
const ON_MAIN = "X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu";

const walletSchema = z.object({ id: z.string(), address: z.string() });

let family: FamilyWorld;
let world: World;
let rippled: ScriptedXrpLedger;
let edwards: z.infer<typeof walletSchema>;

beforeAll(async () => {
  rippled = await openAgedXrpLedger({ [XRPL_SENDER]: 5_000_000 });
  family = await startFamilyWorld({ ...XRPL_TESTNET, rippledUrl: rippled.url }, "ECDSA", XRPL_KEY);
  world = family.world;
  edwards = await walletOfKey(world, network, "FROST-Ed25519", XRPL_EDWARDS_KEY.publicKey);
});
afterAll(async () => {
  await world.stop();
  await rippled.stop();
});

const native = { kind: "Native" as const, to: XRPL_RECIPIENT, amount: "1500000" };
const send = (body: object) => family.send(body);

/** Bytes that signers do not read, in place of a payment's. */
const unreadable: readonly (readonly [string, string])[] = [
  ["that may arrive in part", xrplBytes({ flags: 0x8002_0000 })],
  ["with a byte too many", `${xrplBytes()}00`],
  ["of another type", xrplBytes().replace("0x120000", "0x120003")],
  ["with a place that a ticket would take", xrplBytes({ sequence: 0 })],
  ["to its own account", xrplBytes({ to: XRPL_SENDER })],
];

const CASE: ExactBytesCase = {
  family: () => family,
  address: XRPL_SENDER,
  unserved: "XrpLedger",
  otherKey: { scheme: "Schnorr", curve: "secp256k1" },
  native,
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
};

describe("a wallet on the XRP Ledger", () => {
  itRefusesWallets(CASE);

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

  it("is free to have wallets of other families", () => {
    const [xrpl, evm, other] = ["XrpLedger", "Ethereum", "EthereumSepolia"].map((name) =>
      networkSchema.parse(name),
    );
    if (xrpl === undefined || evm === undefined || other === undefined) throw new Error("they are networks");
    const [bitcoin, testnet] = ["Bitcoin", "BitcoinTestnet3"].map((name) => networkSchema.parse(name));
    if (bitcoin === undefined || testnet === undefined) throw new Error("they are networks");
    expect([sharesTransactions(bitcoin, testnet), sharesTransactions(bitcoin, xrpl)]).toEqual([true, false]);
    const [solana, devnet] = ["Solana", "SolanaDevnet"].map((name) => networkSchema.parse(name));
    if (solana === undefined || devnet === undefined) throw new Error("they are networks");
    expect([sharesTransactions(solana, devnet), sharesTransactions(solana, xrpl)]).toEqual([true, false]);
    expect([
      sharesTransactions(xrpl, evm),
      sharesTransactions(evm, other),
      sharesTransactions(evm, evm),
    ]).toEqual([false, false, true]);
  });
});

describe("a transfer on the XRP Ledger", () => {
  it("is authorised with its sender, and the memo as the recipient's tag", async () => {
    const { status, body } = await send({ ...native, memo: "77" });
    expect([status, body]).toMatchObject([
      200,
      {
        network,
        status: "Pending",
        metadata: { asset: { symbol: "XRP", decimals: 6, verified: true } },
        requestBody: { memo: "77" },
      },
    ]);
    expect((await family.actOf(body)).kind).toBe("transfer");
    expect(await family.actOf(body)).toMatchObject({
      version: 2,
      network,
      cosigners: [],
      transfer: { kind: "Native", from: XRPL_SENDER, to: XRPL_RECIPIENT, amount: "1500000", tag: 77 },
    });
  });

  it("to an address with its tag inside is authorised for the account and the tag", async () => {
    const { body } = await send({ ...native, to: WITH_TAG });
    expect(await family.actOf(body)).toMatchObject({
      transfer: { to: "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59", tag: 1 },
    });
  });

  itRefusesTransfers(CASE);
});

describe("a transaction of a caller's making on the XRP Ledger", () => {
  const broadcast = (transaction: string) => family.broadcast(transaction);

  it("INV-9 names the account's next place", async () => {
    expect(codeOf(await broadcast(xrplBytes({ sequence: 499 })))).toEqual([409, "NonceUsed"]);
    expect(codeOf(await broadcast(xrplBytes({ sequence: 501 })))).toEqual([409, "NonceGap"]);
  });

  it.each([
    ["as it is", xrplBytes()],
    ["without its key, as the official SDK writes it for others to sign", xrplBytesWithoutKey()],
  ])("is accepted %s", async (_, transaction) => {
    const { status, body } = await broadcast(transaction);
    expect([status, body]).toMatchObject([
      200,
      { network, requestBody: { kind: "Transaction", transaction } },
    ]);
  });

  itRefusesBytes(CASE);

  it("INV-9 takes nothing's place", async () => {
    const { body } = await send({ ...native, amount: "7" });
    const { id } = transferOf(body);
    await world.database.execute(
      `update chain_requests set status = 'Broadcasted', unsigned_transaction = $2, signed_transaction = $2,
         sequence = 500, tx_hash = $1 where id = $1`,
      [id, Uint8Array.of(1)],
    );
    for (const verb of ["speed-up", "cancel"]) {
      const answer = await world.call("POST", `${family.path}/transfers/${id}/${verb}`);
      expect([verb, ...codeOf(answer)]).toEqual([verb, 400, "TransactionKindNotSupported"]);
    }
    expect(codeOf(await broadcast(xrplBytes()))).toEqual([400, "TransactionKindNotSupported"]);
  });
});

describe("a signature for the XRP Ledger", () => {
  const sign = (body: object, from?: string) => family.sign(body, from);
  const ofEdwards = () => `/wallets/${edwards.id}`;

  itSignsWhole(
    () => family,
    "Xrpl",
    "ECDSA",
    () => xrplBytes(),
  );

  it.each([xrplBytes(XRPL_EDWARDS_DRAFT), xrplBytesWithoutKey(XRPL_EDWARDS_DRAFT)])(
    "INV-3 of a transaction is authorised whole, for signers to read: FROST-Ed25519",
    async (transaction) => {
      const { status, body } = await sign({ kind: "Transaction", transaction }, ofEdwards());
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

  it.each<readonly [string, string, string]>([
    ["InvalidBody", "of another chain", xrplBytes({ networkId: 21_337 })],
    ["InvalidBody", "with another key", xrplBytes(XRPL_EDWARDS_DRAFT)],
    ...unreadable.map(([name, bytes]) => ["TransactionUnreadable", name, bytes] as const),
  ])("INV-9 is refused with %s when it is of a transaction %s", async (code, _, transaction) => {
    expect(codeOf(await sign({ kind: "Transaction", transaction }))).toEqual([400, code]);
  });

  it("INV-3 is not of a transaction that calls itself a message, by the wallet or by its key", async () => {
    const message = `0x53545800${xrplBytes(XRPL_EDWARDS_DRAFT).slice(2)}`;
    const { body } = await world.call("GET", ofEdwards());
    const { signingKey } = z.object({ signingKey: z.object({ id: z.string() }) }).parse(body);
    for (const from of [ofEdwards(), `/keys/${signingKey.id}`]) {
      expect(codeOf(await sign({ kind: "Message", message }, from))).toEqual([400, "TransactionUnreadable"]);
    }
    expect((await sign({ kind: "Message", message: "0x53545820" }, ofEdwards())).status).toBe(200);
  });
});

describe("what is read of a wallet on the XRP Ledger", () => {
  it("are its coin, and nothing else", async () => {
    const { status, body } = await world.call("GET", `${family.path}/assets`);
    expect([status, body]).toMatchObject([
      200,
      { assets: [{ kind: "Native", symbol: "XRP", decimals: 6, balance: "5000000" }] },
    ]);
    expect((await world.call("GET", `${family.path}/nfts`)).body).toMatchObject({ nfts: [] });
  });

  it("is its history", async () => {
    const { id } = transferOf((await send({ ...native, amount: "9" })).body);
    await world.database.execute(
      `update chain_requests set status = 'Confirmed', tx_hash = $2, block_number = 5, fee = '12',
         date_broadcasted = now(), date_confirmed = now() where id = $1`,
      [id, id],
    );
    const { body } = await world.call("GET", `${family.path}/history`);
    expect(body).toMatchObject({
      items: [{ kind: "NativeTransfer", value: "9", symbol: "XRP", fee: "12", direction: "Out" }],
    });
  });

  itHasNoPriorities(() => family);
});

describe("INV-8 policies on the XRP Ledger", () => {
  const sign = (transaction: string) =>
    world.call("POST", `${family.path}/signatures`, { kind: "Transaction", transaction });

  it("compare recipients in their classic form, however either was written, and whatever the tag", async () => {
    await family.under("TransactionRecipientWhitelist", { addresses: [ON_MAIN] }, async () => {
      expect(await statusOf(send({ ...native, to: WITH_TAG, amount: "11" }))).toBe("Pending");
      const classic = { ...native, to: "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59", memo: "5" };
      expect(await statusOf(send({ ...classic, amount: "11" }))).toBe("Pending");
      expect(await statusOf(send({ ...native, amount: "11" }))).toBe("Rejected");
      expect(await statusOf(sign(xrplBytes()))).toBe("Rejected");
      expect(await statusOf(sign(xrplBytes({ to: classic.to })))).not.toBe("Rejected");
    });
  });

  itTriggersWithoutPrice(CASE);
});
