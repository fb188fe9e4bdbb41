import { bytesToHex, concatBytes, hexToBytes } from "@noble/curves/utils.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { TronWeb } from "tronweb";
import { describe, expect, it } from "vitest";
import {
  TRC10_ID,
  TRC10_TRANSFER,
  TRC20_TRANSFER,
  TRC721_TRANSFER,
  TRON_DRAFT,
  TRON_KEY,
  TRON_RECIPIENT,
  TRON_SENDER,
  TRON_TOKEN,
  TRX_TRANSFER,
} from "../testing/tron-samples.ts";
import { tronAddressOf } from "./address.ts";
import { encodeTronCall } from "./call.ts";
import type { TronContract } from "./contract.ts";
import { tronContractOf } from "./plan.ts";
import { bytesField, numberField, varint } from "./protobuf/write.ts";
import { tronAccount } from "./rules/address.ts";
import { rawDataIn, signedTron } from "./signed.ts";
import { decodeTron, encodeTron, type TronDraft, tronId } from "./transaction.ts";

const tronWeb = new TronWeb({ fullHost: "http://127.0.0.1:9" });
const blockHeader = {
  ref_block_bytes: "1234",
  ref_block_hash: "0102030405060708",
  expiration: Number(TRON_DRAFT.expirationMs),
  timestamp: Number(TRON_DRAFT.timestampMs),
};
const FEE_LIMIT = 10_000_000;

const draftOf = (contract: TronContract): TronDraft => ({
  ...TRON_DRAFT,
  contract,
  feeLimit: contract.type === "TriggerSmartContract" ? BigInt(FEE_LIMIT) : 0n,
});
const NATIVE = draftOf(tronContractOf(TRX_TRANSFER));
const TRC10 = draftOf(tronContractOf(TRC10_TRANSFER));
const TRC20 = draftOf(tronContractOf(TRC20_TRANSFER));
const TRC721 = draftOf(tronContractOf(TRC721_TRANSFER));

const called = async (selector: string, parameters: { type: string; value: string | number }[]) => {
  const options = { feeLimit: FEE_LIMIT, blockHeader, txLocal: true };
  const { transactionBuilder } = tronWeb;
  const built = await transactionBuilder.triggerSmartContract(
    TRON_TOKEN,
    selector,
    options,
    parameters,
    TRON_SENDER,
  );
  return built.transaction;
};

/** Transactions by the chain's own SDK for the same transfers. */
const OF_THE_SDK: readonly (readonly [
  string,
  TronDraft,
  () => Promise<{ raw_data_hex: string; txID: string }>,
])[] = [
  [
    "TRX",
    NATIVE,
    () => tronWeb.transactionBuilder.sendTrx(TRON_RECIPIENT, 1_500_000, TRON_SENDER, { blockHeader }),
  ],
  [
    "a TRC-10 token",
    TRC10,
    () =>
      tronWeb.transactionBuilder.sendToken(TRON_RECIPIENT, 2_500_000, TRC10_ID, TRON_SENDER, { blockHeader }),
  ],
  [
    "a TRC-20 token",
    TRC20,
    () =>
      called("transfer(address,uint256)", [
        { type: "address", value: TRON_RECIPIENT },
        { type: "uint256", value: 2_500_000 },
      ]),
  ],
  [
    "a TRC-721 token",
    TRC721,
    () =>
      called("safeTransferFrom(address,address,uint256)", [
        { type: "address", value: TRON_SENDER },
        { type: "address", value: TRON_RECIPIENT },
        { type: "uint256", value: 7 },
      ]),
  ],
];

const refusalOf = (unsigned: Uint8Array): string => {
  const decoded = decodeTron(unsigned);
  return decoded.ok ? "read" : `${decoded.problem.code}: ${decoded.problem.message}`;
};

describe("an address of TRON", () => {
  it("is the one that the SDK derives from the key", () => {
    expect(TRON_SENDER).toBe(TronWeb.address.fromPrivateKey("0e".repeat(32)));
    expect(() => tronAddressOf(TRON_KEY.publicKey.slice(1))).toThrow(RangeError);
  });
});

describe("the bytes of a transaction", () => {
  it.each(OF_THE_SDK)("are those that the SDK writes, of %s, and so is its id", async (_, draft, build) => {
    const { raw_data_hex, txID } = await build();
    const unsigned = encodeTron(draft);
    expect([bytesToHex(unsigned), tronId(unsigned)]).toEqual([raw_data_hex, txID]);
  });

  it.each(OF_THE_SDK)("are read again, of %s", (_, draft) => {
    expect(decodeTron(encodeTron(draft))).toEqual({ ok: true, value: draft });
  });

  it("name their transaction, whatever its signature", () => {
    const unsigned = encodeTron(TRC20);
    for (const byte of [1, 2]) {
      expect(tronId(rawDataIn(signedTron(unsigned, new Uint8Array(65).fill(byte))))).toBe(tronId(unsigned));
    }
    expect(() => rawDataIn(Uint8Array.of(1, 2, 3))).toThrow(TypeError);
  });

  it("are read as they were written, whatever stands in them", () => {
    const account = fc.constantFrom(TRON_SENDER, TRON_RECIPIENT, TRON_TOKEN);
    const amount = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n });
    const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    const whole = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n });
    const call = fc.oneof(
      fc.record({ function: fc.constant("transfer" as const), to: account, amount: word }),
      fc.record({
        function: fc.constant("safeTransferFrom" as const),
        owner: account,
        to: account,
        tokenId: word,
      }),
    );
    const contract = fc.oneof(
      fc.record({ type: fc.constant("TransferContract" as const), from: account, to: account, amount }),
      fc.record({
        type: fc.constant("TransferAssetContract" as const),
        from: account,
        to: account,
        tokenId: amount.map(String),
        amount,
      }),
      fc.record({
        type: fc.constant("TriggerSmartContract" as const),
        from: account,
        contract: account,
        call,
      }),
    );
    const drafts = fc.record({
      refBlockBytes: fc.uint8Array({ minLength: 2, maxLength: 2 }),
      refBlockHash: fc.uint8Array({ minLength: 8, maxLength: 8 }),
      expirationMs: whole.map((time) => time || 1n),
      timestampMs: whole,
      feeLimit: whole,
      contract,
    });
    fc.assert(
      fc.property(drafts, (draft) => {
        expect(decodeTron(encodeTron(draft))).toEqual({ ok: true, value: draft });
      }),
    );
  });

  it("are never read in two ways: any changed byte is refused, or is another transaction", () => {
    for (const draft of [NATIVE, TRC10, TRC20, TRC721]) {
      const unsigned = encodeTron(draft);
      fc.assert(
        fc.property(fc.nat(unsigned.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
          const changed = unsigned.with(at, (unsigned[at] ?? 0) ^ flip);
          const decoded = decodeTron(changed);
          if (decoded.ok) expect(encodeTron(decoded.value)).toEqual(changed);
        }),
      );
    }
  });
});

/** The fields of raw_data, each of which a test may replace. */
const rawData = (change: Readonly<Record<number, Uint8Array>>): Uint8Array => {
  const fields: Record<number, Uint8Array> = {
    1: bytesField(1, NATIVE.refBlockBytes),
    4: bytesField(4, NATIVE.refBlockHash),
    8: numberField(8, NATIVE.expirationMs),
    11: contractOf(1n, "TransferContract", payment()),
    14: numberField(14, NATIVE.timestampMs),
    ...change,
  };
  return concatBytes(...Object.values(fields));
};
const contractOf = (
  type: bigint,
  name: string,
  message: Uint8Array,
  more: Uint8Array = new Uint8Array(0),
): Uint8Array => {
  const any = concatBytes(
    bytesField(1, utf8ToBytes(`type.googleapis.com/protocol.${name}`)),
    bytesField(2, message),
  );
  return bytesField(11, concatBytes(numberField(1, type), bytesField(2, any), more));
};
const hexAddress = (address: string): Uint8Array => concatBytes(Uint8Array.of(0x41), tronAccount(address));
const payment = (change: Readonly<Record<number, Uint8Array>> = {}): Uint8Array => {
  const fields: Record<number, Uint8Array> = {
    1: bytesField(1, hexAddress(TRON_SENDER)),
    2: bytesField(2, hexAddress(TRON_RECIPIENT)),
    3: numberField(3, 1_500_000n),
    ...change,
  };
  return concatBytes(...Object.values(fields));
};
const trigger = (data: Uint8Array, change: Readonly<Record<number, Uint8Array>> = {}): Uint8Array => {
  const fields: Record<number, Uint8Array> = {
    1: bytesField(1, hexAddress(TRON_SENDER)),
    2: bytesField(2, hexAddress(TRON_TOKEN)),
    4: bytesField(4, data),
    ...change,
  };
  const message = concatBytes(...Object.values(fields));
  return rawData({ 11: contractOf(31n, "TriggerSmartContract", message) });
};
const TRANSFER_DATA = encodeTronCall({ function: "transfer", to: TRON_RECIPIENT, amount: 5n });
const NOTHING = new Uint8Array(0);

describe("INV-3 a transaction that is not wholly understood", () => {
  it("differs from one that is", () => {
    expect(refusalOf(rawData({}))).toBe("read");
    expect(rawData({})).toEqual(encodeTron(NATIVE));
    expect(refusalOf(trigger(TRANSFER_DATA))).toBe("read");
  });

  it.each<[string, Uint8Array]>([
    ["a note (data)", rawData({ 10: bytesField(10, utf8ToBytes("hello")) })],
    ["an authority (auths)", rawData({ 9: bytesField(9, Uint8Array.of(8, 1)) })],
    ["scripts", rawData({ 12: bytesField(12, Uint8Array.of(1)) })],
    ["the number of its block (ref_block_num)", rawData({ 3: numberField(3, 7n) })],
    ["a field that there is not", rawData({ 19: numberField(19, 7n) })],
    ["two contracts", concatBytes(rawData({}), contractOf(1n, "TransferContract", payment()))],
    ["no contract", rawData({ 11: NOTHING })],
    ["no expiration", rawData({ 8: NOTHING })],
    ["an expiration that JSON cannot hold", rawData({ 8: numberField(8, 2n ** 53n) })],
    ["a timestamp that JSON cannot hold", rawData({ 14: numberField(14, 2n ** 53n) })],
    ["no reference block", rawData({ 1: NOTHING })],
    ["a reference of another length", rawData({ 1: bytesField(1, hexToBytes("123456")) })],
    ["a hash of another length", rawData({ 4: bytesField(4, hexToBytes("0102")) })],
    [
      "its fields in another order",
      concatBytes(rawData({ 1: NOTHING }), bytesField(1, NATIVE.refBlockBytes)),
    ],
    ["a zero that is written", rawData({ 18: concatBytes(varint(144n), varint(0n)) })],
    ["a number in more bytes than it takes", rawData({ 18: hexToBytes("90018100") })],
    ["a number of a length without end", rawData({ 18: hexToBytes("9001ffffffffffffffffffff7f") })],
    ["a field of a fixed length", rawData({ 18: hexToBytes("950100000000") })],
    ["a byte too much", concatBytes(rawData({}), Uint8Array.of(0))],
    ["a byte too few", rawData({}).slice(0, -1)],
    ["another kind", rawData({ 11: contractOf(4n, "VoteWitnessContract", payment()) })],
    [
      "a kind that does not fit its message",
      rawData({ 11: contractOf(1n, "TransferAssetContract", payment()) }),
    ],
    [
      "the permission of others",
      rawData({ 11: contractOf(1n, "TransferContract", payment(), numberField(5, 2n)) }),
    ],
    [
      "a contract's name",
      rawData({ 11: contractOf(1n, "TransferContract", payment(), bytesField(4, utf8ToBytes("x"))) }),
    ],
    ["an amount of nothing", rawData({ 11: contractOf(1n, "TransferContract", payment({ 3: NOTHING })) })],
    [
      "an amount below zero",
      rawData({ 11: contractOf(1n, "TransferContract", payment({ 3: numberField(3, 2n ** 64n - 1n) })) }),
    ],
    ["no recipient", rawData({ 11: contractOf(1n, "TransferContract", payment({ 2: NOTHING })) })],
    [
      "a recipient of another chain",
      rawData({
        11: contractOf(
          1n,
          "TransferContract",
          payment({ 2: bytesField(2, hexAddress(TRON_RECIPIENT).with(0, 0xa0)) }),
        ),
      }),
    ],
    [
      "a payment with a field that there is not",
      rawData({ 11: contractOf(1n, "TransferContract", payment({ 4: numberField(4, 1n) })) }),
    ],
    ["TRX with a call", trigger(TRANSFER_DATA, { 3: numberField(3, 1n) })],
    [
      "a TRC-10 token with a call",
      trigger(TRANSFER_DATA, { 5: numberField(5, 1n), 6: numberField(6, 1_002_000n) }),
    ],
    ["a call of another function", trigger(TRANSFER_DATA.with(0, 0x09))],
    ["a call with more behind its arguments", trigger(concatBytes(TRANSFER_DATA, Uint8Array.of(0)))],
    ["a call with too few arguments", trigger(TRANSFER_DATA.slice(0, -1))],
    ["an address in a call that is longer than one", trigger(TRANSFER_DATA.with(4, 1))],
    ["nothing", new Uint8Array(0)],
    ["more than any transaction", new Uint8Array(513)],
  ])("is refused: with %s", (_, unsigned) => {
    expect(refusalOf(unsigned)).toContain("TransactionUnreadable");
  });
});
