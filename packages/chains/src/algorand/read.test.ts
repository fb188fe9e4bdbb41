import type { TransactionReading } from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
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

const { genesisId, genesisHash, network } = ALGORAND_TESTNET;
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

const said = (result: ReturnType<typeof ALGORAND_FAMILY.read>): string =>
  result.ok ? "ok" : `${result.problem.code} ${String(result.problem.details["field"] ?? "")}`.trim();

const readOf = (draft: AlgorandDraft, act: Parameters<typeof ALGORAND_FAMILY.read>[2] = ACT): string =>
  said(ALGORAND_FAMILY.read(ALGORAND_TESTNET, encodeAlgorand(draft), act));

const reading = (draft: AlgorandDraft, act = ACT): TransactionReading => {
  const read = ALGORAND_FAMILY.read(ALGORAND_TESTNET, encodeAlgorand(draft), act);
  return read.ok ? read.value : expect.fail(read.problem.message);
};

describe("INV-3 a signer's reading of a transfer", () => {
  it("is what is signed, what it costs and what it does", () => {
    expect(reading(PAYMENT)).toEqual({
      signables: [{ scheme: "FROST-Ed25519", bytes: bytesToSign(encodeAlgorand(PAYMENT)) }],
      exclusion: algorandExclusion(PAYMENT),
      deadlineMs: undefined,
      fee: 1_000n,
      effects: {
        movements: [{ asset: "Native", amount: "1500000", recipient: ALGORAND_RECIPIENT }],
        unknown: undefined,
      },
    });
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

  it("refuses what is authorised for another network, with a cosigner, or with a field that nobody knows", () => {
    const cosigners = ["key-aaaaa-bbbbb-cccccccccccccccd"];
    expect(readOf(PAYMENT, authorisedAlgorand(ALGO_TRANSFER, { network: "Algorand" }))).toBe(
      "TransactionMismatch network",
    );
    expect(readOf(PAYMENT, authorisedAlgorand(ALGO_TRANSFER, { cosigners }))).toBe(
      "TransactionMismatch cosigners",
    );
    for (const transfer of [
      { ...ALGO_TRANSFER, memo: "x" },
      { ...ALGO_TRANSFER, amount: "0" },
      { ...ALGO_TRANSFER, amount: "18446744073709551616" },
      { ...ALGO_TRANSFER, to: `${ALGORAND_RECIPIENT.slice(0, -1)}A` },
      { ...ALGO_TRANSFER, kind: "Erc20" },
    ]) {
      const act = authorisedAlgorand(ALGO_TRANSFER, { transfer });
      expect(readOf(PAYMENT, act)).toContain("TransactionMismatch");
    }
  });

  it("refuses bytes that do more than they are authorised for", () => {
    const closing = Buffer.from(encodeAlgorand(PAYMENT));
    closing[0] = 0x8b;
    const read = ALGORAND_FAMILY.read(ALGORAND_TESTNET, closing, ACT);
    expect(said(read)).toBe("TransactionUnreadable");
  });
});

describe("INV-3 a signer's reading of a caller's own bytes", () => {
  const OPT_IN: AlgorandDraft = {
    ...PAYMENT,
    lease: undefined,
    payment: { ...MOVED, to: ALGORAND_SENDER, amount: 0n },
  };
  const unsigned = encodeAlgorand(OPT_IN);

  it("takes them as they are: any lease or none, as an opt-in to an asset is", () => {
    for (const draft of [OPT_IN, PAYMENT, { ...TRANSFER, genesisId: undefined }]) {
      expect(readOf(draft, authorisedAlgorandBytes(encodeAlgorand(draft)))).toBe("ok");
    }
  });

  it("refuses other bytes, another account's, and a place that they cannot take", () => {
    const act = authorisedAlgorandBytes(unsigned);
    expect(readOf({ ...OPT_IN, fee: 1_001n }, act)).toBe("TransactionMismatch bytes");
    expect(readOf(OPT_IN, authorisedAlgorandBytes(unsigned, { from: STRANGER }))).toBe(
      "TransactionMismatch from",
    );
    expect(readOf(OPT_IN, { ...act, replaces: [act.requestId] })).toBe("TransactionMismatch replaces");
  });

  it("refuses what costs more than the network's cap", () => {
    const dear = { ...OPT_IN, fee: 100_001n };
    expect(readOf(dear, authorisedAlgorandBytes(encodeAlgorand(dear)))).toBe("FeeAboveCap");
  });
});

describe("INV-3 a signer's reading of a transaction that is not sent", () => {
  const content = (draft: AlgorandDraft, change: object = {}) => ({
    kind: "transaction",
    network,
    transaction: bytesToHex(encodeAlgorand(draft)),
    ...change,
  });
  const readContentOf = (...given: Parameters<typeof content>): string => {
    const read = ALGORAND_FAMILY.readContent([ALGORAND_TESTNET], content(...given));
    return read.ok ? "ok" : `${read.problem.code} ${String(read.problem.details["field"] ?? "")}`.trim();
  };

  it("is of the bytes for the chain of a network that is served", () => {
    expect(ALGORAND_FAMILY.readContent([ALGORAND_TESTNET], content(PAYMENT))).toEqual({
      ok: true,
      value: {
        signables: [{ scheme: "FROST-Ed25519", bytes: bytesToSign(encodeAlgorand(PAYMENT)) }],
        transaction: {
          network,
          unsigned: encodeAlgorand(PAYMENT),
          exclusion: algorandExclusion(PAYMENT),
          deadlineMs: undefined,
        },
      },
    });
  });

  it("refuses everything else", () => {
    expect(readContentOf(PAYMENT, { network: "Algorand" })).toBe("NetworkNotEnabled");
    expect(readContentOf({ ...PAYMENT, genesisId: "mainnet-v1.0" })).toBe("TransactionMismatch genesisId");
    expect(readContentOf({ ...PAYMENT, fee: 100_001n })).toBe("FeeAboveCap");
    expect(readContentOf(PAYMENT, { transaction: "80" })).toBe("TransactionUnreadable");
    expect(readContentOf(PAYMENT, { kind: "message" })).toContain("TransactionMismatch");
    expect(readContentOf(PAYMENT, { memo: "x" })).toContain("TransactionMismatch");
  });
});
