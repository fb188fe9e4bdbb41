import { FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import {
  ALGORAND_KEY,
  ALGORAND_RECIPIENT,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASSET_ID,
  algorandBytes,
  StubAlgod,
} from "@conclave/chains/testing";
import {
  algorandAddress,
  authorisedActSchema,
  authorisedSignatureSchema,
  signatureIdSchema,
  transferIdSchema,
} from "@conclave/custody";
import { readSignature, readTransfer } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { activateKey } from "../testing/activate-key.ts";
import { errorOf, transferOf } from "../testing/bodies.ts";
import { ACTIVATED, ADDRESS, startWorld, type World } from "../testing/world.ts";

const { network } = ALGORAND_TESTNET;
const DATE = "2026-01-02T03:04:05.678Z";
const PUBLIC_KEY = Buffer.from(ALGORAND_KEY.publicKey).toString("hex");

let world: World;
let algod: StubAlgod;
let wallet: { readonly id: string; readonly address: string };
let path: string;

beforeAll(async () => {
  algod = await StubAlgod.start();
  algod.assets.set(ASSET_ID, { decimals: 6, "unit-name": "USDC" });
  algod.accounts.set(ALGORAND_SENDER, {
    amount: 5_000_000n,
    least: 200_000n,
    holdings: { [ASSET_ID]: { amount: 2n ** 64n - 1n, isFrozen: false } },
  });
  const [entry] = FAMILIES.networksSchema.parse([{ ...ALGORAND_TESTNET, algodUrl: algod.url }]);
  if (entry === undefined) throw new Error("the network is not enabled");
  world = await startWorld({ further: { family: FAMILIES.familyOf(network), node: NODES.connect(entry) } });
  const { body } = await world.call("POST", "/wallets", {
    network,
    signingKey: { id: await activateKey(world, "FROST-Ed25519", ALGORAND_KEY.publicKey) },
  });
  wallet = z.object({ id: z.string(), address: z.string() }).parse(body);
  path = `/wallets/${wallet.id}`;
});
afterAll(async () => {
  await world.stop();
  await algod.stop();
});

const codeOf = ({ status, body }: { readonly status: number; readonly body: unknown }) => [
  status,
  errorOf(body).details.code,
];
const native = { kind: "Native", to: ALGORAND_RECIPIENT, amount: "1500000" };
const asa = { kind: "Asa", assetId: ASSET_ID, to: ALGORAND_RECIPIENT, amount: "5" };
const send = (body: object) => world.call("POST", `${path}/transfers`, body);

const actOf = async (body: unknown) => {
  const stored = await readTransfer(world.database, transferIdSchema.parse(transferOf(body).id));
  const text = Buffer.from(stored?.authorisation?.payload ?? expect.fail("it is not authorised")).toString();
  return authorisedActSchema.parse(JSON.parse(text));
};

describe("a wallet on Algorand", () => {
  it("has the address of its Ed25519 key", () => {
    expect(wallet.address).toBe(ALGORAND_SENDER);
  });

  it("gets a key of FROST Ed25519 of its own", async () => {
    world.script({ kind: "Activated", publicKey: PUBLIC_KEY, date: DATE });
    const { status, body } = await world.call("POST", "/wallets", { network });
    world.script(ACTIVATED);
    expect([status, body]).toMatchObject([
      200,
      { network, signingKey: { scheme: "EdDSA", curve: "ed25519", publicKey: PUBLIC_KEY } },
    ]);
  });

  it.each([
    ["KeyFormatMismatch", { network, signingKey: { scheme: "ECDSA", curve: "secp256k1" } }],
    ["NetworkNotEnabled", { network: "Algorand" }],
  ])("INV-9 is refused with %s: %j", async (code, body) => {
    expect(codeOf(await world.call("POST", "/wallets", body))).toEqual([400, code]);
  });
});

describe("a transfer on Algorand", () => {
  it("of the native coin is authorised with its sender", async () => {
    const { status, body } = await send(native);
    expect([status, body]).toMatchObject([
      200,
      { network, status: "Pending", metadata: { asset: { symbol: "ALGO", decimals: 6, verified: true } } },
    ]);
    expect(await actOf(body)).toMatchObject({
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
    expect(await actOf(body)).toMatchObject({
      transfer: { kind: "Asa", assetId: ASSET_ID, from: ALGORAND_SENDER, amount: "5" },
    });
  });

  it.each([
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
  ])("INV-9 is refused with %s, and changes nothing: %j", async (code, body) => {
    const before = await world.rows();
    expect(codeOf(await send(body))).toEqual([400, code]);
    expect(await world.rows()).toBe(before);
  });

  it("is accepted without a name of its asset while the node is away", async () => {
    algod.spoilt.set("/", { status: 503, text: "" });
    const { status, body } = await send({ ...asa, amount: "6" });
    algod.spoilt.clear();
    expect([status, body]).toMatchObject([200, { metadata: { asset: {} } }]);
  });
});

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
  ["valid for too long", { lv: 1_901n }],
];

describe("a transaction of a caller's making on Algorand", () => {
  const broadcast = (change: object = {}) =>
    world.call("POST", `${path}/transactions`, {
      kind: "Transaction",
      transaction: algorandBytes({ ...change }),
    });

  it("is accepted as it is, such as an opt-in to an asset", async () => {
    const { status, body } = await broadcast();
    expect([status, body]).toMatchObject([200, { network, requestBody: { kind: "Transaction" } }]);
  });

  it.each<readonly [string, string, object]>([
    ["TransactionInvalid", "of another account", { snd: OTHER_KEY }],
    ["TransactionInvalid", "of another chain", { gh: OTHER_CHAIN }],
    ["TransactionInvalid", "of another chain's name", { gen: "mainnet-v1.0" }],
    ...REFUSED.map(([name, change]) => ["TransactionUnreadable", name, change] as const),
  ])("INV-9 is refused with %s when it is one %s, and changes nothing", async (code, _, change) => {
    const before = await world.rows();
    expect(codeOf(await broadcast(change))).toEqual([400, code]);
    expect(await world.rows()).toBe(before);
  });

  it("INV-9 is refused when it costs more than the network's cap", async () => {
    expect(codeOf(await broadcast({ fee: 100_001n }))).toEqual([422, "FeeAboveCap"]);
  });

  it("INV-9 is of no other template", async () => {
    const body = { kind: "Evm", to: ADDRESS, value: "1" };
    const answer = await world.call("POST", `${path}/transactions`, body);
    expect(codeOf(answer)).toEqual([400, "TransactionKindNotSupported"]);
  });

  it("INV-9 takes nothing's place, and has none that could be taken", async () => {
    const { body } = await send({ ...native, amount: "7" });
    const { id } = transferOf(body);
    await world.database.execute(
      `update chain_requests set status = 'Broadcasted', unsigned_transaction = $2, signed_transaction = $2,
         tx_hash = $1 where id = $1`,
      [id, Uint8Array.of(1)],
    );
    for (const verb of ["speed-up", "cancel"]) {
      const answer = await world.call("POST", `${path}/transfers/${id}/${verb}`);
      expect([verb, ...codeOf(answer)]).toEqual([verb, 400, "TransactionKindNotSupported"]);
    }
  });
});

describe("a signature for Algorand", () => {
  const sign = (body: object) => world.call("POST", `${path}/signatures`, body);

  it("INV-3 of a transaction is authorised whole, for signers to read", async () => {
    const { status, body } = await sign({ kind: "Transaction", transaction: algorandBytes() });
    expect(status).toBe(200);
    const id = signatureIdSchema.parse(z.object({ id: z.string() }).parse(body).id);
    const stored = await readSignature(world.database, id);
    const text = Buffer.from(
      stored?.authorisation?.payload ?? expect.fail("it is not authorised"),
    ).toString();
    expect(authorisedSignatureSchema.parse(JSON.parse(text))).toMatchObject({
      scheme: "FROST-Ed25519",
      walletId: wallet.id,
      content: {
        kind: "readable",
        family: "Algorand",
        content: { kind: "transaction", network, transaction: algorandBytes().slice(2) },
      },
    });
  });

  it.each<readonly [string, string, object]>([
    ["InvalidBody", "of another chain", { gh: OTHER_CHAIN }],
    ...REFUSED.map(([name, change]) => ["TransactionUnreadable", name, change] as const),
  ])("INV-9 is refused with %s when it is of a transaction %s", async (code, _, change) => {
    const answer = await sign({ kind: "Transaction", transaction: algorandBytes({ ...change }) });
    expect(codeOf(answer)).toEqual([400, code]);
  });

  it("INV-3 is not of a transaction that calls itself a message, by the wallet or by its key", async () => {
    const message = `0x5458${algorandBytes().slice(2)}`;
    const { body } = await world.call("GET", path);
    const { signingKey } = z.object({ signingKey: z.object({ id: z.string() }) }).parse(body);
    for (const from of [path, `/keys/${signingKey.id}`]) {
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
  const settle = async (body: object): Promise<void> => {
    const { id } = transferOf((await send(body)).body);
    await world.database.execute(
      `update chain_requests set status = 'Confirmed', tx_hash = $2, block_number = 5, fee = '1000',
         date_broadcasted = now(), date_confirmed = now() where id = $1`,
      [id, id],
    );
  };

  it("are its coin, and the assets that transfers have moved", async () => {
    await settle({ ...asa, amount: "8" });
    const { status, body } = await world.call("GET", `${path}/assets`);
    expect([status, body]).toMatchObject([
      200,
      {
        assets: [
          { kind: "Native", symbol: "ALGO", decimals: 6, balance: "5000000" },
          { kind: "Asa", assetId: ASSET_ID, symbol: "USDC", decimals: 6, balance: "18446744073709551615" },
        ],
      },
    ]);
    expect((await world.call("GET", `${path}/nfts`)).body).toMatchObject({ nfts: [] });
  });

  it("is its history", async () => {
    await settle({ ...native, amount: "9" });
    const { body } = await world.call("GET", `${path}/history`);
    expect(body).toMatchObject({
      items: [
        { kind: "NativeTransfer", value: "9", symbol: "ALGO", fee: "1000", direction: "Out" },
        { kind: "AsaTransfer", assetId: ASSET_ID, value: "8", symbol: "USDC", decimals: 6 },
      ],
    });
  });

  it("INV-9 are no fees by priority, which the network does not take", async () => {
    const answer = await world.call("GET", `/networks/fees?network=${network}`);
    expect(codeOf(answer)).toEqual([400, "PriorityNotSupported"]);
  });
});

describe("INV-8 policies on Algorand", () => {
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
  const broadcast = (change: object) =>
    world.call("POST", `${path}/transactions`, {
      kind: "Transaction",
      transaction: algorandBytes({ ...change }),
    });

  it("compare recipients of transfers and of a caller's own bytes; an opt-in leaves the wallet nothing", async () => {
    const friends = rule("TransactionRecipientWhitelist", { addresses: [ALGORAND_RECIPIENT] });
    await under(friends, async () => {
      expect(await statusOf(send({ ...native, amount: "11" }))).toBe("Pending");
      expect(await statusOf(send({ ...asa, to: OTHER_ADDRESS, amount: "11" }))).toBe("Rejected");
      expect(await statusOf(broadcast({ arcv: OTHER_KEY, aamt: 5n }))).toBe("Rejected");
      expect(await statusOf(broadcast({ fv: 901n }))).not.toBe("Rejected");
      const message = world.call("POST", `${path}/signatures`, { kind: "Message", message: "0x6869" });
      expect(await statusOf(message)).toBe("Rejected");
    });
  });

  it("trigger on amounts of which nobody knows the worth", async () => {
    await under(rule("TransactionAmountLimit", { limit: 1_000_000, currency: "USD" }), async () => {
      expect(await statusOf(send({ ...native, amount: "12" }))).toBe("Rejected");
    });
  });
});
