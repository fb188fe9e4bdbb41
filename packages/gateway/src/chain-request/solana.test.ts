import {
  SOLANA_MINT,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
  SOLANA_TOKEN_ACCOUNT,
  solanaBytes,
} from "@conclave/chains/testing";
import {
  openSolanaLedger,
  type ScriptedSolanaLedger,
  WALLET_SAMPLES,
} from "@conclave/chains/testing/ledgers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeExactBytes } from "../testing/exact-bytes-suite.ts";
import { codeOf, type FamilyWorld, startFamilyWorld } from "../testing/family-world.ts";
import { ADDRESS } from "../testing/world.ts";

const sample = WALLET_SAMPLES.Solana;
const { native } = sample;
const [spl] = sample.tokens;
const STRANGER = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";
const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

let family: FamilyWorld;
let ledger: ScriptedSolanaLedger;

beforeAll(async () => {
  ledger = await openSolanaLedger();
  // an initialised mint with six decimals
  const data = new Uint8Array(82);
  data.set([6, 1], 44);
  ledger.shows(SOLANA_MINT, { lamports: 1n, owner: TOKEN_PROGRAM, data });
  // a token account with 7 units for the sender
  const held = new Uint8Array(165);
  held.set([7], 64);
  held.set([1], 108);
  ledger.shows(SOLANA_TOKEN_ACCOUNT, { lamports: 1n, owner: TOKEN_PROGRAM, data: held });
  family = await startFamilyWorld(sample, ledger.node.url);
});
afterAll(async () => {
  await family.world.stop();
  await ledger.stop();
});

const payment = (from: string, to = SOLANA_RECIPIENT) => ({ kind: "payment", from, to, amount: 5n }) as const;
/** The sample's bytes with one byte changed. */
const spoilt = (at: number): string => {
  const bytes = Buffer.from(solanaBytes().slice(2), "hex");
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return `0x${bytes.toString("hex")}`;
};
/** Bytes that signers refuse to read. */
const UNREADABLE: readonly (readonly [string, string])[] = [
  ["with a signature already", spoilt(5)],
  ["of two signers", spoilt(66)],
  ["of another version", spoilt(65)],
  ["that ends too early", solanaBytes().slice(0, -2)],
  ["with a lookup table", `${solanaBytes().slice(0, -2)}01`],
  ["that is not one", "0x00"],
];
/** A token payment to an account whose owner the bytes do not name. */
const NAMELESS = {
  kind: "tokenPayment",
  token: "Spl",
  mint: SOLANA_MINT,
  from: SOLANA_SENDER,
  destination: STRANGER,
  amount: 1n,
  decimals: 6,
} as const;

describeExactBytes({
  sample,
  family: () => family,
  otherKey: { scheme: "ECDSA", curve: "secp256k1" },
  transfers: [
    {
      title: "the native coin, with a priority,",
      body: { ...native, priority: "Fast" },
      asset: { symbol: "SOL", decimals: 9, verified: true },
      content: { ...native, from: SOLANA_SENDER },
    },
    {
      title: "a token, for whose recipient an account may be made,",
      body: { ...spl, createDestinationAccount: true },
      asset: { decimals: 6, verified: false },
    },
    {
      title: "a token of the newer program",
      body: { ...spl, kind: "Spl2022" },
      asset: {},
      content: { kind: "Spl2022", from: SOLANA_SENDER, createDestinationAccount: false },
    },
  ],
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
  outage: { node: () => ledger.node, body: { ...spl, amount: "6" }, asset: {} },
  bytes: [["as it is", solanaBytes()]],
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
  refusedSignatures: UNREADABLE.map(([title, bytes]) => ["TransactionUnreadable", title, bytes]),
  disguised: {
    // the signed part of a transaction: everything after the count and the empty signature
    asked: [{ kind: "Message", message: `0x${solanaBytes().slice(2 + 2 * 65)}` }],
    plain: { kind: "Message", message: "0x68656c6c6f" },
  },
  settled: [{ ...spl, amount: "8" }],
  holdings: [
    { kind: "Native", symbol: "SOL", decimals: 9, balance: "10000000000000" },
    { kind: "Spl", mint: SOLANA_MINT, decimals: 6, balance: "7" },
  ],
  history: [
    { kind: "NativeTransfer", value: "9", symbol: "SOL", fee: "5000", direction: "Out" },
    { kind: "SplTransfer", mint: SOLANA_MINT, value: "8", decimals: 6 },
  ],
  hasPriorities: true,
  whitelist: {
    title: "a token account belongs to whom its bytes name",
    addresses: [SOLANA_RECIPIENT],
    transfers: [
      [{ ...native, amount: "11" }, "Pending"],
      [{ ...spl, to: STRANGER, amount: "11" }, "Rejected"],
    ],
    bytes: [
      [solanaBytes({ blockhash: STRANGER }), "Pending"],
      [solanaBytes({ instructions: [payment(SOLANA_SENDER, STRANGER)] }), "Rejected"],
      [solanaBytes({ instructions: [NAMELESS] }), "Rejected"],
    ],
    signatures: [],
  },
});

describe("a signature for Solana", () => {
  it("INV-9 is refused when it is of the bytes of another account: no signature of the wallet makes them valid", async () => {
    const instructions = [payment(SOLANA_RECIPIENT, SOLANA_SENDER)];
    const bytes = solanaBytes({ from: SOLANA_RECIPIENT, instructions });
    const answer = await family.sign(family.bodyOf(bytes));
    expect(codeOf(answer)).toEqual([400, "InvalidBody"]);
    expect(JSON.stringify(answer.body)).toContain(
      `from is ${SOLANA_RECIPIENT}, and must be ${SOLANA_SENDER}`,
    );
  });
});

describe("the network of Solana", () => {
  it("shows the prices of each priority", async () => {
    ledger.changes("getRecentPrioritizationFees", () =>
      [200_000, 400_000, 600_000].map((prioritizationFee) => ({ slot: 1, prioritizationFee })),
    );
    const { world, network } = family;
    const { status, body } = await world.call("GET", `/networks/fees?network=${network}`);
    expect([status, body]).toEqual([
      200,
      {
        kind: "Solana",
        network,
        blockNumber: Number(await ledger.lastSlot("confirmed")),
        slow: { computeUnitPrice: "200000" },
        standard: { computeUnitPrice: "400000" },
        fast: { computeUnitPrice: "400000" },
      },
    ]);
  });
});
