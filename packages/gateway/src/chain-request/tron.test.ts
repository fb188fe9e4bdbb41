import {
  StubTron,
  TRC10_ID,
  TRON_DRAFT,
  TRON_KEY,
  TRON_NILE,
  TRON_RECIPIENT,
  TRON_SENDER,
  TRON_TOKEN,
  testAccount,
  tronBytes,
} from "@conclave/chains/testing";
import { tronAccount } from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { activateKey } from "../testing/activate-key.ts";
import {
  type ExactBytesCase,
  itHasNoPriorities,
  itRefusesBytes,
  itRefusesTransfers,
  itRefusesWallets,
  itSignsWhole,
  itTakesNoPlace,
  itTriggersWithoutPrice,
} from "../testing/exact-bytes-suite.ts";
import {
  codeOf,
  enterWalletOn,
  type FamilyWorld,
  startFamilyWorld,
  statusOf,
} from "../testing/family-world.ts";
import { ADDRESS, type World } from "../testing/world.ts";

const { network } = TRON_NILE;
const STRANGER = "TPL66VK2gCXNCD7EJg9pgJRfqcRazjhUZY";

let family: FamilyWorld;
let world: World;
let tron: StubTron;

beforeAll(async () => {
  tron = await StubTron.start();
  tron.tokens.set(TRC10_ID, { id: TRC10_ID, abbr: Buffer.from("BTT").toString("hex"), precision: 6 });
  tron.returns(TRON_TOKEN, "balanceOf(address)", [7_000_000n]);
  tron.returns(TRON_TOKEN, "decimals()", [6n]);
  tron.returns(TRON_TOKEN, "symbol()", [32n, 4n, BigInt(`0x55534454${"0".repeat(56)}`)]);
  tron.accounts.set(TRON_SENDER, { balance: 5_000_000n, tokens: { [TRC10_ID]: 2n ** 63n - 1n } });
  family = await startFamilyWorld({ ...TRON_NILE, fullNodeUrl: tron.url }, "ECDSA", TRON_KEY);
  world = family.world;
});
afterAll(async () => {
  await world.stop();
  await tron.stop();
});

const native = { kind: "Native" as const, to: TRON_RECIPIENT, amount: "1500000" };
const trc10 = { kind: "Trc10", tokenId: TRC10_ID, to: TRON_RECIPIENT, amount: "5" };
const trc20 = { kind: "Trc20", contract: TRON_TOKEN, to: TRON_RECIPIENT, amount: "5" };
const trc721 = { kind: "Trc721", contract: STRANGER, to: TRON_RECIPIENT, tokenId: "7" };
const send = (body: object) => family.send(body);

const OTHERS = { type: "TransferContract", from: STRANGER, to: TRON_RECIPIENT, amount: 5n } as const;
/** A note (field 10) behind the other fields is not how they are written, and would not be read either. */
const NOTED = `${tronBytes()}52026869`;

const CASE: ExactBytesCase = {
  family: () => family,
  address: TRON_SENDER,
  unserved: "Tron",
  otherKey: { scheme: "EdDSA", curve: "ed25519" },
  native,
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
  refusedBytes: [
    ["TransactionInvalid", "of another account", tronBytes({ contract: OTHERS })],
    ["TransactionUnreadable", "with a note", NOTED],
    ["TransactionUnreadable", "without its last byte", tronBytes().slice(0, -2)],
    ["TransactionUnreadable", "without an expiration", tronBytes({ expirationMs: 0n })],
  ],
  dearBytes: tronBytes({ feeLimit: 100_000_001n }),
};

describe("a wallet on TRON", () => {
  itRefusesWallets(CASE);
});

describe("INV-8 a key on TRON's main and test network, whose transactions name a chain that no signer knows", () => {
  it("has a wallet on one of them, and signs nothing for the other", async () => {
    const keyId = await activateKey(world, "ECDSA", testAccount("0d".repeat(32)).publicKey);
    await enterWalletOn(world.database, world.caller, keyId, "Tron");
    const taken = [409, "KeyNetworkTaken"];
    const second = await world.call("POST", "/wallets", { network, signingKey: { id: keyId } });
    expect(codeOf(second)).toEqual(taken);
    const body = { kind: "Transaction", transaction: tronBytes(), network };
    expect(codeOf(await world.call("POST", `/keys/${keyId}/signatures`, body))).toEqual(taken);
  });
});

describe("a transfer on TRON", () => {
  it.each([
    ["TRX", native, { symbol: "TRX", decimals: 6, verified: true }],
    ["a TRC-10 token", trc10, { symbol: "BTT", decimals: 6, verified: false }],
    ["a TRC-20 token", trc20, { symbol: "USDT", decimals: 6, verified: false }],
    ["a TRC-721 token", trc721, {}],
  ])("of %s is authorised with its sender, and shows what the chain says of it", async (_, asked, asset) => {
    const { status, body } = await send(asked);
    expect([status, body]).toMatchObject([200, { network, status: "Pending", metadata: { asset } }]);
    expect(await family.actOf(body)).toMatchObject({
      version: 2,
      network,
      cosigners: [],
      transfer: { ...asked, from: TRON_SENDER },
    });
  });

  itRefusesTransfers(CASE);

  it("is accepted without a name of its token while the node is away", async () => {
    tron.spoilt.set("/", { status: 503, text: "" });
    const { status, body } = await send({ ...trc20, amount: "6" });
    tron.spoilt.clear();
    expect([status, body]).toMatchObject([200, { metadata: { asset: {} } }]);
  });
});

describe("a transaction of a caller's making on TRON", () => {
  const broadcast = (transaction: string) => family.broadcast(transaction);

  it("is accepted as it is", async () => {
    const { status, body } = await broadcast(tronBytes());
    expect([status, body]).toMatchObject([200, { network, requestBody: { kind: "Transaction" } }]);
  });

  itRefusesBytes(CASE);

  itTakesNoPlace(CASE);
});

describe("a signature for TRON", () => {
  const sign = (body: object) => family.sign(body);

  itSignsWhole(
    () => family,
    "Tron",
    "ECDSA",
    () => tronBytes(),
  );

  it("INV-9 is refused when it is of a transaction that nobody reads, or of a kind that is EVM's", async () => {
    const unread = await sign({ kind: "Transaction", transaction: NOTED });
    expect(codeOf(unread)).toEqual([400, "TransactionUnreadable"]);
    expect(codeOf(await sign({ kind: "Eip191", message: "00" }))).toEqual([400, "SignatureKindNotSupported"]);
  });
});

describe("what is read of a wallet on TRON", () => {
  const settle = (body: object) => family.settle(body, "1000");

  it("are its coin, and the tokens that transfers have moved, by their contracts as they are spelled", async () => {
    await settle({ ...trc10, amount: "8" });
    await settle({ ...trc20, amount: "8" });
    const { status, body } = await world.call("GET", `${family.path}/assets`);
    expect(status).toBe(200);
    const { assets } = z.object({ assets: z.array(z.object({ kind: z.string() }).loose()) }).parse(body);
    expect(assets.map((asset) => [asset.kind, asset])).toMatchObject([
      ["Native", { symbol: "TRX", decimals: 6, balance: "5000000" }],
      ["Trc20", { contract: TRON_TOKEN, symbol: "USDT", decimals: 6, balance: "7000000" }],
      ["Trc10", { tokenId: TRC10_ID, symbol: "BTT", decimals: 6, balance: "9223372036854775807" }],
    ]);
  });

  it("are the tokens that are one of a kind, as long as it owns them", async () => {
    tron.returns(STRANGER, "ownerOf(uint256)", [0n]);
    await settle({ ...trc721, to: TRON_SENDER });
    expect((await world.call("GET", `${family.path}/nfts`)).body).toMatchObject({ nfts: [] });
    const owner = BigInt(`0x${Buffer.from(tronAccount(TRON_SENDER)).toString("hex")}`);
    tron.returns(STRANGER, "ownerOf(uint256)", [owner]);
    expect((await world.call("GET", `${family.path}/nfts`)).body).toMatchObject({
      nfts: [{ kind: "Trc721", contract: STRANGER, tokenId: "7" }],
    });
  });

  it("is its history", async () => {
    await settle({ ...native, amount: "9" });
    const { status, body } = await world.call("GET", `${family.path}/history`);
    expect(status).toBe(200);
    const { items } = z.object({ items: z.array(z.object({ kind: z.string() }).loose()) }).parse(body);
    expect(Object.fromEntries(items.map((item) => [item.kind, item]))).toMatchObject({
      NativeTransfer: { value: "9", symbol: "TRX", fee: "1000", direction: "Out" },
      Trc10Transfer: { tokenId: TRC10_ID, value: "8", symbol: "BTT", decimals: 6 },
      Trc20Transfer: { contract: TRON_TOKEN, value: "8", symbol: "USDT", decimals: 6 },
      Trc721Transfer: { contract: STRANGER, tokenId: "7" },
    });
  });

  itHasNoPriorities(() => family);
});

describe("INV-8 policies on TRON", () => {
  const broadcast = (change: Parameters<typeof tronBytes>[0]) => family.broadcast(tronBytes(change));

  it("compare recipients of transfers, of calls, and of a caller's own bytes", async () => {
    const call = { function: "transfer", to: STRANGER, amount: 5n } as const;
    const calling = { type: "TriggerSmartContract", from: TRON_SENDER, contract: TRON_TOKEN, call } as const;
    await family.under("TransactionRecipientWhitelist", { addresses: [TRON_RECIPIENT] }, async () => {
      expect(await statusOf(send({ ...native, amount: "11" }))).toBe("Pending");
      expect(await statusOf(send({ ...trc20, to: STRANGER, amount: "11" }))).toBe("Rejected");
      expect(await statusOf(send({ ...trc721, contract: TRON_TOKEN, to: STRANGER }))).toBe("Rejected");
      expect(await statusOf(broadcast({ contract: calling }))).toBe("Rejected");
      expect(await statusOf(broadcast({ timestampMs: 5n }))).not.toBe("Rejected");
      const hash = world.call("POST", `${family.path}/signatures`, { kind: "Hash", hash: "5a".repeat(32) });
      expect(await statusOf(hash)).toBe("Rejected");
    });
    expect(TRON_DRAFT.contract.type).toBe("TransferContract");
  });

  itTriggersWithoutPrice(CASE);
});
