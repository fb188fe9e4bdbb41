import { describe, expect, it } from "vitest";
import type { Sequencing, TransactionIntent } from "../chain.ts";
import { intentOf, outcomesOf } from "../exact-bytes/testing/built.ts";
import {
  authorisedXrpl,
  authorisedXrplBytes,
  XRP_TRANSFER,
  XRPL_DRAFT,
  XRPL_EDWARDS_DRAFT,
  XRPL_EDWARDS_KEY,
  XRPL_EDWARDS_SENDER,
  XRPL_KEY,
  XRPL_SENDER,
  XRPL_TESTNET,
} from "../testing/xrpl-samples.ts";
import { XRPL_FAMILY } from "./family.ts";
import type { XrplNetwork } from "./network.ts";
import type { XrplSituation } from "./situation.ts";
import { decodeXrpl, encodeXrpl, type XrplDraft } from "./transaction.ts";

const ACCOUNT = {
  balance: 100_000_000n,
  objects: 0,
  requiresTag: false,
  requiresAuthorisation: false,
  isMasterDisabled: false,
};
const PLACE = { next: 500n, isAbandoned: false };
const SENDER = { ...ACCOUNT, place: PLACE };
const AROUND: XrplSituation = {
  networkId: 1,
  validated: 1_000,
  reserve: { base: 1_000_000n, object: 200_000n },
  fees: { open: 10n, least: 10n },
  sender: SENDER,
  recipient: ACCOUNT,
  isAuthorised: true,
};
const ACT = authorisedXrpl(XRP_TRANSFER);

interface Given {
  readonly act?: TransactionIntent["act"];
  readonly around?: Partial<XrplSituation>;
  readonly sequencing?: Sequencing;
  readonly network?: Partial<XrplNetwork>;
}

const built = (given: Given = {}) =>
  XRPL_FAMILY.build(
    { ...XRPL_TESTNET, ...given.network },
    { ...AROUND, ...given.around },
    intentOf(XRPL_SENDER, XRPL_KEY, given.act ?? ACT, given.sequencing),
  );

const { draftOf, said } = outcomesOf(built, decodeXrpl);

describe("building a transfer", () => {
  it("writes the payment in the account's next place, for the ledgers from the validated one on", () => {
    expect(draftOf()).toEqual(XRPL_DRAFT);
    expect(built()).toMatchObject({
      ok: true,
      value: { sequence: 500n, details: { fee: "12", sequence: 500, lastLedgerSequence: 1_050 } },
    });
  });

  it("writes the key of either kind into it", () => {
    const act = authorisedXrpl({ ...XRP_TRANSFER, from: XRPL_EDWARDS_SENDER });
    const made = XRPL_FAMILY.build(
      XRPL_TESTNET,
      AROUND,
      intentOf(XRPL_EDWARDS_SENDER, XRPL_EDWARDS_KEY, act),
    );
    expect(made.ok && decodeXrpl(made.value.unsigned)).toEqual({ ok: true, value: XRPL_EDWARDS_DRAFT });
    expect(made.ok && XRPL_FAMILY.read(XRPL_TESTNET, made.value.unsigned, act).ok).toBe(true);
  });

  it("INV-3 writes what signers read", () => {
    const made = built();
    const { unsigned } = made.ok ? made.value : expect.fail(made.problem.message);
    expect(XRPL_FAMILY.read(XRPL_TESTNET, unsigned, ACT).ok).toBe(true);
  });

  it("names the chain where the network's id is above 1024", () => {
    const named = (networkId: number) => draftOf({ network: { networkId }, around: { networkId } }).networkId;
    expect([named(1_024), named(1_025)]).toEqual([undefined, 1_025]);
  });

  it("waits while its node is of another chain", () => {
    expect(said({ around: { networkId: 0 } })).toContain("ServiceUnavailable");
  });

  it("bids a fifth more than the open ledger asks for, and its cap where that is dearer than the queue", () => {
    const fee = (open: bigint, least: bigint) => draftOf({ around: { fees: { open, least } } }).fee;
    expect([fee(10n, 10n), fee(11n, 10n), fee(5_000n, 10n)]).toEqual([12n, 14n, 6_000n]);
    expect([fee(9_000n, 10n), fee(10_000_000n, 10_000n), fee(10n, 500n)]).toEqual([10_000n, 10_000n, 500n]);
    expect(said({ around: { fees: { open: 20_000n, least: 10_001n } } })).toContain("FeeAboveCap");
  });
});

describe("the place of a transaction", () => {
  const placed = (sequencing: Sequencing, place: Partial<typeof PLACE> = {}) => {
    const made = built({ sequencing, around: { sender: { ...SENDER, place: { ...PLACE, ...place } } } });
    return made.ok ? made.value.sequence : made.problem.code;
  };

  it("is the chain's next one, when our own records are not ahead of it", () => {
    expect(placed({ kind: "next", lowest: 0n })).toBe(500n);
    expect(placed({ kind: "next", lowest: 500n })).toBe(500n);
  });

  it("is waited for while what we sent before it is on its way", () => {
    expect(placed({ kind: "next", lowest: 501n })).toBe("ServiceUnavailable");
  });

  it("is reused if our transaction there is no longer under way", () => {
    expect(placed({ kind: "next", lowest: 503n }, { isAbandoned: true })).toBe(500n);
  });

  it("is kept by a rebuilt transaction, unless the chain is past it", () => {
    expect(placed({ kind: "kept", sequence: 502n })).toBe(502n);
    expect(placed({ kind: "kept", sequence: 499n })).toBe(500n);
  });

  it("is never that of a transaction to replace", () => {
    const earlier = new Uint8Array();
    expect(() => placed({ kind: "replacing", sequence: 5n, earlier })).toThrow(TypeError);
  });
});

describe("a transaction that the chain would refuse is refused in words before anything is signed", () => {
  it("amount and the account's reserve, which may pay the fee", () => {
    const of = (balance: bigint, objects = 0) =>
      said({ around: { sender: { ...SENDER, balance, objects } } });
    expect(of(2_500_000n)).toBe("built");
    expect(of(2_499_999n)).toBe(
      "InsufficientFunds: insufficient funds: 2500000 drops (amount, fee and the account's reserve of 1000000) are " +
        "needed, the wallet holds 2499999; send it 1 drops more, or ask for less",
    );
    expect(of(2_500_000n, 1)).toContain("reserve of 1200000");
    expect(of(2_900_000n, 2)).toBe("built");
    const free = { base: 0n, object: 0n };
    const sender = { ...SENDER, balance: 1_500_011n };
    expect(said({ around: { sender, reserve: free } })).toContain("InsufficientFunds");
    expect(said({ around: { sender: { ...sender, balance: 1_500_012n }, reserve: free } })).toBe("built");
  });

  it("an account that nobody has paid to, the wallet's or the recipient's", () => {
    expect(said({ around: { sender: undefined } })).toContain("InsufficientFunds");
    const paying = (amount: string) =>
      said({ act: authorisedXrpl({ ...XRP_TRANSFER, amount }), around: { recipient: undefined } });
    expect(paying("1000000")).toBe("built");
    expect(paying("999999")).toBe(
      "RecipientCannotReceive: the recipient's account does not exist: a first payment takes its reserve of 1000000 drops",
    );
  });

  it("a recipient that wants a destination tag", () => {
    const { tag: _, ...untagged } = XRP_TRANSFER;
    const around = { recipient: { ...ACCOUNT, requiresTag: true } };
    expect(said({ act: authorisedXrpl(untagged), around })).toContain("RecipientCannotReceive");
    expect(said({ act: authorisedXrpl({ ...untagged, tag: 0 }), around })).toBe("built");
    expect(said({ act: authorisedXrpl(untagged) })).toBe("built");
  });

  it("a recipient that has not authorised the sender, unless it needs help", () => {
    const of = (balance: bigint, amount: string) =>
      said({
        act: authorisedXrpl({ ...XRP_TRANSFER, amount }),
        around: { recipient: { ...ACCOUNT, balance, requiresAuthorisation: true }, isAuthorised: false },
      });
    expect(of(1_000_000n, "1000000")).toBe("built");
    expect(of(1_000_001n, "1000000")).toContain("RecipientCannotReceive");
    expect(of(1_000_000n, "1000001")).toContain("it has authorised (DepositAuth)");
  });

  it("an account whose master key is disabled", () => {
    expect(said({ around: { sender: { ...SENDER, isMasterDisabled: true } } })).toContain(
      "TransactionInvalid",
    );
  });
});

describe("a caller's own bytes", () => {
  const of = (change: Partial<XrplDraft>, given: Omit<Given, "act"> = {}) =>
    said({ ...given, act: authorisedXrplBytes(encodeXrpl({ ...XRPL_DRAFT, ...change })) });

  it("stay as they are", () => {
    const unsigned = encodeXrpl({ ...XRPL_DRAFT, flags: 0, sourceTag: 5, lastLedger: 9_999 });
    const made = built({ act: authorisedXrplBytes(unsigned) });
    expect(made.ok && made.value.unsigned).toEqual(unsigned);
  });

  it("are refused when they cannot land any more, or not yet", () => {
    expect(of({ lastLedger: 1_000 })).toContain("LastLedgerSequence is over: the chain is at ledger 1000");
    expect(of({ lastLedger: 1_001 })).toBe("built");
    // a week, for which the wallet may have to wait
    expect(of({ lastLedger: 1_000 + 201_600 })).toBe("built");
    expect(of({ lastLedger: 1_000 + 201_601 })).toContain("LastLedgerSequence is too far away");
    expect(of({ lastLedger: 0xffff_ffff })).toContain("Make it 202600 at the most");
    expect(of({ fee: 9n })).toContain("Fee is too low: the chain asks for 10 drops");
    expect(of({ fee: 10n })).toBe("built");
    expect(of({ sequence: 499 })).toBe("NonceUsed: the Sequence 499 is used up: the next one is 500");
    expect(of({ sequence: 501 })).toBe("NonceGap: the Sequence 501 leaves a gap: the next one is 500");
  });

  it("may fill a place that our own records are past", () => {
    const sequencing = { kind: "next", lowest: 503n } as const;
    expect([of({}, { sequencing }), of({ sequence: 503 }, { sequencing }).slice(0, 18)]).toEqual([
      "built",
      "ServiceUnavailable",
    ]);
  });

  it("keep their own place, whatever the chain says of it", () => {
    expect(of({ sequence: 498 }, { sequencing: { kind: "kept", sequence: 498n } })).toBe("built");
  });
});

describe("replacing", () => {
  it("is not supported on the XRP Ledger", () => {
    const { replacements } = XRPL_FAMILY;
    const replaced = { act: ACT, sequence: 5n, signed: new Uint8Array() };
    for (const refused of [
      replacements.speedUp(replaced),
      replacements.cancel(replaced, XRPL_SENDER),
      replacements.takePlace({ kind: "Exact" }, 1n),
      replacements.judge(new Uint8Array(), { kind: "Exact" }),
    ]) {
      expect(!refused.ok && refused.problem.code).toBe("TransactionKindNotSupported");
    }
  });

  it("but a caller's own bytes name a place, which must be the next one", () => {
    const { fixedSequence, judgeSequence } = XRPL_FAMILY.replacements;
    const content = authorisedXrplBytes(encodeXrpl(XRPL_DRAFT)).transaction;
    expect(fixedSequence(content)).toEqual({ ok: true, value: 500n });
    expect(fixedSequence(XRP_TRANSFER)).toEqual({ ok: true, value: undefined });
    expect(fixedSequence({ ...content, unsigned: "80" }).ok).toBe(false);
    expect([judgeSequence(5n, 5n).ok, judgeSequence(4n, 5n).ok, judgeSequence(6n, 5n).ok]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
