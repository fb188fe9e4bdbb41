import { base64 } from "@scure/base";
import { encode } from "algorand-msgpack";
import {
  Address,
  decodeAddress,
  decodeSignedTransaction,
  decodeUnsignedTransaction,
  makeAssetTransferTxnWithSuggestedParamsFromObject,
  makePaymentTxnWithSuggestedParamsFromObject,
} from "algosdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ALGORAND_KEY,
  ALGORAND_RECIPIENT,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
} from "../testing/algorand-samples.ts";
import { attachAlgorandSignature } from "./attach.ts";
import {
  type AlgorandDraft,
  algorandId,
  bytesToSign,
  decodeAlgorand,
  encodeAlgorand,
} from "./transaction.ts";

const { genesisId, genesisHash } = ALGORAND_TESTNET;
const UINT64_MAX = 2n ** 64n - 1n;

/** Seed and public key, the SDK's form of a secret key. */
const ALGORAND_SECRET = Uint8Array.from([...new Uint8Array(32).fill(0x0b), ...ALGORAND_KEY.publicKey]);

const uint64 = fc.bigInt({ min: 0n, max: UINT64_MAX });
const positive = fc.bigInt({ min: 1n, max: UINT64_MAX });
const lease = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => bytes.some((byte) => byte > 0));
const moved = { to: fc.constant(ALGORAND_RECIPIENT), amount: uint64 };

/** Any transaction that this service may build or a caller may send. */
const drafts: fc.Arbitrary<AlgorandDraft> = fc
  .record({
    from: fc.constant(ALGORAND_SENDER),
    fee: positive,
    firstValid: fc.bigInt({ min: 0n, max: UINT64_MAX - 1_000n }),
    rounds: fc.bigInt({ min: 1n, max: 1_000n }),
    genesisId: fc.constantFrom(genesisId, undefined),
    genesisHash: fc.constant(genesisHash),
    lease: fc.option(lease, { nil: undefined }),
    payment: fc.oneof(
      fc.record({ type: fc.constant("pay" as const), ...moved }),
      fc.record({ type: fc.constant("axfer" as const), ...moved, assetId: positive }),
    ),
  })
  .map(({ rounds, ...draft }) => ({ ...draft, lastValid: draft.firstValid + rounds }));

/** The transaction built by the official SDK. */
const bySdk = ({ from, fee, firstValid, lastValid, lease: held, payment, ...chain }: AlgorandDraft) => {
  const { to: receiver, amount } = payment;
  const common = {
    sender: from,
    receiver,
    amount,
    ...(held === undefined ? {} : { lease: held }),
    suggestedParams: {
      fee,
      flatFee: true,
      minFee: 1000,
      firstValid,
      lastValid,
      genesisHash: base64.decode(chain.genesisHash),
      ...(chain.genesisId === undefined ? {} : { genesisID: chain.genesisId }),
    },
  };
  return payment.type === "pay"
    ? makePaymentTxnWithSuggestedParamsFromObject(common)
    : makeAssetTransferTxnWithSuggestedParamsFromObject({ ...common, assetIndex: payment.assetId });
};

const SAMPLE: AlgorandDraft = {
  from: ALGORAND_SENDER,
  fee: 1_000n,
  firstValid: 100n,
  lastValid: 300n,
  genesisId,
  genesisHash,
  lease: new Uint8Array(32).fill(7),
  payment: { type: "pay", to: ALGORAND_RECIPIENT, amount: 5n },
};

describe("a transaction", () => {
  it("has the bytes, the message to sign and the id that the official SDK gives it", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const unsigned = encodeAlgorand(draft);
        const theirs = bySdk(draft);
        expect(unsigned).toEqual(theirs.toByte());
        expect(bytesToSign(unsigned)).toEqual(theirs.bytesToSign());
        expect(algorandId(unsigned)).toBe(theirs.txID());
      }),
    );
  });

  it("is read as what it was written from", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        expect(decodeAlgorand(encodeAlgorand(draft))).toEqual({ ok: true, value: draft });
      }),
    );
  });

  it("is signed so that the official SDK finds the same transaction, and the sender's signature", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const unsigned = encodeAlgorand(draft);
        const signature = ALGORAND_KEY.sign(bytesToSign(unsigned));
        const attached = attachAlgorandSignature(unsigned, [signature], [ALGORAND_KEY.publicKey]);
        if (!attached.ok) expect.fail(attached.problem.message);
        const { txn, sgnr } = decodeSignedTransaction(attached.value.signed);
        expect([txn.txID(), sgnr]).toEqual([attached.value.txHash, undefined]);
        expect(txn.toByte()).toEqual(unsigned);
        // Ed25519 is deterministic, so the SDK's own implementation makes the same signature
        expect(attached.value.signed).toEqual(bySdk(draft).signTxn(ALGORAND_SECRET));
        if (signature.scheme === "CGGMP24") expect.fail("an Ed25519 key signs");
        const theirs = bySdk(draft).attachSignature(ALGORAND_SENDER, signature.bytes);
        expect(attached.value.signed).toEqual(theirs);
      }),
      { numRuns: 20 },
    );
  });
});

const why = (bytes: Uint8Array): string => {
  const decoded = decodeAlgorand(bytes);
  return decoded.ok ? "it was read" : decoded.problem.message;
};

/** The fields of the sample, which the tests corrupt one by one. */
const FIELDS = {
  amt: 5,
  fee: 1_000,
  fv: 100,
  gen: genesisId,
  gh: base64.decode(genesisHash),
  lv: 300,
  lx: new Uint8Array(32).fill(7),
  rcv: decodeAddress(ALGORAND_RECIPIENT).publicKey,
  snd: decodeAddress(ALGORAND_SENDER).publicKey,
  type: "pay",
};
const written = (fields: object, sortKeys = true): Uint8Array =>
  encode(fields, { sortKeys, ignoreUndefined: true });
const key = new Uint8Array(32).fill(9);

describe("INV-3 the decoder", () => {
  it("reads the sample that the tests below spoil", () => {
    expect(decodeAlgorand(written(FIELDS))).toEqual({ ok: true, value: SAMPLE });
  });

  it.each([
    ["rekey", key],
    ["close", key],
    ["note", Uint8Array.of(1)],
    ["grp", key],
    ["aclose", key],
    ["asnd", key],
    ["xaid", 5],
    ["apid", 5],
    ["votekey", key],
    ["nonpart", true],
    ["sig", new Uint8Array(32)],
    ["fe", 1],
  ])("refuses a payment with the field %s", (name, value) => {
    expect(why(written({ ...FIELDS, [name]: value }))).toContain(`nobody reads its field ${name}`);
  });

  it.each([
    ["close", key],
    ["aclose", key],
    ["asnd", key],
    ["rekey", key],
    ["amt", 5],
    ["rcv", key],
  ])("refuses a transfer of an asset with the field %s", (name, value) => {
    const { amt: aamt, rcv: arcv, ...frame } = FIELDS;
    const transfer = { ...frame, type: "axfer", aamt, arcv, xaid: 7 };
    expect(why(written(transfer))).toBe("it was read");
    expect(why(written({ ...transfer, [name]: value }))).toContain(`nobody reads its field ${name}`);
  });

  it.each(["acfg", "afrz", "appl", "keyreg", "stpf", "hb", "PAY", ""])("refuses the type %j", (type) => {
    expect(why(written({ ...FIELDS, type }))).toContain("neither a payment (pay) nor a transfer");
  });

  it.each(Object.keys(FIELDS))("refuses a %s of another kind", (name) => {
    for (const value of [
      null,
      true,
      [],
      {},
      1.5,
      -1,
      "",
      new Uint8Array(31),
      new Uint8Array(33),
      "x".repeat(70),
    ]) {
      expect(why(written({ ...FIELDS, [name]: value }))).not.toBe("it was read");
    }
  });

  it.each(["fee", "gh", "lv", "rcv", "snd", "type"])("refuses a transaction without %s", (name) => {
    expect(why(written({ ...FIELDS, [name]: undefined }))).not.toBe("it was read");
  });

  it.each([
    ["amt", 0],
    ["fv", 0],
    ["fee", 0],
    ["gen", ""],
    ["lx", new Uint8Array(32)],
    ["rcv", new Uint8Array(32)],
    ["snd", new Uint8Array(32)],
    ["gh", new Uint8Array(32)],
  ])("refuses %s where it is zero and written all the same", (name, value) => {
    expect(why(written({ ...FIELDS, [name]: value }))).not.toBe("it was read");
  });

  it("refuses fields in another order, twice, or behind the end", () => {
    const sample = written(FIELDS);
    const { type, ...rest } = FIELDS;
    expect(why(written({ type, ...rest }, false))).toContain("not canonical");
    expect(why(Uint8Array.of(...sample, 0))).not.toBe("it was read");
    // the map header says eleven fields, and the first field appears twice
    const first = encode("amt");
    const twice = Uint8Array.of(0x8b, ...first, 5, ...first, 5, ...sample.slice(6));
    expect(why(twice)).toContain("not canonical");
    expect(why(sample.slice(0, -1))).not.toBe("it was read");
  });

  it("refuses numbers, texts and maps in a longer form than they need", () => {
    const sample = written(FIELDS);
    expect([...sample.slice(0, 6)]).toEqual([0x8a, 0xa3, 0x61, 0x6d, 0x74, 5]);
    const rest = sample.slice(6);
    const named = [0xa3, 0x61, 0x6d, 0x74];
    for (const longer of [
      [0x8a, ...named, 0xcc, 5],
      [0x8a, ...named, 0xcd, 0, 5],
      [0x8a, ...named, 0xcf, 0, 0, 0, 0, 0, 0, 0, 5],
      [0x8a, ...named, 0xd0, 5],
      [0x8a, 0xd9, 3, 0x61, 0x6d, 0x74, 5],
      [0x8a, 0xc4, 3, 0x61, 0x6d, 0x74, 5],
      [0xde, 0, 10, ...named, 5],
      [0xdf, 0, 0, 0, 10, ...named, 5],
    ]) {
      expect(why(Uint8Array.of(...longer, ...rest))).not.toBe("it was read");
    }
  });

  it("refuses rounds that the chain never takes", () => {
    expect(why(written({ ...FIELDS, lv: 99 }))).toContain("before its first");
    expect(why(written({ ...FIELDS, lv: 1_100 }))).toBe("it was read");
    expect(why(written({ ...FIELDS, lv: 1_101 }))).toContain("more than 1000 rounds");
  });

  it("refuses a signed transaction, text, and nothing", () => {
    const signed = written({ sig: new Uint8Array(64), txn: FIELDS });
    for (const bytes of [signed, new TextEncoder().encode("TX"), new Uint8Array(), new Uint8Array(65_536)]) {
      expect(why(bytes)).not.toBe("it was read");
    }
  });

  it("reads no bytes of which the official SDK makes something else, however they were spoilt", () => {
    const sample = written(FIELDS);
    fc.assert(
      fc.property(fc.nat(sample.length - 1), fc.nat(255), (at, byte) => {
        const spoilt = sample.with(at, byte);
        const decoded = decodeAlgorand(spoilt);
        if (!decoded.ok) return;
        const theirs = decodeUnsignedTransaction(spoilt);
        expect(theirs.toByte()).toEqual(spoilt);
        expect(theirs.sender).toEqual(Address.fromString(decoded.value.from));
        expect([theirs.fee, theirs.firstValid, theirs.lastValid]).toEqual([
          decoded.value.fee,
          decoded.value.firstValid,
          decoded.value.lastValid,
        ]);
        expect(theirs.payment?.amount).toBe(decoded.value.payment.amount);
        expect(theirs.payment?.receiver.toString()).toBe(decoded.value.payment.to);
      }),
      { numRuns: 500 },
    );
  });

  it("answers whatever bytes it is given, and throws nothing", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        expect(typeof decodeAlgorand(bytes).ok).toBe("boolean");
      }),
    );
  });
});
