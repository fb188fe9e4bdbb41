import { FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import {
  StubRippled,
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
import {
  authorisedActSchema,
  authorisedSignatureSchema,
  type KeyId,
  type KeyScheme,
  networkSchema,
  sharesTransactions,
  signatureIdSchema,
  transferIdSchema,
  userIdSchema,
  walletIdSchema,
} from "@conclave/custody";
import { freshId, insertWallet, readSignature, readTransfer } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { activateKey } from "../testing/activate-key.ts";
import { errorOf, transferOf } from "../testing/bodies.ts";
import { approverOf } from "../testing/people.ts";
import { ADDRESS, startWorld, type World } from "../testing/world.ts";

const { network } = XRPL_TESTNET;
const DATE = "2026-01-02T03:04:05.678Z";
const STRANGER = "rDNvjMc6LjtpR7BdfiSNvavUBjznhhmpNq";
/** of r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59 with the tag 1, on test networks and on the main one */
const WITH_TAG = "T719a5UwUCnEs54UsxG9CJYYDhwmFCvbJNZbi37gBGkRkbE";
const ON_MAIN = "X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu";

const walletSchema = z.object({ id: z.string(), address: z.string() });

let world: World;
let rippled: StubRippled;
let wallet: z.infer<typeof walletSchema>;
let edwards: z.infer<typeof walletSchema>;
let path: string;

beforeAll(async () => {
  rippled = await StubRippled.start();
  rippled.accounts.set(XRPL_SENDER, { balance: 5_000_000n, sequence: 500 });
  const [entry] = FAMILIES.networksSchema.parse([{ ...XRPL_TESTNET, rippledUrl: rippled.url }]);
  if (entry === undefined) throw new Error("the network is not enabled");
  world = await startWorld({ further: { family: FAMILIES.familyOf(network), node: NODES.connect(entry) } });
  const walletOf = async (scheme: KeyScheme, publicKey: Uint8Array) => {
    const signingKey = { id: await activateKey(world, scheme, publicKey) };
    const { body } = await world.call("POST", "/wallets", { network, signingKey });
    return walletSchema.parse(body);
  };
  wallet = await walletOf("ECDSA", XRPL_KEY.publicKey);
  edwards = await walletOf("FROST-Ed25519", XRPL_EDWARDS_KEY.publicKey);
  path = `/wallets/${wallet.id}`;
});
afterAll(async () => {
  await world.stop();
  await rippled.stop();
});

const codeOf = ({ status, body }: { readonly status: number; readonly body: unknown }) => [
  status,
  errorOf(body).details.code,
];
const native = { kind: "Native", to: XRPL_RECIPIENT, amount: "1500000" };
const send = (body: object) => world.call("POST", `${path}/transfers`, body);

const actOf = async (body: unknown) => {
  const stored = await readTransfer(world.database, transferIdSchema.parse(transferOf(body).id));
  const text = Buffer.from(stored?.authorisation?.payload ?? expect.fail("it is not authorised")).toString();
  return authorisedActSchema.parse(JSON.parse(text));
};

describe("a wallet on the XRP Ledger", () => {
  it("has the address of its key, of either kind", () => {
    expect([wallet.address, edwards.address]).toEqual([XRPL_SENDER, XRPL_EDWARDS_SENDER]);
  });

  it.each([
    ["KeyFormatMismatch", { network, signingKey: { scheme: "Schnorr", curve: "secp256k1" } }],
    ["NetworkNotEnabled", { network: "XrpLedger" }],
  ])("INV-9 is refused with %s: %j", async (code, body) => {
    expect(codeOf(await world.call("POST", "/wallets", body))).toEqual([400, code]);
  });
});

describe("INV-8 a key on the main and the test network, whose transactions name no chain", () => {
  const insertMainWallet = (keyId: KeyId) =>
    insertWallet(world.database, {
      id: freshId(walletIdSchema, "wa"),
      orgId: world.caller.orgId,
      keyId,
      name: undefined,
      network: networkSchema.parse("XrpLedger"),
      externalId: undefined,
      tags: [],
      requester: { userId: freshId(userIdSchema, "us") },
      requestBody: {},
      dateCreated: DATE,
      status: "Creating",
    });

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
    expect((await actOf(body)).kind).toBe("transfer");
    expect(await actOf(body)).toMatchObject({
      version: 2,
      network,
      cosigners: [],
      transfer: { kind: "Native", from: XRPL_SENDER, to: XRPL_RECIPIENT, amount: "1500000", tag: 77 },
    });
  });

  it("to an address with its tag inside is authorised for the account and the tag", async () => {
    const { body } = await send({ ...native, to: WITH_TAG });
    expect(await actOf(body)).toMatchObject({
      transfer: { to: "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59", tag: 1 },
    });
  });

  it.each([
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
  ])("INV-9 is refused with %s, and changes nothing: %j", async (code, body) => {
    const before = await world.rows();
    expect(codeOf(await send(body))).toEqual([400, code]);
    expect(await world.rows()).toBe(before);
  });
});

/** Bytes that signers do not read, in place of a payment's. */
const unreadable: readonly (readonly [string, string])[] = [
  ["that may arrive in part", xrplBytes({ flags: 0x8002_0000 })],
  ["with a byte too many", `${xrplBytes()}00`],
  ["of another type", xrplBytes().replace("0x120000", "0x120003")],
  ["with a place that a ticket would take", xrplBytes({ sequence: 0 })],
  ["to its own account", xrplBytes({ to: XRPL_SENDER })],
];

describe("a transaction of a caller's making on the XRP Ledger", () => {
  const broadcast = (transaction: string) =>
    world.call("POST", `${path}/transactions`, { kind: "Transaction", transaction });

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

  it.each<readonly [string, string, string]>([
    ["TransactionInvalid", "of another account", xrplBytes({ from: STRANGER })],
    [
      "TransactionInvalid",
      "with another key",
      xrplBytes({ signingPubKey: XRPL_EDWARDS_DRAFT.signingPubKey }),
    ],
    ["TransactionInvalid", "of another chain", xrplBytes({ networkId: 21_337 })],
    ...unreadable.map(([name, bytes]) => ["TransactionUnreadable", name, bytes] as const),
  ])("INV-9 is refused with %s when it is one %s, and changes nothing", async (code, _, bytes) => {
    const before = await world.rows();
    expect(codeOf(await broadcast(bytes))).toEqual([400, code]);
    expect(await world.rows()).toBe(before);
  });

  it("INV-9 is refused when it costs more than the network's cap", async () => {
    expect(codeOf(await broadcast(xrplBytes({ fee: 10_001n })))).toEqual([422, "FeeAboveCap"]);
  });

  it("INV-9 is of no other template", async () => {
    const body = { kind: "Evm", to: ADDRESS, value: "1" };
    const answer = await world.call("POST", `${path}/transactions`, body);
    expect(codeOf(answer)).toEqual([400, "TransactionKindNotSupported"]);
  });

  it("INV-9 takes nothing's place", async () => {
    const { body } = await send({ ...native, amount: "7" });
    const { id } = transferOf(body);
    await world.database.execute(
      `update chain_requests set status = 'Broadcasted', unsigned_transaction = $2, signed_transaction = $2,
         sequence = 500, tx_hash = $1 where id = $1`,
      [id, Uint8Array.of(1)],
    );
    for (const verb of ["speed-up", "cancel"]) {
      const answer = await world.call("POST", `${path}/transfers/${id}/${verb}`);
      expect([verb, ...codeOf(answer)]).toEqual([verb, 400, "TransactionKindNotSupported"]);
    }
    expect(codeOf(await broadcast(xrplBytes()))).toEqual([400, "TransactionKindNotSupported"]);
  });
});

describe("a signature for the XRP Ledger", () => {
  const sign = (body: object, from: string = path) => world.call("POST", `${from}/signatures`, body);
  const ofEdwards = () => `/wallets/${edwards.id}`;

  it.each([
    ["ECDSA", xrplBytes(), () => path],
    ["FROST-Ed25519", xrplBytes(XRPL_EDWARDS_DRAFT), ofEdwards],
    ["FROST-Ed25519", xrplBytesWithoutKey(XRPL_EDWARDS_DRAFT), ofEdwards],
  ] as const)(
    "INV-3 of a transaction is authorised whole, for signers to read: %s",
    async (scheme, transaction, from) => {
      const { status, body } = await sign({ kind: "Transaction", transaction }, from());
      expect(status).toBe(200);
      const id = signatureIdSchema.parse(z.object({ id: z.string() }).parse(body).id);
      const stored = await readSignature(world.database, id);
      const text = Buffer.from(
        stored?.authorisation?.payload ?? expect.fail("it is not authorised"),
      ).toString();
      expect(authorisedSignatureSchema.parse(JSON.parse(text))).toMatchObject({
        scheme,
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
    const { status, body } = await world.call("GET", `${path}/assets`);
    expect([status, body]).toMatchObject([
      200,
      { assets: [{ kind: "Native", symbol: "XRP", decimals: 6, balance: "5000000" }] },
    ]);
    expect((await world.call("GET", `${path}/nfts`)).body).toMatchObject({ nfts: [] });
  });

  it("is its history", async () => {
    const { id } = transferOf((await send({ ...native, amount: "9" })).body);
    await world.database.execute(
      `update chain_requests set status = 'Confirmed', tx_hash = $2, block_number = 5, fee = '12',
         date_broadcasted = now(), date_confirmed = now() where id = $1`,
      [id, id],
    );
    const { body } = await world.call("GET", `${path}/history`);
    expect(body).toMatchObject({
      items: [{ kind: "NativeTransfer", value: "9", symbol: "XRP", fee: "12", direction: "Out" }],
    });
  });

  it("INV-9 are no fees by priority, which the network does not take", async () => {
    const answer = await world.call("GET", `/networks/fees?network=${network}`);
    expect(codeOf(answer)).toEqual([400, "PriorityNotSupported"]);
  });
});

describe("INV-8 policies on the XRP Ledger", () => {
  const rule = (kind: string, configuration: object) => ({ kind, configuration });
  /** Does something under one policy that blocks, and archives it. */
  const under = async <T>(blocking: object, work: () => Promise<T>): Promise<T> => {
    const { body } = await world.call("POST", "/v2/policies", {
      name: "test",
      activityKind: "Wallets:Sign",
      rule: blocking,
      action: { kind: "Block" },
    });
    try {
      return await work();
    } finally {
      await world.call("DELETE", `/v2/policies/${z.object({ id: z.string() }).parse(body).id}`, {});
    }
  };
  const statusOf = async (asked: Promise<{ readonly body: unknown }>): Promise<string> =>
    z.object({ status: z.string() }).parse((await asked).body).status;
  const sign = (transaction: string) =>
    world.call("POST", `${path}/signatures`, { kind: "Transaction", transaction });

  it("compare recipients in their classic form, however either was written, and whatever the tag", async () => {
    const friends = rule("TransactionRecipientWhitelist", { addresses: [ON_MAIN] });
    await under(friends, async () => {
      expect(await statusOf(send({ ...native, to: WITH_TAG, amount: "11" }))).toBe("Pending");
      const classic = { ...native, to: "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59", memo: "5" };
      expect(await statusOf(send({ ...classic, amount: "11" }))).toBe("Pending");
      expect(await statusOf(send({ ...native, amount: "11" }))).toBe("Rejected");
      expect(await statusOf(sign(xrplBytes()))).toBe("Rejected");
      expect(await statusOf(sign(xrplBytes({ to: classic.to })))).not.toBe("Rejected");
    });
  });

  it("trigger on amounts of which nobody knows the worth", async () => {
    await under(rule("TransactionAmountLimit", { limit: 1_000_000, currency: "USD" }), async () => {
      expect(await statusOf(send({ ...native, amount: "12" }))).toBe("Rejected");
    });
  });
});
