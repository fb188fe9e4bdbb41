import { describe, expect, it } from "vitest";
import { describeReadings, readingsOf } from "../exact-bytes/testing/reading-suite.ts";
import {
  authorisedTron,
  authorisedTronBytes,
  TRC10_ID,
  TRC10_TRANSFER,
  TRC20_TRANSFER,
  TRC721_TRANSFER,
  TRON_DRAFT,
  TRON_NILE,
  TRON_RECIPIENT,
  TRON_SENDER,
  TRON_TOKEN,
  TRX_TRANSFER,
} from "../testing/tron-samples.ts";
import type { TronContract } from "./contract.ts";
import { TRON_EXCLUSION } from "./exclusion.ts";
import { TRON_FAMILY } from "./family.ts";
import { tronContractOf } from "./plan.ts";
import { taggedTimes, tronTagOf } from "./request-tag.ts";
import { encodeTron, type TronDraft, tronDigest } from "./transaction.ts";

const STRANGER = "TPL66VK2gCXNCD7EJg9pgJRfqcRazjhUZY";
const ACT = authorisedTron(TRX_TRANSFER);
const TIMES = taggedTimes(tronTagOf(ACT.requestId), {
  timestampMs: 1_800_000_000_000n,
  expirationMs: 1_800_000_300_000n,
});

const draftOf = (contract: TronContract): TronDraft => ({ ...TRON_DRAFT, ...TIMES, contract });
const NATIVE = draftOf(tronContractOf(TRX_TRANSFER));
const TRC10 = draftOf(tronContractOf(TRC10_TRANSFER));
const CALL = { ...draftOf(tronContractOf(TRC20_TRANSFER)), feeLimit: 30_000_000n };
const COLLECTIBLE = { ...draftOf(tronContractOf(TRC721_TRANSFER)), feeLimit: 30_000_000n };

const READ = { family: TRON_FAMILY, entry: TRON_NILE, encode: encodeTron, act: ACT };
const { readOf, reading } = readingsOf(READ);

describeReadings({
  ...READ,
  elsewhere: "Tron",
  authorised: (change) => authorisedTron(TRX_TRANSFER, change),
  authorisedBytes: authorisedTronBytes,
  payment: NATIVE,
  read: {
    signables: [{ scheme: "CGGMP24", bytes: tronDigest(encodeTron(NATIVE)) }],
    exclusion: TRON_EXCLUSION,
    deadlineMs: Number(NATIVE.expirationMs),
    fee: 0n,
    effects: {
      movements: [{ asset: "Native", amount: "1500000", recipient: TRON_RECIPIENT }],
      unknown: undefined,
    },
  },
  untaken: [
    { ...TRX_TRANSFER, memo: "x" },
    { ...TRX_TRANSFER, amount: "0" },
    { ...TRX_TRANSFER, amount: "9223372036854775808" },
    { ...TRX_TRANSFER, to: `${TRON_RECIPIENT.slice(0, -1)}A` },
    { ...TRX_TRANSFER, kind: "Erc20" },
  ],
  // the last one without a timestamp: callers choose any
  given: [TRON_DRAFT, NATIVE, TRC10, CALL, { ...NATIVE, timestampMs: 0n }],
  changed: { ...TRON_DRAFT, timestampMs: 1n },
  stranger: STRANGER,
  dear: { ...CALL, feeLimit: 100_000_001n },
});

describe("INV-3 a signer's reading of a transfer on TRON", () => {
  it.each([
    ["a TRC-10 token", TRC10, TRC10_TRANSFER, 0n, { asset: TRC10_ID, amount: "2500000" }],
    ["a TRC-20 token", CALL, TRC20_TRANSFER, 30_000_000n, { asset: TRON_TOKEN, amount: "2500000" }],
    ["a TRC-721 token", COLLECTIBLE, TRC721_TRANSFER, 30_000_000n, { asset: TRON_TOKEN, amount: undefined }],
  ])("is the same of %s", (_, draft, transfer, fee, moved) => {
    const read = reading(draft, authorisedTron(transfer));
    expect([read.fee, read.effects.movements]).toEqual([fee, [{ ...moved, recipient: TRON_RECIPIENT }]]);
  });

  it("leaves its block, the rest of its times and its limit to the service, up to the network's cap", () => {
    const act = authorisedTron(TRC20_TRANSFER);
    for (const change of [
      { refBlockBytes: Uint8Array.of(9, 9) },
      { refBlockHash: new Uint8Array(8).fill(7) },
      { timestampMs: CALL.timestampMs + 2n ** 24n },
      { expirationMs: CALL.expirationMs + 2n ** 16n },
      { feeLimit: 0n },
      { feeLimit: 100_000_000n },
    ]) {
      expect(readOf({ ...CALL, ...change }, act)).toBe("ok");
    }
    expect(readOf({ ...CALL, feeLimit: 100_000_001n }, act)).toBe("FeeAboveCap");
  });

  const native = NATIVE.contract;
  it.each<[string, Partial<TronDraft>]>([
    ["from", { contract: { ...native, from: STRANGER } }],
    ["to", { contract: { type: "TransferContract", from: TRON_SENDER, to: STRANGER, amount: 1_500_000n } }],
    ["amount", { contract: { type: "TransferContract", from: TRON_SENDER, to: TRON_RECIPIENT, amount: 1n } }],
    ["type", { contract: TRC10.contract }],
    ["type", { contract: CALL.contract }],
    ["timestamp", { timestampMs: NATIVE.timestampMs + 1n }],
    ["timestamp", { timestampMs: 0n }],
    ["expiration", { expirationMs: NATIVE.expirationMs + 1n }],
    ["expiration", { expirationMs: NATIVE.expirationMs + 2n ** 25n }],
  ])("refuses a payment whose %s is not what was authorised", (field, change) => {
    expect(readOf({ ...NATIVE, ...change })).toBe(`TransactionMismatch ${field}`);
  });

  const token = {
    type: "TransferAssetContract",
    from: TRON_SENDER,
    to: TRON_RECIPIENT,
    tokenId: TRC10_ID,
    amount: 2_500_000n,
  } as const;
  it.each<[string, TronContract]>([
    ["from", { ...token, from: STRANGER }],
    ["to", { ...token, to: STRANGER }],
    ["amount", { ...token, amount: 2_500_001n }],
    ["tokenId", { ...token, tokenId: "1002001" }],
    ["type", native],
  ])("refuses a TRC-10 transfer whose %s is not what was authorised", (field, contract) => {
    expect(readOf({ ...TRC10, contract }, authorisedTron(TRC10_TRANSFER))).toBe(
      `TransactionMismatch ${field}`,
    );
  });

  const transfer = { function: "transfer", to: TRON_RECIPIENT, amount: 2_500_000n } as const;
  const calling = {
    type: "TriggerSmartContract",
    from: TRON_SENDER,
    contract: TRON_TOKEN,
    call: transfer,
  } as const;
  const moving = {
    function: "safeTransferFrom",
    owner: TRON_SENDER,
    to: TRON_RECIPIENT,
    tokenId: 7n,
  } as const;
  it.each<[string, TronContract]>([
    ["from", { ...calling, from: STRANGER }],
    ["contract", { ...calling, contract: STRANGER }],
    ["to", { ...calling, call: { ...transfer, to: STRANGER } }],
    ["amount", { ...calling, call: { ...transfer, amount: 2_500_001n } }],
    ["function", { ...calling, call: moving }],
    ["type", native],
  ])("refuses a TRC-20 transfer whose %s is not what was authorised", (field, contract) => {
    expect(readOf({ ...CALL, contract }, authorisedTron(TRC20_TRANSFER))).toBe(
      `TransactionMismatch ${field}`,
    );
  });

  it.each<[string, TronContract]>([
    ["from", { ...calling, from: STRANGER, call: moving }],
    ["contract", { ...calling, contract: STRANGER, call: moving }],
    ["owner", { ...calling, call: { ...moving, owner: STRANGER } }],
    ["to", { ...calling, call: { ...moving, to: STRANGER } }],
    ["tokenId", { ...calling, call: { ...moving, tokenId: 8n } }],
    ["function", calling],
  ])("refuses a TRC-721 transfer whose %s is not what was authorised", (field, contract) => {
    const act = authorisedTron(TRC721_TRANSFER);
    expect(readOf({ ...COLLECTIBLE, contract }, act)).toBe(`TransactionMismatch ${field}`);
  });

  it("INV-4 refuses the bytes of another request, whatever both move", () => {
    const other = authorisedTron(TRX_TRANSFER, { requestId: "xfr-aaaaa-bbbbb-cccccccccccccccd" });
    expect(readOf(NATIVE, other)).toBe("TransactionMismatch timestamp");
  });
});
