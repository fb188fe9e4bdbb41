import {
  ALGORAND_KEY,
  ALGORAND_RECIPIENT,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASSET_ID,
  algorandBytes,
} from "@conclave/chains/testing";
import {
  issueAlgorandAsset,
  openScriptedLedger,
  type ScriptedLedger,
} from "@conclave/chains/testing/ledgers";
import { algorandAddress } from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type ExactBytesCase,
  itHasNoPriorities,
  itMakesEdwardsKeys,
  itRefusesBytes,
  itRefusesTransfers,
  itRefusesWallets,
  itSignsWhole,
  itTakesNoPlace,
  itTriggersWithoutPrice,
} from "../testing/exact-bytes-suite.ts";
import { codeOf, type FamilyWorld, startFamilyWorld, statusOf } from "../testing/family-world.ts";
import { ADDRESS, type World } from "../testing/world.ts";

const { network } = ALGORAND_TESTNET;

let family: FamilyWorld;
let world: World;
let ledger: ScriptedLedger;

beforeAll(async () => {
  ledger = await openScriptedLedger("Algorand", ALGORAND_TESTNET.genesisId);
  const issuer = await issueAlgorandAsset(ledger);
  // an opt-in costs its fee
  await ledger.fund(ALGORAND_SENDER, 5_001_000);
  await issuer.optIn(ALGORAND_KEY);
  await issuer.send(ALGORAND_SENDER, 2n ** 64n - 1n);
  family = await startFamilyWorld(
    { ...ALGORAND_TESTNET, algodUrl: ledger.node.url },
    "FROST-Ed25519",
    ALGORAND_KEY,
  );
  world = family.world;
});
afterAll(async () => {
  await world.stop();
  await ledger.stop();
});

const native = { kind: "Native" as const, to: ALGORAND_RECIPIENT, amount: "1500000" };
const asa = { kind: "Asa", assetId: ASSET_ID, to: ALGORAND_RECIPIENT, amount: "5" };
const send = (body: object) => family.send(body);

const OTHER_KEY = new Uint8Array(32).fill(9);
const OTHER_ADDRESS = algorandAddress(OTHER_KEY);
const OTHER_CHAIN = new Uint8Array(32).fill(8);
/** Bytes that signers do not read, or not for this wallet. */
const REFUSED: readonly (readonly [string, object])[] = [
  ["that hands the account over", { rekey: OTHER_KEY }],
  ["that closes the holding", { aclose: OTHER_KEY }],
  ["that claws back", { asnd: OTHER_KEY }],
  ["of a group", { grp: OTHER_KEY }],
  ["with a note", { note: Uint8Array.of(1) }],
  ["of another type", { type: "keyreg" }],
  ["valid for too long", { lv: 1_002n }],
];

const CASE: ExactBytesCase = {
  family: () => family,
  address: ALGORAND_SENDER,
  unserved: "Algorand",
  otherKey: { scheme: "ECDSA", curve: "secp256k1" },
  native,
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
  refusedBytes: [
    ...(
      [
        ["TransactionInvalid", "of another account", { snd: OTHER_KEY }],
        ["TransactionInvalid", "of another chain", { gh: OTHER_CHAIN }],
        ["TransactionInvalid", "of another chain's name", { gen: "mainnet-v1.0" }],
        ...REFUSED.map(([name, change]) => ["TransactionUnreadable", name, change] as const),
      ] as const
    ).map(([code, name, change]) => [code, name, algorandBytes({ ...change })] as const),
  ],
  dearBytes: algorandBytes({ fee: 100_001n }),
};

describe("a wallet on Algorand", () => {
  itRefusesWallets(CASE);

  itMakesEdwardsKeys(() => family, ALGORAND_KEY);
});

describe("a transfer on Algorand", () => {
  it("of the native coin is authorised with its sender", async () => {
    const { status, body } = await send(native);
    expect([status, body]).toMatchObject([
      200,
      { network, status: "Pending", metadata: { asset: { symbol: "ALGO", decimals: 6, verified: true } } },
    ]);
    expect(await family.actOf(body)).toMatchObject({
      version: 2,
      network,
      cosigners: [],
      transfer: { kind: "Native", from: ALGORAND_SENDER, to: ALGORAND_RECIPIENT, amount: "1500000" },
    });
  });

  it("of an asset shows what the chain says of it", async () => {
    const { status, body } = await send(asa);
    expect([status, body]).toMatchObject([
      200,
      { metadata: { asset: { symbol: "USDC", decimals: 6, verified: false } }, requestBody: asa },
    ]);
    expect(await family.actOf(body)).toMatchObject({
      transfer: { kind: "Asa", assetId: ASSET_ID, from: ALGORAND_SENDER, amount: "5" },
    });
  });

  itRefusesTransfers(CASE);

  it("is accepted without a name of its asset while the node is away", async () => {
    ledger.node.spoilt.set("/", { status: 503, text: "" });
    const { status, body } = await send({ ...asa, amount: "6" });
    ledger.node.spoilt.clear();
    expect([status, body]).toMatchObject([200, { metadata: { asset: {} } }]);
  });
});

describe("a transaction of a caller's making on Algorand", () => {
  const broadcast = (change: object = {}) => family.broadcast(algorandBytes({ ...change }));

  it("is accepted as it is, such as an opt-in to an asset", async () => {
    const { status, body } = await broadcast();
    expect([status, body]).toMatchObject([200, { network, requestBody: { kind: "Transaction" } }]);
  });

  itRefusesBytes(CASE);

  itTakesNoPlace(CASE);
});

describe("a signature for Algorand", () => {
  const sign = (body: object) => family.sign(body);

  itSignsWhole(
    () => family,
    "Algorand",
    "FROST-Ed25519",
    () => algorandBytes(),
  );

  it.each<readonly [string, string, object]>([
    ["InvalidBody", "of another chain", { gh: OTHER_CHAIN }],
    ...REFUSED.map(([name, change]) => ["TransactionUnreadable", name, change] as const),
  ])("INV-9 is refused with %s when it is of a transaction %s", async (code, _, change) => {
    const answer = await sign({ kind: "Transaction", transaction: algorandBytes({ ...change }) });
    expect(codeOf(answer)).toEqual([400, code]);
  });

  it("INV-3 is not of a transaction that calls itself a message, by the wallet or by its key", async () => {
    const message = `0x5458${algorandBytes().slice(2)}`;
    const { body } = await world.call("GET", family.path);
    const { signingKey } = z.object({ signingKey: z.object({ id: z.string() }) }).parse(body);
    for (const from of [family.path, `/keys/${signingKey.id}`]) {
      const answer = await world.call("POST", `${from}/signatures`, { kind: "Message", message });
      expect(codeOf(answer)).toEqual([400, "TransactionUnreadable"]);
    }
    expect((await sign({ kind: "Message", message: "0x54582068656c6c6f" })).status).toBe(200);
  });

  it("INV-9 is of no kind that is EVM's", async () => {
    expect(codeOf(await sign({ kind: "Eip191", message: "00" }))).toEqual([400, "SignatureKindNotSupported"]);
  });
});

describe("what is read of a wallet on Algorand", () => {
  const settle = (body: object) => family.settle(body, "1000");

  it("are its coin, and the assets that transfers have moved", async () => {
    await settle({ ...asa, amount: "8" });
    const { status, body } = await world.call("GET", `${family.path}/assets`);
    expect([status, body]).toMatchObject([
      200,
      {
        assets: [
          { kind: "Native", symbol: "ALGO", decimals: 6, balance: "5000000" },
          { kind: "Asa", assetId: ASSET_ID, symbol: "USDC", decimals: 6, balance: "18446744073709551615" },
        ],
      },
    ]);
    expect((await world.call("GET", `${family.path}/nfts`)).body).toMatchObject({ nfts: [] });
  });

  it("is its history", async () => {
    await settle({ ...native, amount: "9" });
    const { body } = await world.call("GET", `${family.path}/history`);
    expect(body).toMatchObject({
      items: [
        { kind: "NativeTransfer", value: "9", symbol: "ALGO", fee: "1000", direction: "Out" },
        { kind: "AsaTransfer", assetId: ASSET_ID, value: "8", symbol: "USDC", decimals: 6 },
      ],
    });
  });

  itHasNoPriorities(() => family);
});

describe("INV-8 policies on Algorand", () => {
  const broadcast = (change: object) => family.broadcast(algorandBytes({ ...change }));

  it("compare recipients of transfers and of a caller's own bytes; an opt-in leaves the wallet nothing", async () => {
    await family.under("TransactionRecipientWhitelist", { addresses: [ALGORAND_RECIPIENT] }, async () => {
      expect(await statusOf(send({ ...native, amount: "11" }))).toBe("Pending");
      expect(await statusOf(send({ ...asa, to: OTHER_ADDRESS, amount: "11" }))).toBe("Rejected");
      expect(await statusOf(broadcast({ arcv: OTHER_KEY, aamt: 5n }))).toBe("Rejected");
      expect(await statusOf(broadcast({ fv: 2n }))).not.toBe("Rejected");
      const message = world.call("POST", `${family.path}/signatures`, { kind: "Message", message: "0x6869" });
      expect(await statusOf(message)).toBe("Rejected");
    });
  });

  itTriggersWithoutPrice(CASE);
});
