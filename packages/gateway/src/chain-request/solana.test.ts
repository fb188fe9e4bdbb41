import { FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import {
  SOLANA_DEVNET,
  SOLANA_KEY,
  SOLANA_MINT,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
  SOLANA_TOKEN_ACCOUNT,
  StubSolana,
  solanaBytes,
} from "@conclave/chains/testing";
import {
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

const { network } = SOLANA_DEVNET;
const DATE = "2026-01-02T03:04:05.678Z";
const PUBLIC_KEY = Buffer.from(SOLANA_KEY.publicKey).toString("hex");
const STRANGER = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";
const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

let world: World;
let stub: StubSolana;
let wallet: { readonly id: string; readonly address: string };
let path: string;

beforeAll(async () => {
  stub = await StubSolana.start();
  stub.accounts.set(SOLANA_SENDER, { lamports: 5_000_000_000n });
  // an initialised mint of six decimals
  const data = new Uint8Array(82);
  data.set([6, 1], 44);
  stub.accounts.set(SOLANA_MINT, { lamports: 1n, owner: TOKEN_PROGRAM, data });
  // one that holds 7 units of it for the sender
  const held = new Uint8Array(165);
  held.set([7], 64);
  held.set([1], 108);
  stub.accounts.set(SOLANA_TOKEN_ACCOUNT, { lamports: 1n, owner: TOKEN_PROGRAM, data: held });
  const [entry] = FAMILIES.networksSchema.parse([{ ...SOLANA_DEVNET, solanaUrl: stub.url }]);
  if (entry === undefined) throw new Error("the network is not enabled");
  world = await startWorld({ further: { family: FAMILIES.familyOf(network), node: NODES.connect(entry) } });
  const { body } = await world.call("POST", "/wallets", {
    network,
    signingKey: { id: await activateKey(world, "FROST-Ed25519", SOLANA_KEY.publicKey) },
  });
  wallet = z.object({ id: z.string(), address: z.string() }).parse(body);
  path = `/wallets/${wallet.id}`;
});
afterAll(async () => {
  await world.stop();
  await stub.stop();
});

const codeOf = ({ status, body }: { readonly status: number; readonly body: unknown }) => [
  status,
  errorOf(body).details.code,
];
const native = { kind: "Native", to: SOLANA_RECIPIENT, amount: "1500000000" };
const spl = { kind: "Spl", mint: SOLANA_MINT, to: SOLANA_RECIPIENT, amount: "5" };
const send = (body: object) => world.call("POST", `${path}/transfers`, body);

const actOf = async (body: unknown) => {
  const stored = await readTransfer(world.database, transferIdSchema.parse(transferOf(body).id));
  const text = Buffer.from(stored?.authorisation?.payload ?? expect.fail("it is not authorised")).toString();
  return authorisedActSchema.parse(JSON.parse(text));
};

describe("a wallet on Solana", () => {
  it("has the address of its Ed25519 key", () => {
    expect(wallet.address).toBe(SOLANA_SENDER);
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
    ["NetworkNotEnabled", { network: "Solana" }],
  ])("INV-9 is refused with %s: %j", async (code, body) => {
    expect(codeOf(await world.call("POST", "/wallets", body))).toEqual([400, code]);
  });
});

describe("a transfer on Solana", () => {
  it("of the native coin is authorised with its sender, and may name its priority", async () => {
    const { status, body } = await send({ ...native, priority: "Fast" });
    expect([status, body]).toMatchObject([
      200,
      { network, status: "Pending", metadata: { asset: { symbol: "SOL", decimals: 9, verified: true } } },
    ]);
    expect(await actOf(body)).toMatchObject({
      version: 2,
      network,
      cosigners: [],
      transfer: { kind: "Native", from: SOLANA_SENDER, to: SOLANA_RECIPIENT, amount: "1500000000" },
    });
  });

  it("of a token shows what the chain says of it, and whether an account may be made is authorised", async () => {
    const { status, body } = await send({ ...spl, createDestinationAccount: true });
    expect([status, body]).toMatchObject([
      200,
      { metadata: { asset: { decimals: 6, verified: false } }, requestBody: spl },
    ]);
    expect(await actOf(body)).toMatchObject({
      transfer: {
        kind: "Spl",
        mint: SOLANA_MINT,
        from: SOLANA_SENDER,
        amount: "5",
        createDestinationAccount: true,
      },
    });
    const without = await send({ ...spl, kind: "Spl2022" });
    expect(await actOf(without.body)).toMatchObject({
      transfer: { kind: "Spl2022", createDestinationAccount: false },
    });
  });

  it.each([
    ["AmountInvalid", { ...native, amount: "0" }],
    ["AmountInvalid", { ...native, amount: "18446744073709551616" }],
    ["AmountInvalid", { ...spl, amount: "1.5" }],
    ["AddressInvalid", { ...spl, mint: "USDC" }],
    ["AddressInvalid", { ...spl, to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    ["AddressInvalid", { ...native, to: `${SOLANA_RECIPIENT}1` }],
    ["AddressInvalid", { ...native, to: "11111111111111111111111111111111" }],
    ["MemoNotSupported", { ...native, memo: "7" }],
    ["MemoNotSupported", { ...spl, memo: "7" }],
    ["InvalidBody", { ...native, priority: "Now" }],
    ["InvalidBody", { ...spl, useDurableNonce: true }],
    ["InvalidBody", { ...native, createDestinationAccount: true }],
    ["TransferKindNotSupported", { kind: "Erc20", contract: ADDRESS, to: SOLANA_RECIPIENT, amount: "1" }],
    ["TransferKindNotSupported", { kind: "Asa", assetId: "1", to: SOLANA_RECIPIENT, amount: "1" }],
  ])("INV-9 is refused with %s, and changes nothing: %j", async (code, body) => {
    const before = await world.rows();
    expect(codeOf(await send(body))).toEqual([400, code]);
    expect(await world.rows()).toBe(before);
  });

  it("is accepted without a name of its asset while the node is away", async () => {
    stub.spoilt.set("", { status: 503, text: "" });
    const { status, body } = await send({ ...spl, amount: "6" });
    stub.spoilt.clear();
    expect([status, body]).toMatchObject([200, { metadata: { asset: {} } }]);
  });
});

const payment = (from: string, to = SOLANA_RECIPIENT) => ({ kind: "payment", from, to, amount: 5n }) as const;
/** Bytes of the samples with a byte changed. */
const spoilt = (at: number): string => {
  const bytes = Buffer.from(solanaBytes().slice(2), "hex");
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return `0x${bytes.toString("hex")}`;
};
/** Bytes that signers do not read. */
const UNREADABLE: readonly (readonly [string, string])[] = [
  ["with a signature already", spoilt(5)],
  ["of two signers", spoilt(66)],
  ["of another version", spoilt(65)],
  ["that ends too early", solanaBytes().slice(0, -2)],
  ["with a lookup table", `${solanaBytes().slice(0, -2)}01`],
  ["that is not one", "0x00"],
];

describe("a transaction of a caller's making on Solana", () => {
  const broadcast = (transaction: string) =>
    world.call("POST", `${path}/transactions`, { kind: "Transaction", transaction });

  it("is accepted as it is", async () => {
    const { status, body } = await broadcast(solanaBytes());
    expect([status, body]).toMatchObject([200, { network, requestBody: { kind: "Transaction" } }]);
  });

  it.each<readonly [string, string, string]>([
    [
      "TransactionInvalid",
      "of another account",
      solanaBytes({ from: STRANGER, instructions: [payment(STRANGER)] }),
    ],
    ...UNREADABLE.map(([name, bytes]) => ["TransactionUnreadable", name, bytes] as const),
  ])("INV-9 is refused with %s when it is one %s, and changes nothing", async (code, _, bytes) => {
    const before = await world.rows();
    expect(codeOf(await broadcast(bytes))).toEqual([400, code]);
    expect(await world.rows()).toBe(before);
  });

  it("INV-9 is refused when it costs more than the network's cap", async () => {
    const instructions = [{ kind: "computePrice", price: 10_000_000n } as const, payment(SOLANA_SENDER)];
    expect(codeOf(await broadcast(solanaBytes({ instructions })))).toEqual([422, "FeeAboveCap"]);
  });

  it("INV-9 is of no other template", async () => {
    const answer = await world.call("POST", `${path}/transactions`, { kind: "Evm", to: ADDRESS, value: "1" });
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

describe("a signature for Solana", () => {
  const sign = (body: object) => world.call("POST", `${path}/signatures`, body);

  it("INV-3 of a transaction is authorised whole, for signers to read", async () => {
    const { status, body } = await sign({ kind: "Transaction", transaction: solanaBytes() });
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
        family: "Solana",
        content: { kind: "transaction", network, transaction: solanaBytes().slice(2) },
      },
    });
  });

  it("INV-9 is refused when it is of the bytes of another account: no signature of the wallet makes them valid", async () => {
    const payment = { kind: "payment", from: SOLANA_RECIPIENT, to: SOLANA_SENDER, amount: 5n } as const;
    const transaction = solanaBytes({ from: SOLANA_RECIPIENT, instructions: [payment] });
    const answer = await sign({ kind: "Transaction", transaction });
    expect(codeOf(answer)).toEqual([400, "InvalidBody"]);
    expect(JSON.stringify(answer.body)).toContain(
      `from is ${SOLANA_RECIPIENT}, and must be ${SOLANA_SENDER}`,
    );
  });

  it.each(UNREADABLE)("INV-9 is refused when it is of a transaction %s", async (_, transaction) => {
    expect(codeOf(await sign({ kind: "Transaction", transaction }))).toEqual([400, "TransactionUnreadable"]);
  });

  it("INV-3 is not of a transaction that calls itself a message, by the wallet or by its key", async () => {
    // the signed part of a transaction: all behind the count and the empty signature
    const message = `0x${solanaBytes().slice(2 + 2 * 65)}`;
    const { body } = await world.call("GET", path);
    const { signingKey } = z.object({ signingKey: z.object({ id: z.string() }) }).parse(body);
    for (const from of [path, `/keys/${signingKey.id}`]) {
      const answer = await world.call("POST", `${from}/signatures`, { kind: "Message", message });
      expect(codeOf(answer)).toEqual([400, "TransactionUnreadable"]);
    }
    expect((await sign({ kind: "Message", message: "0x68656c6c6f" })).status).toBe(200);
  });
});

describe("what is read of a wallet on Solana", () => {
  const settle = async (body: object): Promise<void> => {
    const { id } = transferOf((await send(body)).body);
    await world.database.execute(
      `update chain_requests set status = 'Confirmed', tx_hash = $2, block_number = 5, fee = '5000',
         date_broadcasted = now(), date_confirmed = now() where id = $1`,
      [id, id],
    );
  };

  it("are its coin, and the tokens that transfers have moved", async () => {
    await settle({ ...spl, amount: "8" });
    const { status, body } = await world.call("GET", `${path}/assets`);
    expect([status, body]).toMatchObject([
      200,
      {
        assets: [
          { kind: "Native", symbol: "SOL", decimals: 9, balance: "5000000000" },
          { kind: "Spl", mint: SOLANA_MINT, decimals: 6, balance: "7" },
        ],
      },
    ]);
  });

  it("is its history", async () => {
    await settle({ ...native, amount: "9" });
    const { body } = await world.call("GET", `${path}/history`);
    expect(body).toMatchObject({
      items: [
        { kind: "NativeTransfer", value: "9", symbol: "SOL", fee: "5000", direction: "Out" },
        { kind: "SplTransfer", mint: SOLANA_MINT, value: "8", decimals: 6 },
      ],
    });
  });

  it("are the prices of each priority", async () => {
    stub.prices.push(...[1n, 2n, 3n].map((price) => price * 200_000n));
    const { status, body } = await world.call("GET", `/networks/fees?network=${network}`);
    expect([status, body]).toEqual([
      200,
      {
        kind: "Solana",
        network,
        blockNumber: 5_000,
        slow: { computeUnitPrice: "200000" },
        standard: { computeUnitPrice: "400000" },
        fast: { computeUnitPrice: "400000" },
      },
    ]);
  });
});

describe("INV-8 policies on Solana", () => {
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
  const broadcast = (transaction: string) =>
    world.call("POST", `${path}/transactions`, { kind: "Transaction", transaction });

  it("compare recipients of transfers and of a caller's own bytes", async () => {
    await under(rule("TransactionRecipientWhitelist", { addresses: [SOLANA_RECIPIENT] }), async () => {
      expect(await statusOf(send({ ...native, amount: "11" }))).toBe("Pending");
      expect(await statusOf(send({ ...spl, to: STRANGER, amount: "11" }))).toBe("Rejected");
      expect(await statusOf(broadcast(solanaBytes({ blockhash: STRANGER })))).toBe("Pending");
      const elsewhere = [payment(SOLANA_SENDER, STRANGER)];
      expect(await statusOf(broadcast(solanaBytes({ instructions: elsewhere })))).toBe("Rejected");
      const nameless = {
        kind: "tokenPayment",
        token: "Spl",
        mint: SOLANA_MINT,
        from: SOLANA_SENDER,
        // an account whose owner the bytes do not name
        destination: STRANGER,
        amount: 1n,
        decimals: 6,
      } as const;
      expect(await statusOf(broadcast(solanaBytes({ instructions: [nameless] })))).toBe("Rejected");
    });
  });

  it("trigger on amounts of which nobody knows the worth", async () => {
    await under(rule("TransactionAmountLimit", { limit: 1_000_000, currency: "USD" }), async () => {
      expect(await statusOf(send({ ...native, amount: "12" }))).toBe("Rejected");
    });
  });
});
