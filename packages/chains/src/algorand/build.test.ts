import { describe, expect, it } from "vitest";
import type { TransactionIntent } from "../chain.ts";
import { intentOf, outcomesOf } from "../exact-bytes/testing/built.ts";
import {
  ALGO_TRANSFER,
  ALGORAND_KEY,
  ALGORAND_RECIPIENT,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASA_TRANSFER,
  ASSET_ID,
  authorisedAlgorand,
  authorisedAlgorandBytes,
} from "../testing/algorand-samples.ts";
import { ALGORAND_FAMILY } from "./family.ts";
import { leaseOf } from "./lease.ts";
import type { AlgorandSituation } from "./situation.ts";
import { type AlgorandDraft, decodeAlgorand, encodeAlgorand } from "./transaction.ts";

const { genesisId, genesisHash } = ALGORAND_TESTNET;
const SENDER = { balance: 10_000_000n, least: 100_000n, authority: undefined };
const HELD = { amount: 5_000_000n, isFrozen: false };
const AROUND: AlgorandSituation = {
  genesisId,
  genesisHash,
  lastRound: 5_000n,
  fees: { leastFee: 1_000n, feePerByte: 0n },
  sender: SENDER,
  recipient: { balance: 100_000n, least: 100_000n, authority: undefined },
  asset: { isThere: true, ofSender: HELD, ofRecipient: { amount: 0n, isFrozen: false } },
};
const ACT = authorisedAlgorand(ALGO_TRANSFER);
const ASA_ACT = authorisedAlgorand(ASA_TRANSFER);

const built = (act: TransactionIntent["act"], change: Partial<AlgorandSituation> = {}) =>
  ALGORAND_FAMILY.build(
    ALGORAND_TESTNET,
    { ...AROUND, ...change },
    intentOf(ALGORAND_SENDER, ALGORAND_KEY, act),
  );

const { draftOf, said } = outcomesOf(built, decodeAlgorand);

describe("building a transfer", () => {
  it("writes the payment with the request's lease, for rounds from the chain's last one on", () => {
    expect(draftOf(ACT)).toEqual({
      from: ALGORAND_SENDER,
      fee: 1_000n,
      firstValid: 5_000n,
      lastValid: 5_200n,
      genesisId,
      genesisHash,
      lease: leaseOf(ACT.requestId),
      payment: { type: "pay", to: ALGORAND_RECIPIENT, amount: 1_500_000n },
    });
    expect(draftOf(ASA_ACT).payment).toEqual({
      type: "axfer",
      to: ALGORAND_RECIPIENT,
      amount: 2_500_000n,
      assetId: BigInt(ASSET_ID),
    });
  });

  it("tells clients its fee and rounds, and has no place among others", () => {
    expect(built(ACT)).toMatchObject({
      ok: true,
      value: { sequence: undefined, details: { fee: "1000", firstValid: "5000", lastValid: "5200" } },
    });
  });

  it("INV-3 writes what signers read", () => {
    for (const act of [ACT, ASA_ACT]) {
      const made = built(act);
      const { unsigned } = made.ok ? made.value : expect.fail(made.problem.message);
      expect(ALGORAND_FAMILY.read(ALGORAND_TESTNET, unsigned, act).ok).toBe(true);
    }
  });

  it("pays by the byte where the chain is busy, and never above the cap", () => {
    const busy = { leastFee: 1_000n, feePerByte: 10n };
    const { fee } = draftOf(ACT, { fees: busy });
    expect([fee > 2_000n, fee < 4_000n]).toEqual([true, true]);
    expect(said(ACT, { fees: { leastFee: 1_000n, feePerByte: 1_000n } })).toContain("FeeAboveCap");
    expect(said(ACT, { fees: { leastFee: 100_001n, feePerByte: 0n } })).toContain("FeeAboveCap");
  });

  it("begins in the first rounds of a chain as well", () => {
    expect(draftOf(ACT, { lastRound: 0n })).toMatchObject({ firstValid: 0n, lastValid: 200n });
  });

  it("waits while its node is of another chain", () => {
    expect(said(ACT, { genesisId: "mainnet-v1.0" })).toContain("ServiceUnavailable");
    expect(said(ACT, { genesisHash: "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=" })).toContain(
      "ServiceUnavailable",
    );
  });
});

describe("a transaction that the chain would refuse is refused in words before anything is signed", () => {
  const least = 1_500_000n + 1_000n + 100_000n;

  it("amount, fee and the account's least balance", () => {
    expect(said(ACT, { sender: { ...SENDER, balance: least } })).toBe("built");
    expect(said(ACT, { sender: { ...SENDER, balance: least - 1n } })).toBe(
      "InsufficientFunds: insufficient funds: 1601000 microalgos (amount, fee and the account's least balance of " +
        "100000) are needed, the wallet holds 1600999; send it 1 microalgos more, or ask for less",
    );
    expect(said(ACT, { sender: { ...SENDER, balance: least, least: 200_000n } })).toContain(
      "InsufficientFunds",
    );
  });

  it("a new account that would hold less than its least balance", () => {
    const absent = { balance: 0n, least: 100_000n, authority: undefined };
    const small = authorisedAlgorand({ ...ALGO_TRANSFER, amount: "99999" });
    expect(said(ACT, { recipient: absent })).toBe("built");
    expect(said(small, { recipient: absent })).toContain(
      "RecipientCannotReceive: the recipient's account would hold 99999 microalgos",
    );
    expect(said(small)).toBe("built");
  });

  it("an asset that the wallet does not hold, or not enough of, or that is frozen", () => {
    const of = (ofSender: typeof HELD | undefined) =>
      said(ASA_ACT, { asset: { isThere: true, ofSender, ofRecipient: HELD } });
    expect(of(undefined)).toContain("InsufficientFunds");
    expect(of({ ...HELD, amount: 2_499_999n })).toContain("2500000 units of the asset");
    expect(of({ ...HELD, amount: 2_500_000n })).toBe("built");
    expect(of({ ...HELD, isFrozen: true })).toContain("is frozen");
    expect(said(ASA_ACT, { sender: { ...SENDER, balance: 100_999n } })).toContain("InsufficientFunds");
  });

  it("a recipient that has not opted in to it, or whose holding is frozen", () => {
    const of = (ofRecipient: typeof HELD | undefined) =>
      said(ASA_ACT, { asset: { isThere: true, ofSender: HELD, ofRecipient } });
    expect(of(undefined)).toBe(
      `RecipientCannotReceive: the recipient has not opted in to the asset ${ASSET_ID}: have it send 0 units of it to itself`,
    );
    expect(of({ ...HELD, isFrozen: true })).toContain("RecipientCannotReceive");
  });

  it("an account over which the wallet's key has no authority any more", () => {
    const rekeyed = { ...SENDER, authority: ALGORAND_RECIPIENT };
    expect(said(ACT, { sender: rekeyed })).toContain(
      "TransactionInvalid: the wallet's account was handed to",
    );
    expect(said(ACT, { sender: { ...SENDER, authority: ALGORAND_SENDER } })).toBe("built");
  });

  it("a wallet can pay itself any amount that it holds", () => {
    const own = authorisedAlgorand({ ...ALGO_TRANSFER, to: ALGORAND_SENDER, amount: "9000000" });
    const sender = { ...SENDER, balance: 101_000n };
    expect(said(own, { sender, recipient: sender })).toBe("built");
  });
});

describe("a caller's own bytes", () => {
  const draft: AlgorandDraft = {
    from: ALGORAND_SENDER,
    fee: 1_000n,
    firstValid: 4_900n,
    lastValid: 5_900n,
    genesisId,
    genesisHash,
    lease: undefined,
    payment: { type: "axfer", to: ALGORAND_SENDER, amount: 0n, assetId: BigInt(ASSET_ID) },
  };
  const of = (change: Partial<AlgorandDraft>, around: Partial<AlgorandSituation> = {}) =>
    said(authorisedAlgorandBytes(encodeAlgorand({ ...draft, ...change })), around);

  it("stay as they are", () => {
    const unsigned = encodeAlgorand(draft);
    expect(built(authorisedAlgorandBytes(unsigned))).toMatchObject({ ok: true, value: { unsigned } });
  });

  it("are refused when they cannot land", () => {
    expect(of({}, { lastRound: 5_899n })).toBe("built");
    expect(of({}, { lastRound: 5_900n })).toContain(
      "TransactionInvalid: the transaction is not valid: lv is over",
    );
    expect(of({ firstValid: 6_001n, lastValid: 6_002n })).toContain("fv is too far away");
    expect(of({ fee: 999n })).toContain("fee is too low: the chain asks for 1000");
  });

  it("opt in to an asset only with the balance that it takes", () => {
    const asset = { isThere: true, ofSender: undefined, ofRecipient: undefined };
    expect(of({}, { asset, sender: { ...SENDER, balance: 201_000n } })).toBe("built");
    expect(of({}, { asset, sender: { ...SENDER, balance: 200_999n } })).toContain("InsufficientFunds");
  });

  it("do not opt in to an asset that does not exist: nodes would refuse it, signed, until its rounds are over", () => {
    const asset = { isThere: false, ofSender: undefined, ofRecipient: undefined };
    const words = `TransactionInvalid: there is no asset ${ASSET_ID} on this network: check its id`;
    expect(of({}, { asset })).toBe(words);
    // the problem is not reported as a lack of funds either
    expect(said(ASA_ACT, { asset })).toBe(words);
  });
});

describe("replacing", () => {
  it("is not supported on Algorand", () => {
    const { replacements } = ALGORAND_FAMILY;
    const replaced = { act: ACT, sequence: undefined, signed: new Uint8Array() };
    for (const refused of [
      replacements.speedUp(replaced),
      replacements.cancel(replaced, ALGORAND_SENDER),
      replacements.takePlace({ kind: "Exact" }, 1n),
      replacements.judge(new Uint8Array(), { kind: "Exact" }),
    ]) {
      expect(!refused.ok && refused.problem.code).toBe("TransactionKindNotSupported");
    }
    expect(replacements.fixedSequence({ kind: "Exact" })).toEqual({ ok: true, value: undefined });
    expect(replacements.judgeSequence(5n, 1n).ok).toBe(true);
  });
});
