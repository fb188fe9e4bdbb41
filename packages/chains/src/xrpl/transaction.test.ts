import { bytesToHex, concatBytes, hexToBytes } from "@noble/curves/utils.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decode,
  deriveAddress,
  encode,
  encodeForSigning,
  hashes,
  type SubmittableTransaction,
  verifySignature,
  Wallet,
} from "xrpl";
import {
  XRPL_DRAFT,
  XRPL_EDWARDS_DRAFT,
  XRPL_EDWARDS_KEY,
  XRPL_EDWARDS_SENDER,
  XRPL_KEY,
  XRPL_RECIPIENT,
  XRPL_SENDER,
} from "../testing/xrpl-samples.ts";
import { attachXrplSignature } from "./attach.ts";
import { xrplAccountId, xrplAddress } from "./rules/address.ts";
import {
  decodeXrpl,
  encodeXrpl,
  FULLY_CANONICAL,
  withXrplKey,
  type XrplDraft,
  xrplId,
  xrplSignable,
} from "./transaction.ts";

const upper = (bytes: Uint8Array): string => bytesToHex(bytes).toUpperCase();
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const drops = fc.bigInt({ min: 1n, max: 10n ** 17n });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Any transaction that this service may build or a caller may send, of either kind of key. */
const drafts: fc.Arbitrary<XrplDraft> = fc
  .record({
    account: fc.constantFrom(XRPL_DRAFT, XRPL_EDWARDS_DRAFT),
    networkId: maybe(uint32),
    flags: fc.constantFrom(undefined, 0, FULLY_CANONICAL),
    sourceTag: maybe(uint32),
    sequence: fc.integer({ min: 1, max: 0xffff_ffff }),
    destinationTag: maybe(uint32),
    lastLedger: uint32,
    amount: drops,
    fee: drops,
  })
  .map(({ account: { from, signingPubKey }, ...draft }) => ({
    ...draft,
    from,
    signingPubKey,
    to: XRPL_RECIPIENT,
  }));

/** The transaction in the official SDK's form. */
const forSdk = (draft: XrplDraft): SubmittableTransaction => ({
  TransactionType: "Payment",
  ...(draft.networkId === undefined ? {} : { NetworkID: draft.networkId }),
  ...(draft.flags === undefined ? {} : { Flags: draft.flags }),
  ...(draft.sourceTag === undefined ? {} : { SourceTag: draft.sourceTag }),
  Sequence: draft.sequence,
  ...(draft.destinationTag === undefined ? {} : { DestinationTag: draft.destinationTag }),
  LastLedgerSequence: draft.lastLedger,
  Amount: draft.amount.toString(),
  Fee: draft.fee.toString(),
  SigningPubKey: upper(draft.signingPubKey),
  Account: draft.from,
  Destination: draft.to,
});

const keyOf = ({ from }: XrplDraft) => (from === XRPL_SENDER ? XRPL_KEY : XRPL_EDWARDS_KEY);

const attachedOf = (draft: XrplDraft) => {
  const unsigned = encodeXrpl(draft);
  const { bytes } = xrplSignable(unsigned, draft);
  const attached = attachXrplSignature(unsigned, [keyOf(draft).sign(bytes)], [keyOf(draft).publicKey]);
  return attached.ok ? attached.value : expect.fail(attached.problem.message);
};

describe("a payment", () => {
  it("has the bytes, and the bytes to sign, that the official SDK gives it", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const unsigned = encodeXrpl(draft);
        expect(upper(unsigned)).toBe(encode(forSdk(draft)));
        if (draft.from !== XRPL_EDWARDS_SENDER) return;
        expect(upper(xrplSignable(unsigned, draft).bytes)).toBe(encodeForSigning(forSdk(draft)));
      }),
    );
  });

  it("is read as what it was written from", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        expect(decodeXrpl(encodeXrpl(draft))).toEqual({ ok: true, value: draft });
      }),
    );
  });

  it("is signed so that the official SDK finds the same payment, its id, and its account's signature", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const { signed, txHash } = attachedOf(draft);
        const blob = upper(signed);
        expect([hashes.hashSignedTx(blob), xrplId(signed), verifySignature(blob)]).toEqual([
          txHash,
          txHash,
          true,
        ]);
        const { TxnSignature, ...fields } = decode(blob);
        expect(fields).toEqual(forSdk(draft));
        expect(deriveAddress(upper(draft.signingPubKey))).toBe(draft.from);
      }),
      { numRuns: 20 },
    );
  });

  it("of an Ed25519 key gets the very bytes that the official SDK signs", () => {
    const wallet = new Wallet(upper(XRPL_EDWARDS_DRAFT.signingPubKey), `ED${"0B".repeat(32)}`);
    const { SigningPubKey: _, ...unsigned } = forSdk(XRPL_EDWARDS_DRAFT);
    const { tx_blob: blob, hash } = wallet.sign(unsigned as SubmittableTransaction);
    const { signed, txHash } = attachedOf(XRPL_EDWARDS_DRAFT);
    expect([upper(signed), txHash]).toEqual([blob, hash]);
  });
});

describe("a caller's own bytes without the key, as the official SDK fills them in for others to sign", () => {
  it("are completed with it, and are the same payment then", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const { SigningPubKey: _, ...unkeyed } = forSdk(draft);
        const given = hexToBytes(encode(unkeyed as SubmittableTransaction));
        expect(why(given)).toContain("SigningPubKey is missing");
        expect(withXrplKey(given, draft.signingPubKey)).toEqual(encodeXrpl(draft));
      }),
    );
  });

  it("stay as they are when they have a key, or cannot be read", () => {
    const own = encodeXrpl(XRPL_DRAFT);
    expect(withXrplKey(own, XRPL_EDWARDS_DRAFT.signingPubKey)).toEqual(own);
    for (const bytes of [new Uint8Array([0x80]), concatBytes(own, Uint8Array.of(0))]) {
      expect(withXrplKey(bytes, XRPL_DRAFT.signingPubKey)).toEqual(bytes);
    }
  });
});

const why = (bytes: Uint8Array): string => {
  const decoded = decodeXrpl(bytes);
  return decoded.ok ? "it was read" : `${decoded.problem.code}: ${decoded.problem.message}`;
};

/** The sample with fields added, or omitted (undefined), by the SDK's names for fields that are not read here. */
const withFields = (change: Readonly<Record<string, unknown>>): Uint8Array => {
  const fields = Object.assign(forSdk(XRPL_DRAFT), change);
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) Reflect.deleteProperty(fields, name);
  }
  return hexToBytes(encode(fields));
};

const HASH = "AB".repeat(32);
const token = { currency: "USD", issuer: XRPL_RECIPIENT, value: "1" };

describe("INV-3 a decoder of one encoding", () => {
  it.each<[string, string, Record<string, unknown>]>([
    ["a note", "Memos", { Memos: [{ Memo: { MemoData: "AB" } }] }],
    ["paths", "Paths", { Paths: [[{ account: XRPL_RECIPIENT }]] }],
    ["another amount to spend", "SendMax", { SendMax: "5" }],
    ["a least amount", "DeliverMin", { DeliverMin: "5" }],
    [
      "several signers",
      "Signers",
      { Signers: [{ Signer: { Account: XRPL_RECIPIENT, SigningPubKey: "AB", TxnSignature: "AB" } }] },
    ],
    ["a delegate", "Delegate", { Delegate: XRPL_RECIPIENT }],
    ["a ticket", "TicketSequence", { TicketSequence: 5, Sequence: 0 }],
    ["an invoice", "InvoiceID", { InvoiceID: HASH }],
    ["the id of what must come before", "AccountTxnID", { AccountTxnID: HASH }],
    ["credentials", "CredentialIDs", { CredentialIDs: [HASH] }],
    ["a domain", "DomainID", { DomainID: HASH }],
  ])("does not read a payment with %s", (_, field, change) => {
    expect(why(withFields(change))).toContain(
      `TransactionUnreadable: The transaction cannot be read: nobody reads its field ${field}`,
    );
  });

  it.each<[string, string, Record<string, unknown>]>([
    ["of a token", "Amount is not of the form", { Amount: token }],
    ["of nothing", "Amount is missing", { Amount: "0" }],

    ["without an amount", "Amount is missing", { Amount: undefined }],
    ["without a fee", "Fee is missing", { Fee: undefined }],
    ["that pays no fee", "Fee is missing", { Fee: "0" }],
    ["without a sequence", "Sequence is missing", { Sequence: undefined }],
    ["with a sequence of zero", "Sequence is missing", { Sequence: 0 }],
    ["without an end", "it has no LastLedgerSequence", { LastLedgerSequence: undefined }],
    ["without a key", "SigningPubKey is missing", { SigningPubKey: undefined }],
    ["with an empty key", "SigningPubKey is missing", { SigningPubKey: "" }],
    ["with a key of no kind", "SigningPubKey is missing", { SigningPubKey: `04${"AB".repeat(32)}` }],
    ["without an account", "Account is missing", { Account: undefined }],
    ["without a destination", "Destination is missing", { Destination: undefined }],
    ["to its own account", "temREDUNDANT", { Destination: XRPL_SENDER }],
    [
      "of another type",
      "it is no payment",
      { TransactionType: "AccountSet", Destination: undefined, Amount: undefined, DestinationTag: undefined },
    ],
    ["that is signed", "it is signed already", { TxnSignature: "AB".repeat(64) }],
    ["that may arrive in part", "Flags ask for more", { Flags: 0x8002_0000 }],
    ["through no direct path", "Flags ask for more", { Flags: 0x0001_0000 }],
    ["of limited quality", "Flags ask for more", { Flags: 0x0004_0000 }],
    ["inside a batch", "Flags ask for more", { Flags: 0x4000_0000 }],
  ])("does not read a payment %s", (_, said, change) => {
    expect(why(withFields(change))).toContain(said);
  });

  it("reads no key that is longer than keys are", () => {
    const signingPubKey = concatBytes(XRPL_DRAFT.signingPubKey, Uint8Array.of(1));
    expect(why(encodeXrpl({ ...XRPL_DRAFT, signingPubKey }))).toContain("SigningPubKey is not of the form");
  });

  it("reads no amount of more drops than there are", () => {
    const of = (amount: bigint) => why(encodeXrpl({ ...XRPL_DRAFT, amount }));
    expect(of(10n ** 17n)).toBe("it was read");
    expect(of(10n ** 17n + 1n)).toContain("Amount is missing or not valid");
  });

  it("reads no bytes but those that it would write", () => {
    const unsigned = encodeXrpl(XRPL_DRAFT);
    const [type, flags, sequence] = [unsigned.slice(0, 3), unsigned.slice(3, 8), unsigned.slice(8, 13)];
    const rest = unsigned.slice(13);
    expect(why(concatBytes(type, flags, sequence, rest))).toBe("it was read");
    expect(why(concatBytes(type, sequence, flags, rest))).toContain("not canonical");
    expect(why(concatBytes(type, type, flags, sequence, rest))).toContain("not canonical");
    expect(why(concatBytes(type, flags, flags, sequence, rest))).toContain("not canonical");
    // Flags with a two-byte header, although its number fits the one-byte form
    const long = concatBytes(Uint8Array.of(0x20, 0x02), flags.slice(1));
    expect(why(concatBytes(type, long, sequence, rest))).toContain("not canonical");
    expect(why(concatBytes(unsigned, Uint8Array.of(0)))).toContain("TransactionUnreadable");
    expect(why(concatBytes(type, new Uint8Array(254)))).toContain("too long");
    expect(why(new Uint8Array())).toContain("it is no payment");
  });

  it("reads nothing of what is cut off, and never throws", () => {
    const unsigned = encodeXrpl(XRPL_DRAFT);
    for (let length = 0; length < unsigned.length; length += 1) {
      expect(why(unsigned.slice(0, length))).toContain("TransactionUnreadable");
    }
    const type = unsigned.slice(0, 3);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(why(concatBytes(type, bytes))).toContain("TransactionUnreadable");
      }),
    );
  });

  it("reads each byte: another one is another payment, which the official SDK reads alike, or none", () => {
    const unsigned = encodeXrpl(XRPL_DRAFT);
    const read = decodeXrpl(unsigned);
    const changes = fc.array(fc.tuple(fc.nat(unsigned.length - 1), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(changes, (changed) => {
        const bytes = Uint8Array.from(unsigned);
        for (const [at, by] of changed) bytes[at] = (bytes[at] ?? 0) ^ by;
        const other = decodeXrpl(bytes);
        if (!other.ok || upper(bytes) === upper(unsigned)) return;
        expect(other).not.toEqual(read);
        expect(decode(upper(bytes))).toEqual(forSdk(other.value));
      }),
      { numRuns: 1_000 },
    );
  });

  it("writes accounts by their ids", () => {
    expect(xrplAccountId(XRPL_SENDER)).toHaveLength(20);
    expect(xrplAddress(XRPL_KEY.publicKey)).toBe(XRPL_SENDER);
  });
});
