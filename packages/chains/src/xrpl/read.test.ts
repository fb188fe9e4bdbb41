import { bytesToHex } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import { describeReadings, readingsOf } from "../exact-bytes/testing/reading-suite.ts";
import {
  authorisedXrpl,
  authorisedXrplBytes,
  XRP_TRANSFER,
  XRPL_DRAFT,
  XRPL_EDWARDS_DRAFT,
  XRPL_EDWARDS_SENDER,
  XRPL_RECIPIENT,
  XRPL_TESTNET,
  xrplBytesWithoutKey,
} from "../testing/xrpl-samples.ts";
import { xrplExclusion } from "./exclusion.ts";
import { XRPL_FAMILY } from "./family.ts";
import { encodeXrpl, type XrplDraft, xrplSignable } from "./transaction.ts";

const STRANGER = "rDNvjMc6LjtpR7BdfiSNvavUBjznhhmpNq";
const ACT = authorisedXrpl(XRP_TRANSFER);
const EDWARDS_ACT = authorisedXrpl({ ...XRP_TRANSFER, from: XRPL_EDWARDS_SENDER });

const READ = { family: XRPL_FAMILY, entry: XRPL_TESTNET, encode: encodeXrpl, act: ACT };
const { said, readOf, reading, readContent, readContentOf } = readingsOf(READ);

describeReadings({
  ...READ,
  elsewhere: "XrpLedger",
  authorised: (change) => authorisedXrpl(XRP_TRANSFER, change),
  authorisedBytes: authorisedXrplBytes,
  payment: XRPL_DRAFT,
  read: {
    signables: [xrplSignable(encodeXrpl(XRPL_DRAFT), XRPL_DRAFT)],
    exclusion: xrplExclusion(XRPL_TESTNET, XRPL_DRAFT),
    deadlineMs: undefined,
    fee: 12n,
    effects: {
      movements: [{ asset: "Native", amount: "1500000", recipient: XRPL_RECIPIENT }],
      unknown: undefined,
    },
  },
  untaken: [
    { ...XRP_TRANSFER, memo: "x" },
    { ...XRP_TRANSFER, amount: "0" },
    { ...XRP_TRANSFER, amount: "01" },
    { ...XRP_TRANSFER, amount: "100000000000000001" },
    { ...XRP_TRANSFER, tag: -1 },
    { ...XRP_TRANSFER, tag: 2 ** 32 },
    { ...XRP_TRANSFER, to: `${XRPL_RECIPIENT.slice(0, -1)}A` },
    { ...XRP_TRANSFER, kind: "Erc20" },
  ],
  // with flags that have no effect, a source tag, and any Sequence
  given: [
    XRPL_DRAFT,
    ...[{ flags: undefined }, { flags: 0 }, { sourceTag: 5 }, { sequence: 9 }].map((change) => ({
      ...XRPL_DRAFT,
      ...change,
    })),
  ],
  changed: { ...XRPL_DRAFT, fee: 13n },
  stranger: STRANGER,
  dear: { ...XRPL_DRAFT, fee: 10_001n },
});

describe("INV-3 a signer's reading of a transfer on the XRP Ledger", () => {
  it("is a digest for a secp256k1 key, and the bytes behind their domain for an Ed25519 key", () => {
    const [digest] = reading(XRPL_DRAFT).signables;
    expect([digest?.scheme, digest?.bytes.length]).toEqual(["CGGMP24", 32]);
    const [message] = reading(XRPL_EDWARDS_DRAFT, EDWARDS_ACT).signables;
    expect([message?.scheme, bytesToHex(message?.bytes ?? new Uint8Array())]).toEqual([
      "FROST-Ed25519",
      `53545800${bytesToHex(encodeXrpl(XRPL_EDWARDS_DRAFT))}`,
    ]);
  });

  it("leaves its place, its ledgers and its fee to the service, up to the network's cap", () => {
    for (const change of [{ sequence: 1 }, { lastLedger: 0xffff_ffff }, { fee: 1n }, { fee: 10_000n }]) {
      expect(readOf({ ...XRPL_DRAFT, ...change })).toBe("ok");
    }
    expect(readOf({ ...XRPL_DRAFT, fee: 10_001n })).toBe("FeeAboveCap");
  });

  it.each<[string, Partial<XrplDraft>]>([
    ["from", { from: STRANGER }],
    ["from", XRPL_EDWARDS_DRAFT],
    ["signingPubKey", { signingPubKey: XRPL_EDWARDS_DRAFT.signingPubKey }],
    ["to", { to: STRANGER }],
    ["tag", { destinationTag: 8 }],
    ["tag", { destinationTag: undefined }],
    ["amount", { amount: 1_500_001n }],
    ["amount", { amount: 1n }],
    ["flags", { flags: undefined }],
    ["flags", { flags: 0 }],
    ["sourceTag", { sourceTag: 0 }],
    ["networkId", { networkId: 1 }],
    ["networkId", { networkId: 21_337 }],
  ])("refuses a payment whose %s is not what was authorised", (field, change) => {
    expect(readOf({ ...XRPL_DRAFT, ...change })).toBe(`TransactionMismatch ${field}`);
  });

  it("tells a tag of zero from none", () => {
    const { tag: _, ...untagged } = XRP_TRANSFER;
    const none = { ...XRPL_DRAFT, destinationTag: undefined };
    const zero = { ...XRPL_DRAFT, destinationTag: 0 };
    expect(readOf(none, authorisedXrpl(untagged))).toBe("ok");
    expect(readOf(zero, authorisedXrpl(untagged))).toBe("TransactionMismatch tag");
    expect(readOf(zero, authorisedXrpl({ ...XRP_TRANSFER, tag: 0 }))).toBe("ok");
    expect(readOf(none, authorisedXrpl({ ...XRP_TRANSFER, tag: 0 }))).toBe("TransactionMismatch tag");
  });

  it("wants the chain named in the bytes where the network's id is above 1024", () => {
    const named = { ...XRPL_TESTNET, networkId: 1_025 };
    const read = (networkId: number | undefined) =>
      said(XRPL_FAMILY.read(named, encodeXrpl({ ...XRPL_DRAFT, networkId }), ACT));
    expect([read(1_025), read(undefined), read(1_026)]).toEqual([
      "ok",
      "TransactionMismatch networkId",
      "TransactionMismatch networkId",
    ]);
    const last = { ...XRPL_TESTNET, networkId: 1_024 };
    expect(said(XRPL_FAMILY.read(last, encodeXrpl(XRPL_DRAFT), ACT))).toBe("ok");
  });
});

describe("INV-3 a signer's reading of a caller's own bytes on the XRP Ledger", () => {
  it("refuses those of another key", () => {
    const regular = { ...XRPL_DRAFT, signingPubKey: XRPL_EDWARDS_DRAFT.signingPubKey };
    expect(readOf(regular, authorisedXrplBytes(encodeXrpl(regular)))).toBe(
      "TransactionMismatch signingPubKey",
    );
  });

  it("puts the wallet's key into bytes without one, and signs no bytes without it", () => {
    const signingPubKey = bytesToHex(XRPL_DRAFT.signingPubKey);
    const unsigned = xrplBytesWithoutKey().slice(2);
    const act = authorisedXrplBytes(new Uint8Array(), { unsigned, signingPubKey });
    expect(readOf(XRPL_DRAFT, act)).toBe("ok");
    expect(said(XRPL_FAMILY.read(XRPL_TESTNET, Buffer.from(unsigned, "hex"), act))).toBe(
      "TransactionUnreadable",
    );
    const other = bytesToHex(XRPL_EDWARDS_DRAFT.signingPubKey);
    const stranger = authorisedXrplBytes(new Uint8Array(), { unsigned, signingPubKey: other });
    expect(readOf(XRPL_DRAFT, stranger)).toBe("TransactionMismatch bytes");
    const keyed = { ...XRPL_DRAFT, signingPubKey: XRPL_EDWARDS_DRAFT.signingPubKey };
    expect(readOf(keyed, stranger)).toBe("TransactionMismatch signingPubKey");
  });
});

describe("INV-3 a signer's reading of a transaction that is not sent on the XRP Ledger", () => {
  it("puts the key into bytes without one, and takes none of another", () => {
    const signingPubKey = bytesToHex(XRPL_DRAFT.signingPubKey);
    const transaction = xrplBytesWithoutKey().slice(2);
    const read = readContent(XRPL_DRAFT, { transaction, signingPubKey });
    expect(read.ok && read.value.transaction?.unsigned).toEqual(encodeXrpl(XRPL_DRAFT));
    expect(readContentOf(XRPL_DRAFT, { signingPubKey })).toBe("ok");
    expect(readContentOf(XRPL_EDWARDS_DRAFT, { signingPubKey })).toBe("TransactionMismatch signingPubKey");
    expect(readContentOf(XRPL_DRAFT, { transaction })).toBe("TransactionUnreadable");
  });

  it("is of no other chain", () => {
    expect(readContentOf({ ...XRPL_DRAFT, networkId: 21_337 })).toBe("TransactionMismatch networkId");
  });
});
