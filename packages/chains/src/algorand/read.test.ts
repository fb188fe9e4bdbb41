import { describe, expect, it } from "vitest";
import { describeReadings, readingsOf } from "../exact-bytes/testing/reading-suite.ts";
import {
  ALGO_TRANSFER,
  ALGORAND_RECIPIENT,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASA_TRANSFER,
  ASSET_ID,
  authorisedAlgorand,
  authorisedAlgorandBytes,
} from "../testing/algorand-samples.ts";
import { algorandExclusion } from "./exclusion.ts";
import { ALGORAND_FAMILY } from "./family.ts";
import { leaseOf } from "./lease.ts";
import { type AlgorandDraft, bytesToSign, encodeAlgorand } from "./transaction.ts";

const { genesisId, genesisHash } = ALGORAND_TESTNET;
const STRANGER = "BH55E5RMBD4GYWXGX5W5PJ5JAHPGM5OXKDQH5DC4O2MGI7NW4H6VOE4CP4";
const ACT = authorisedAlgorand(ALGO_TRANSFER);
const ASA_ACT = authorisedAlgorand(ASA_TRANSFER);

const PAYMENT: AlgorandDraft = {
  from: ALGORAND_SENDER,
  fee: 1_000n,
  firstValid: 100n,
  lastValid: 300n,
  genesisId,
  genesisHash,
  lease: leaseOf(ACT.requestId),
  payment: { type: "pay", to: ALGORAND_RECIPIENT, amount: 1_500_000n },
};
const MOVED = {
  type: "axfer",
  to: ALGORAND_RECIPIENT,
  amount: 2_500_000n,
  assetId: BigInt(ASSET_ID),
} as const;
const TRANSFER: AlgorandDraft = { ...PAYMENT, payment: MOVED };

const OPT_IN: AlgorandDraft = {
  ...PAYMENT,
  lease: undefined,
  payment: { ...MOVED, to: ALGORAND_SENDER, amount: 0n },
};
const READ = { family: ALGORAND_FAMILY, entry: ALGORAND_TESTNET, encode: encodeAlgorand, act: ACT };
const { said, readOf, reading, readContentOf } = readingsOf(READ);

describeReadings({
  ...READ,
  elsewhere: "Algorand",
  authorised: (change) => authorisedAlgorand(ALGO_TRANSFER, change),
  authorisedBytes: authorisedAlgorandBytes,
  payment: PAYMENT,
  read: {
    signables: [{ scheme: "FROST-Ed25519", bytes: bytesToSign(encodeAlgorand(PAYMENT)) }],
    exclusion: algorandExclusion(PAYMENT),
    deadlineMs: undefined,
    fee: 1_000n,
    effects: {
      movements: [{ asset: "Native", amount: "1500000", recipient: ALGORAND_RECIPIENT }],
      unknown: undefined,
    },
  },
  untaken: [
    { ...ALGO_TRANSFER, memo: "x" },
    { ...ALGO_TRANSFER, amount: "0" },
    { ...ALGO_TRANSFER, amount: "18446744073709551616" },
    { ...ALGO_TRANSFER, to: `${ALGORAND_RECIPIENT.slice(0, -1)}A` },
    { ...ALGO_TRANSFER, kind: "Erc20" },
  ],
  // with any lease or none; an opt-in to an asset has none
  given: [OPT_IN, PAYMENT, { ...TRANSFER, genesisId: undefined }],
  changed: { ...OPT_IN, fee: 1_001n },
  stranger: STRANGER,
  dear: { ...PAYMENT, fee: 100_001n },
});

describe("INV-3 a signer's reading of a transfer on Algorand", () => {
  it("of an asset says which one moves", () => {
    expect(reading(TRANSFER, ASA_ACT).effects.movements).toEqual([
      { asset: ASSET_ID, amount: "2500000", recipient: ALGORAND_RECIPIENT },
    ]);
  });

  it("leaves its rounds and its fee to the service, up to the network's cap", () => {
    for (const change of [{ firstValid: 0n }, { lastValid: 1_100n }, { fee: 1n }, { fee: 100_000n }]) {
      expect(readOf({ ...PAYMENT, ...change })).toBe("ok");
    }
    expect(readOf({ ...PAYMENT, fee: 100_001n })).toBe("FeeAboveCap");
  });

  it.each<[string, Partial<AlgorandDraft>]>([
    ["from", { from: STRANGER }],
    ["to", { payment: { type: "pay", to: STRANGER, amount: 1_500_000n } }],
    ["amount", { payment: { type: "pay", to: ALGORAND_RECIPIENT, amount: 1_500_001n } }],
    ["amount", { payment: { type: "pay", to: ALGORAND_RECIPIENT, amount: 0n } }],
    ["type", { payment: { ...MOVED, amount: 1_500_000n } }],
    ["lease", { lease: undefined }],
    ["lease", { lease: leaseOf("xfr-aaaaa-bbbbb-cccccccccccccccd") }],
    ["genesisHash", { genesisHash: "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=" }],
    ["genesisId", { genesisId: "mainnet-v1.0" }],
  ])("refuses a payment whose %s is not what was authorised", (field, change) => {
    expect(readOf({ ...PAYMENT, ...change })).toBe(`TransactionMismatch ${field}`);
  });

  it.each<[string, Partial<AlgorandDraft>]>([
    ["from", { from: STRANGER }],
    ["to", { payment: { ...MOVED, to: STRANGER } }],
    ["to", { payment: { ...MOVED, to: ALGORAND_SENDER } }],
    ["amount", { payment: { ...MOVED, amount: 2_499_999n } }],
    ["assetId", { payment: { ...MOVED, assetId: 10_458_942n } }],
    ["type", { payment: { type: "pay", to: ALGORAND_RECIPIENT, amount: 2_500_000n } }],
    ["lease", { lease: leaseOf("another request") }],
  ])("refuses a transfer of an asset whose %s is not what was authorised", (field, change) => {
    expect(readOf({ ...TRANSFER, ...change }, ASA_ACT)).toBe(`TransactionMismatch ${field}`);
  });

  it("refuses bytes that do more than they are authorised for", () => {
    const closing = Buffer.from(encodeAlgorand(PAYMENT));
    closing[0] = 0x8b;
    const read = ALGORAND_FAMILY.read(ALGORAND_TESTNET, closing, ACT);
    expect(said(read)).toBe("TransactionUnreadable");
  });
});

it("INV-3 a signer reads no transaction of another chain, whether or not it is sent", () => {
  expect(readContentOf({ ...PAYMENT, genesisId: "mainnet-v1.0" })).toBe("TransactionMismatch genesisId");
});
