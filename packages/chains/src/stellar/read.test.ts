import { describe, expect, it } from "vitest";
import { describeReadings, readingsOf } from "../exact-bytes/testing/reading-suite.ts";
import { testEdwardsKey } from "../testing/account.ts";
import {
  authorisedStellar,
  authorisedStellarBytes,
  LUMEN_TRANSFER,
  SEP41_TRANSFER,
  STELLAR_RECIPIENT,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  STELLAR_TOKEN,
  STELLAR_TOKEN_SPELT,
  STELLAR_TRUSTLINE,
} from "../testing/stellar-samples.ts";
import { stellarExclusion } from "./exclusion.ts";
import { STELLAR_FAMILY } from "./family.ts";
import { stellarAddress, stellarContractAddress } from "./rules/address.ts";
import { assetContractOf } from "./soroban/asset-contract.ts";
import { encodeStellar, type StellarDraft, stellarHash } from "./transaction.ts";
import type { StellarMemo } from "./xdr/memo.ts";

const { passphrase } = STELLAR_TESTNET;
const STRANGER = stellarAddress(testEdwardsKey("0d".repeat(32)).publicKey);
const CONTRACT = stellarContractAddress(new Uint8Array(32).fill(5));
const ACT = authorisedStellar(LUMEN_TRANSFER);
const SEP41_ACT = authorisedStellar(SEP41_TRANSFER);

const LUMENS = {
  kind: "payment",
  to: STELLAR_RECIPIENT,
  token: undefined,
  amount: 15_000_000n,
} as const;
const PAYMENT: StellarDraft = { ...STELLAR_TRUSTLINE, memo: { kind: "id", id: "4711" }, operation: LUMENS };
const MOVED = { kind: "payment", to: STELLAR_RECIPIENT, token: STELLAR_TOKEN, amount: 25_000_000n } as const;
const TRANSFER: StellarDraft = { ...STELLAR_TRUSTLINE, operation: MOVED };

const READ = { family: STELLAR_FAMILY, entry: STELLAR_TESTNET, encode: encodeStellar, act: ACT };
const { readOf, reading } = readingsOf(READ);

describeReadings({
  ...READ,
  elsewhere: "Stellar",
  authorised: (change) => authorisedStellar(LUMEN_TRANSFER, change),
  authorisedBytes: authorisedStellarBytes,
  payment: PAYMENT,
  read: {
    signables: [{ scheme: "FROST-Ed25519", bytes: stellarHash(passphrase, encodeStellar(PAYMENT)) }],
    exclusion: stellarExclusion(passphrase, PAYMENT),
    deadlineMs: 2_000_000_201_000,
    fee: 100n,
    effects: {
      movements: [{ asset: "Native", amount: "15000000", recipient: STELLAR_RECIPIENT }],
      unknown: undefined,
    },
  },
  untaken: [
    { ...LUMEN_TRANSFER, priority: "Fast" },
    { ...LUMEN_TRANSFER, amount: "0" },
    { ...LUMEN_TRANSFER, amount: "9223372036854775808" },
    { ...LUMEN_TRANSFER, to: `${STELLAR_RECIPIENT.slice(0, -1)}A` },
    { ...LUMEN_TRANSFER, memo: "4711" },
    { ...LUMEN_TRANSFER, memo: { kind: "id", id: "04711" } },
    { ...LUMEN_TRANSFER, kind: "Erc20" },
    { ...SEP41_TRANSFER, to: CONTRACT, memo: { kind: "id", id: "1" } },
    { ...SEP41_TRANSFER, assetCode: "TOOLONGACODE1" },
  ],
  given: [STELLAR_TRUSTLINE, PAYMENT, TRANSFER],
  changed: { ...STELLAR_TRUSTLINE, fee: 101n },
  stranger: STRANGER,
  dear: { ...PAYMENT, fee: 100_001n },
});

describe("INV-3 a signer's reading of a transfer on Stellar", () => {
  it("of an asset says which one moves", () => {
    expect(reading(TRANSFER, SEP41_ACT).effects.movements).toEqual([
      { asset: STELLAR_TOKEN_SPELT, amount: "25000000", recipient: STELLAR_RECIPIENT },
    ]);
  });

  it("is of this network's chain alone: the passphrase is in the hash", () => {
    const other = { ...STELLAR_TESTNET, passphrase: "Public Global Stellar Network ; September 2015" };
    const read = STELLAR_FAMILY.read(other, encodeStellar(PAYMENT), ACT);
    expect(read.ok && read.value.signables[0]?.bytes).not.toEqual(reading(PAYMENT).signables[0]?.bytes);
    expect(read.ok && read.value.exclusion).not.toEqual(reading(PAYMENT).exclusion);
  });

  it("leaves sequence number, times and fee to the service, up to the network's cap", () => {
    for (const change of [
      { sequence: 1n },
      { minTime: 5n },
      { maxTime: 1n },
      { fee: 0n },
      { fee: 100_000n },
    ]) {
      expect(readOf({ ...PAYMENT, ...change })).toBe("ok");
    }
    expect(readOf({ ...PAYMENT, fee: 100_001n })).toBe("FeeAboveCap");
  });

  it("takes lumens as a payment, or as the first ones of a new account", () => {
    const { to, amount } = LUMENS;
    const created = { ...PAYMENT, operation: { kind: "createAccount", to, amount } } as const;
    expect(readOf(created)).toBe("ok");
    expect(readOf({ ...created, operation: { ...created.operation, amount: 15_000_001n } })).toBe(
      "TransactionMismatch amount",
    );
    expect(readOf({ ...created, memo: { kind: "none" } })).toBe("TransactionMismatch memo");
  });

  it.each<[string, Partial<StellarDraft>]>([
    ["from", { from: STRANGER }],
    ["to", { operation: { ...LUMENS, to: STRANGER } }],
    ["amount", { operation: { ...LUMENS, amount: 14_999_999n } }],
    ["asset", { operation: { ...LUMENS, token: STELLAR_TOKEN } }],
    ["operation", { operation: STELLAR_TRUSTLINE.operation }],
    ...(
      [
        { kind: "none" },
        { kind: "id", id: "4712" },
        { kind: "text", text: "4711" },
        { kind: "hash", hash: "00".repeat(32) },
      ] as const
    ).map((memo: StellarMemo): [string, Partial<StellarDraft>] => ["memo", { memo }]),
  ])("refuses a payment whose %s is not what was authorised", (field, change) => {
    expect(readOf({ ...PAYMENT, ...change })).toBe(`TransactionMismatch ${field}`);
  });

  it.each<[string, Partial<StellarDraft>]>([
    ["from", { from: STRANGER }],
    ["to", { operation: { ...MOVED, to: STRANGER } }],
    ["to", { operation: { ...MOVED, to: STELLAR_SENDER } }],
    ["amount", { operation: { ...MOVED, amount: 25_000_001n } }],
    ["asset", { operation: { ...MOVED, token: { ...STELLAR_TOKEN, code: "USD" } } }],
    ["asset", { operation: { ...MOVED, token: { ...STELLAR_TOKEN, issuer: STRANGER } } }],
    ["asset", { operation: { ...LUMENS, amount: 25_000_000n } }],
    ["asset", { operation: { kind: "createAccount", to: STELLAR_RECIPIENT, amount: 25_000_000n } }],
    ["memo", { memo: { kind: "text", text: "x" } }],
  ])("refuses a transfer of an asset whose %s is not what was authorised", (field, change) => {
    expect(readOf({ ...TRANSFER, ...change }, SEP41_ACT)).toBe(`TransactionMismatch ${field}`);
  });

  it.each<StellarMemo & { readonly kind: "text" | "id" | "hash" }>([
    { kind: "text", text: "Rent7" },
    { kind: "id", id: "0" },
    { kind: "hash", hash: "ab".repeat(32) },
  ])("takes the authorised memo of kind $kind", (memo) => {
    expect(readOf({ ...PAYMENT, memo }, authorisedStellar({ ...LUMEN_TRANSFER, memo }))).toBe("ok");
  });
});

describe("INV-3 a signer's reading of a transfer to a contract", () => {
  const CALL = {
    kind: "invokeHostFunction",
    contract: assetContractOf(passphrase, STELLAR_TOKEN),
    from: STELLAR_SENDER,
    to: CONTRACT,
    amount: 25_000_000n,
  } as const;
  const resources = {
    reads: [{ kind: "instance", contract: CALL.contract }],
    writes: [
      { kind: "trustline", account: STELLAR_SENDER, token: STELLAR_TOKEN },
      { kind: "balance", contract: CALL.contract, holder: CONTRACT },
    ],
    instructions: 1_000_000,
    readBytes: 500,
    writeBytes: 300,
    fee: 60_000n,
  } as const;
  const CALLED: StellarDraft = { ...STELLAR_TRUSTLINE, fee: 60_100n, operation: CALL, resources };
  const CALL_ACT = authorisedStellar({ ...SEP41_TRANSFER, to: CONTRACT });

  it("is a call of the asset's own contract, with what it costs in all", () => {
    expect(reading(CALLED, CALL_ACT)).toMatchObject({
      signables: [{ bytes: stellarHash(passphrase, encodeStellar(CALLED)) }],
      fee: 60_100n,
      effects: { movements: [{ asset: CALL.contract, amount: "25000000", recipient: CONTRACT }] },
    });
    const lumens = { ...CALL, contract: assetContractOf(passphrase, undefined), amount: 15_000_000n };
    const { memo: _, ...native } = LUMEN_TRANSFER;
    const act = authorisedStellar({ ...native, to: CONTRACT });
    expect(reading({ ...CALLED, operation: lumens }, act).effects.movements).toEqual([
      { asset: "Native", amount: "15000000", recipient: CONTRACT },
    ]);
  });

  it.each<[string, Partial<StellarDraft>]>([
    ["operation", { operation: MOVED }],
    ["asset", { operation: { ...CALL, contract: CONTRACT } }],
    ["asset", { operation: { ...CALL, contract: assetContractOf(passphrase, undefined) } }],
    ["asset", { operation: { ...CALL, contract: assetContractOf("another chain", STELLAR_TOKEN) } }],
    ["to", { operation: { ...CALL, to: STELLAR_RECIPIENT } }],
    ["to", { operation: { ...CALL, to: CALL.contract } }],
    ["amount", { operation: { ...CALL, amount: 25_000_001n } }],
    ["from", { from: STRANGER, operation: { ...CALL, from: STRANGER } }],
  ])(
    "refuses a call whose %s is not what was authorised",
    (field, { resources: given = resources, ...change }) => {
      const { resources: _, ...bare } = CALLED;
      const isCall = (change.operation ?? CALL).kind === "invokeHostFunction";
      const draft = { ...bare, ...change, ...(isCall ? { resources: given } : {}) };
      expect(readOf(draft, CALL_ACT)).toBe(`TransactionMismatch ${field}`);
    },
  );

  it("refuses a call where an account was to be paid, and one that costs more than the cap", () => {
    expect(readOf({ ...CALLED, operation: { ...CALL, to: STELLAR_RECIPIENT } }, SEP41_ACT)).toBe(
      "TransactionMismatch operation",
    );
    expect(readOf({ ...CALLED, fee: 100_001n }, CALL_ACT)).toBe("FeeAboveCap");
  });

  it("takes a caller's own call of any asset's contract, which policies know by its address", () => {
    const unsigned = encodeStellar(CALLED);
    expect(reading(CALLED, authorisedStellarBytes(unsigned)).effects.movements).toEqual([
      { asset: CALL.contract, amount: "25000000", recipient: CONTRACT },
    ]);
  });
});

it("INV-3 a signer reads a caller's own trustline as nothing that moves", () => {
  const act = authorisedStellarBytes(encodeStellar(STELLAR_TRUSTLINE));
  expect(reading(STELLAR_TRUSTLINE, act).effects.movements).toEqual([
    { asset: STELLAR_TOKEN_SPELT, amount: "0", recipient: STELLAR_SENDER },
  ]);
});
