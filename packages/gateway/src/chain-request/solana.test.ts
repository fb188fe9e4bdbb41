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
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type ExactBytesCase,
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

const { network } = SOLANA_DEVNET;
const STRANGER = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";
const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

let family: FamilyWorld;
let world: World;
let stub: StubSolana;

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
  family = await startFamilyWorld({ ...SOLANA_DEVNET, solanaUrl: stub.url }, "FROST-Ed25519", SOLANA_KEY);
  world = family.world;
});
afterAll(async () => {
  await world.stop();
  await stub.stop();
});

const native = { kind: "Native" as const, to: SOLANA_RECIPIENT, amount: "1500000000" };
const spl = { kind: "Spl", mint: SOLANA_MINT, to: SOLANA_RECIPIENT, amount: "5" };
const send = (body: object) => family.send(body);

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

const CASE: ExactBytesCase = {
  family: () => family,
  address: SOLANA_SENDER,
  unserved: "Solana",
  otherKey: { scheme: "ECDSA", curve: "secp256k1" },
  native,
  refusedTransfers: [
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
  ],
  refusedBytes: [
    [
      "TransactionInvalid",
      "of another account",
      solanaBytes({ from: STRANGER, instructions: [payment(STRANGER)] }),
    ],
    ...UNREADABLE.map(([name, bytes]) => ["TransactionUnreadable", name, bytes] as const),
  ],
  dearBytes: solanaBytes({
    instructions: [{ kind: "computePrice", price: 10_000_000n }, payment(SOLANA_SENDER)],
  }),
};

describe("a wallet on Solana", () => {
  itRefusesWallets(CASE);

  itMakesEdwardsKeys(() => family, SOLANA_KEY);
});

describe("a transfer on Solana", () => {
  it("of the native coin is authorised with its sender, and may name its priority", async () => {
    const { status, body } = await send({ ...native, priority: "Fast" });
    expect([status, body]).toMatchObject([
      200,
      { network, status: "Pending", metadata: { asset: { symbol: "SOL", decimals: 9, verified: true } } },
    ]);
    expect(await family.actOf(body)).toMatchObject({
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
    expect(await family.actOf(body)).toMatchObject({
      transfer: {
        kind: "Spl",
        mint: SOLANA_MINT,
        from: SOLANA_SENDER,
        amount: "5",
        createDestinationAccount: true,
      },
    });
    const without = await send({ ...spl, kind: "Spl2022" });
    expect(await family.actOf(without.body)).toMatchObject({
      transfer: { kind: "Spl2022", createDestinationAccount: false },
    });
  });

  itRefusesTransfers(CASE);

  it("is accepted without a name of its asset while the node is away", async () => {
    stub.spoilt.set("", { status: 503, text: "" });
    const { status, body } = await send({ ...spl, amount: "6" });
    stub.spoilt.clear();
    expect([status, body]).toMatchObject([200, { metadata: { asset: {} } }]);
  });
});

describe("a transaction of a caller's making on Solana", () => {
  const broadcast = (transaction: string) => family.broadcast(transaction);

  it("is accepted as it is", async () => {
    const { status, body } = await broadcast(solanaBytes());
    expect([status, body]).toMatchObject([200, { network, requestBody: { kind: "Transaction" } }]);
  });

  itRefusesBytes(CASE);

  itTakesNoPlace(CASE);
});

describe("a signature for Solana", () => {
  const sign = (body: object) => family.sign(body);

  itSignsWhole(
    () => family,
    "Solana",
    "FROST-Ed25519",
    () => solanaBytes(),
  );

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
    const { body } = await world.call("GET", family.path);
    const { signingKey } = z.object({ signingKey: z.object({ id: z.string() }) }).parse(body);
    for (const from of [family.path, `/keys/${signingKey.id}`]) {
      const answer = await world.call("POST", `${from}/signatures`, { kind: "Message", message });
      expect(codeOf(answer)).toEqual([400, "TransactionUnreadable"]);
    }
    expect((await sign({ kind: "Message", message: "0x68656c6c6f" })).status).toBe(200);
  });
});

describe("what is read of a wallet on Solana", () => {
  const settle = (body: object) => family.settle(body, "5000");

  it("are its coin, and the tokens that transfers have moved", async () => {
    await settle({ ...spl, amount: "8" });
    const { status, body } = await world.call("GET", `${family.path}/assets`);
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
    const { body } = await world.call("GET", `${family.path}/history`);
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
  const broadcast = (transaction: string) => family.broadcast(transaction);

  it("compare recipients of transfers and of a caller's own bytes", async () => {
    await family.under("TransactionRecipientWhitelist", { addresses: [SOLANA_RECIPIENT] }, async () => {
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

  itTriggersWithoutPrice(CASE);
});
