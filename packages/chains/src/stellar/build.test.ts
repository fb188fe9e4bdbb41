import { describe, expect, it } from "vitest";
import type { Sequencing, TransactionIntent } from "../chain.ts";
import { intentOf, outcomesOf } from "../exact-bytes/testing/built.ts";
import {
  authorisedStellar,
  authorisedStellarBytes,
  LUMEN_TRANSFER,
  SEP41_TRANSFER,
  STELLAR_KEY,
  STELLAR_RECIPIENT,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  STELLAR_TOKEN,
  STELLAR_TOKEN_SPELT,
  STELLAR_TRUSTLINE,
} from "../testing/stellar-samples.ts";
import { buildStellar } from "./build.ts";
import { STELLAR_FAMILY } from "./family.ts";
import type { StellarAccount, StellarSituation, Trustline } from "./situation.ts";
import { decodeStellar, encodeStellar, type StellarDraft } from "./transaction.ts";

const LUMENS = authorisedStellar(LUMEN_TRANSFER);
const USDC = authorisedStellar(SEP41_TRANSFER);

/** The next transaction of the account below. */
const TRUSTLINE: StellarDraft = { ...STELLAR_TRUSTLINE, sequence: 101n };
const LINE: Trustline = {
  token: STELLAR_TOKEN_SPELT,
  balance: 50_000_000n,
  limit: 1_000_000_000n,
  buying: 0n,
  selling: 0n,
  isAuthorised: true,
};
const ACCOUNT: StellarAccount = {
  sequence: 100n,
  balance: 100_000_000n,
  selling: 0n,
  reserves: 3n,
  weight: 1,
  threshold: 0,
  weightOfAll: 1,
  wantsMemo: false,
  trustlines: [LINE],
};
const SITUATION: StellarSituation = {
  passphrase: STELLAR_TESTNET.passphrase,
  closedAt: 2_000_000_000n,
  baseReserve: 5_000_000n,
  fees: { base: 100n, usual: 250n },
  sender: ACCOUNT,
  recipient: ACCOUNT,
};

const build = (
  act: TransactionIntent["act"] = LUMENS,
  change: Partial<StellarSituation> = {},
  sequencing?: Sequencing,
) =>
  buildStellar(
    STELLAR_TESTNET,
    { ...SITUATION, ...change },
    intentOf(STELLAR_SENDER, STELLAR_KEY, act, sequencing),
  );
const codeOf = (...given: Parameters<typeof build>): string => {
  const built = build(...given);
  return built.ok ? "ok" : built.problem.code;
};
const whyOf = (...given: Parameters<typeof build>): string => {
  const built = build(...given);
  return built.ok ? "ok" : built.problem.message;
};
const { draftOf } = outcomesOf(build, decodeStellar);
const sender = (change: Partial<StellarAccount>) => ({ sender: { ...ACCOUNT, ...change } });
const recipient = (change: Partial<StellarAccount>) => ({ recipient: { ...ACCOUNT, ...change } });
const line = (change: Partial<Trustline>) => ({ trustlines: [{ ...LINE, ...change }] });

describe("a transfer on Stellar", () => {
  it("is the account's next transaction, at the usual fee, void five minutes after the last ledger", () => {
    expect(draftOf()).toEqual({
      from: STELLAR_SENDER,
      fee: 250n,
      sequence: 101n,
      minTime: 0n,
      maxTime: 2_000_000_300n,
      memo: { kind: "id", id: "4711" },
      operation: { kind: "payment", to: STELLAR_RECIPIENT, token: undefined, amount: 15_000_000n },
    });
    const built = build();
    expect(built.ok && [built.value.sequence, built.value.details]).toEqual([
      101n,
      { fee: "250", sequence: "101", maxTime: "2000000300" },
    ]);
    expect(draftOf(USDC).operation).toMatchObject({ token: STELLAR_TOKEN, amount: 25_000_000n });
  });

  it("is read by signers as what was authorised, to an account that is there and to one that is not", () => {
    for (const [act, change] of [
      [LUMENS, {}],
      [USDC, {}],
      [LUMENS, { recipient: undefined }],
    ] as const) {
      const built = build(act, change);
      if (!built.ok) expect.fail(built.problem.message);
      expect(STELLAR_FAMILY.read(STELLAR_TESTNET, built.value.unsigned, act).ok).toBe(true);
    }
  });

  it("makes the account of a recipient that is not there, with what an account takes at least", () => {
    expect(draftOf(LUMENS, { recipient: undefined }).operation).toEqual({
      kind: "createAccount",
      to: STELLAR_RECIPIENT,
      amount: 15_000_000n,
    });
    const small = authorisedStellar({ ...LUMEN_TRANSFER, amount: "9999999" });
    expect(whyOf(small, { recipient: undefined })).toContain("at least 10000000 stroops");
    expect(codeOf(small, { recipient: undefined, baseReserve: 4_000_000n })).toBe("ok");
  });

  it("offers at least what the chain asks for, and at most the network's cap", () => {
    expect(draftOf(LUMENS, { fees: { base: 300n, usual: 200n } }).fee).toBe(300n);
    expect(draftOf(LUMENS, { fees: { base: 100n, usual: 5_000_000n } }).fee).toBe(100_000n);
    expect(codeOf(LUMENS, { fees: { base: 100_001n, usual: 100_001n } })).toBe("FeeAboveCap");
  });

  it("is not built on another chain", () => {
    const passphrase = "Public Global Stellar Network ; September 2015";
    expect(codeOf(LUMENS, { passphrase })).toBe("ServiceUnavailable");
  });
});

describe("the place of a transaction among those of its account", () => {
  const sequenceOf = (sequencing: Sequencing): unknown => {
    const built = build(LUMENS, {}, sequencing);
    return built.ok ? built.value.sequence : built.problem.code;
  };

  it("is the next one, and nothing is built behind one that may still land", () => {
    expect(sequenceOf({ kind: "next", lowest: 50n })).toBe(101n);
    expect(sequenceOf({ kind: "next", lowest: 101n })).toBe(101n);
    expect(sequenceOf({ kind: "next", lowest: 102n })).toBe("ServiceUnavailable");
    expect(whyOf(LUMENS, {}, { kind: "next", lowest: 102n })).toContain("an earlier transaction");
  });

  it("stays while it is built again, as long as the account has not come that far", () => {
    expect(sequenceOf({ kind: "kept", sequence: 101n })).toBe(101n);
    expect(sequenceOf({ kind: "kept", sequence: 99n })).toBe(101n);
    expect(sequenceOf({ kind: "kept", sequence: undefined })).toBe(101n);
  });

  it("is that of a caller's own bytes, which must be the next one", () => {
    const exact = (sequence: bigint, lowest = 0n) =>
      codeOf(
        authorisedStellarBytes(encodeStellar({ ...TRUSTLINE, sequence })),
        {},
        {
          kind: "next",
          lowest,
        },
      );
    expect([exact(101n), exact(100n), exact(102n)]).toEqual(["ok", "NonceUsed", "NonceGap"]);
    expect(exact(102n, 102n)).toBe("ServiceUnavailable");
  });
});

describe("a transaction that cannot land is refused before anything is signed", () => {
  it("a missing account, or one whose key has too little weight", () => {
    expect(codeOf(LUMENS, { sender: undefined })).toBe("InsufficientFunds");
    expect(codeOf(LUMENS, sender({ weight: 0 }))).toBe("TransactionInvalid");
    expect(codeOf(LUMENS, sender({ weight: 1, threshold: 2 }))).toBe("TransactionInvalid");
    expect(codeOf(LUMENS, sender({ weight: 2, threshold: 2 }))).toBe("ok");
  });

  it("more lumens than the account has beside its reserves and its offers", () => {
    // 15 000 000 to pay, 250 for the fee, 3 reserves of 5 000 000
    expect(codeOf(LUMENS, sender({ balance: 30_000_250n }))).toBe("ok");
    expect(codeOf(LUMENS, sender({ balance: 30_000_249n }))).toBe("InsufficientFunds");
    expect(codeOf(LUMENS, sender({ balance: 30_000_250n, selling: 1n }))).toBe("InsufficientFunds");
    expect(codeOf(LUMENS, sender({ balance: 30_000_250n, reserves: 4n }))).toBe("InsufficientFunds");
    expect(codeOf(LUMENS, { ...sender({ balance: 30_000_249n }), recipient: undefined })).toBe(
      "InsufficientFunds",
    );
    expect(codeOf(USDC, sender({ balance: 15_000_249n }))).toBe("InsufficientFunds");
  });

  it("more of an asset than the account has, or may move", () => {
    expect(codeOf(USDC, sender(line({ balance: 25_000_000n })))).toBe("ok");
    for (const change of [
      line({ balance: 24_999_999n }),
      line({ selling: 25_000_001n }),
      line({ isAuthorised: false }),
      line({ token: "EURC:x" }),
      { trustlines: [] },
    ]) {
      expect(codeOf(USDC, sender(change))).toBe("InsufficientFunds");
    }
  });

  it("an asset to a recipient that is not there, does not trust in it, may not hold it, or has no room", () => {
    expect(codeOf(USDC, recipient(line({ balance: 975_000_000n })))).toBe("ok");
    expect(codeOf(USDC, { recipient: undefined })).toBe("RecipientCannotReceive");
    for (const change of [
      { trustlines: [] },
      line({ isAuthorised: false }),
      line({ balance: 975_000_001n }),
      line({ buying: 925_000_001n }),
    ]) {
      expect(codeOf(USDC, recipient(change))).toBe("RecipientCannotReceive");
    }
    expect(whyOf(USDC, recipient({ trustlines: [] }))).toContain(
      "the recipient has no trustline for USDC: have it make one",
    );
  });

  it("an issuer needs no trustline in what it makes", () => {
    const { issuer } = STELLAR_TOKEN;
    const redeemed = authorisedStellar({ ...SEP41_TRANSFER, to: issuer });
    expect(codeOf(redeemed, recipient({ trustlines: [] }))).toBe("ok");
    const operation = {
      kind: "payment",
      to: STELLAR_RECIPIENT,
      token: { ...STELLAR_TOKEN, issuer: STELLAR_SENDER },
      amount: 5n,
    } as const;
    const issued = authorisedStellarBytes(encodeStellar({ ...TRUSTLINE, operation }));
    const token = `USDC:${STELLAR_SENDER}`;
    expect(codeOf(issued, { ...sender({ trustlines: [] }), ...recipient(line({ token })) })).toBe("ok");
  });

  it("a payment without the memo that its recipient requires (SEP-29)", () => {
    const operation = { kind: "payment", to: STELLAR_RECIPIENT, token: undefined, amount: 5n } as const;
    const of = (memo: StellarDraft["memo"]) =>
      codeOf(
        authorisedStellarBytes(encodeStellar({ ...TRUSTLINE, operation, memo })),
        recipient({ wantsMemo: true }),
      );
    expect(of({ kind: "none" })).toBe("RecipientCannotReceive");
    expect(of({ kind: "id", id: "7" })).toBe("ok");
    // the caller of a transfer may insist; that is judged before the build
    const { memo: _, ...bare } = LUMEN_TRANSFER;
    expect(codeOf(authorisedStellar(bare), recipient({ wantsMemo: true }))).toBe("ok");
  });

  it("an account's payment to itself stays", () => {
    const own = authorisedStellar({ ...LUMEN_TRANSFER, to: STELLAR_SENDER });
    expect(codeOf(own, sender({ balance: 15_000_250n }))).toBe("ok");
    const ownToken = authorisedStellar({ ...SEP41_TRANSFER, to: STELLAR_SENDER });
    expect(codeOf(ownToken, recipient(line({ balance: 1_000_000_000n })))).toBe("ok");
  });
});

describe("a caller's own bytes", () => {
  const of = (change: Partial<StellarDraft>) =>
    authorisedStellarBytes(encodeStellar({ ...TRUSTLINE, ...change }));
  const trust = (limit: bigint) => of({ operation: { kind: "changeTrust", token: STELLAR_TOKEN, limit } });

  it("stay as they are", () => {
    const built = build(of({}));
    expect(built.ok && built.value.unsigned).toEqual(encodeStellar(TRUSTLINE));
  });

  it("are refused when their time is over or to come, or the chain takes no such fee", () => {
    expect(codeOf(of({ maxTime: 2_000_000_000n }))).toBe("TransactionInvalid");
    expect(codeOf(of({ maxTime: 2_000_000_001n }))).toBe("ok");
    // a week, for which the wallet may have to wait
    expect(codeOf(of({ maxTime: 2_000_604_800n }))).toBe("ok");
    expect(whyOf(of({ maxTime: 2_000_604_801n }))).toContain("Make it 2000604800 at the most");
    expect(codeOf(of({ minTime: 2_000_000_001n }))).toBe("TransactionInvalid");
    expect(codeOf(of({ fee: 99n }))).toBe("TransactionInvalid");
  });

  it("open a trustline with one reserve more, in an issuer that is there", () => {
    const none = sender({ trustlines: [], reserves: 2n, balance: 15_000_100n });
    expect(codeOf(trust(5n), none)).toBe("ok");
    expect(codeOf(trust(5n), sender({ trustlines: [], reserves: 2n, balance: 15_000_099n }))).toBe(
      "InsufficientFunds",
    );
    expect(codeOf(trust(5n), { ...none, recipient: undefined })).toBe("TransactionInvalid");
    expect(codeOf(trust(0n), none)).toBe("TransactionInvalid");
  });

  it("change a trustline as far as it holds no more, and need no reserve for that", () => {
    expect(codeOf(trust(50_000_000n), sender({ balance: 15_000_100n }))).toBe("ok");
    expect(codeOf(trust(49_999_999n))).toBe("TransactionInvalid");
    expect(codeOf(trust(0n), sender(line({ balance: 0n })))).toBe("ok");
    expect(codeOf(trust(0n), sender(line({ balance: 0n, buying: 1n })))).toBe("TransactionInvalid");
    const own = {
      kind: "changeTrust",
      token: { ...STELLAR_TOKEN, issuer: STELLAR_SENDER },
      limit: 5n,
    } as const;
    expect(codeOf(of({ operation: own }))).toBe("TransactionInvalid");
  });

  it("make no account that is there, and pay no lumens to one that is not", () => {
    const create = { kind: "createAccount", to: STELLAR_RECIPIENT, amount: 10_000_000n } as const;
    expect(codeOf(of({ operation: create }))).toBe("TransactionInvalid");
    expect(codeOf(of({ operation: create }), { recipient: undefined })).toBe("ok");
    const pay = { kind: "payment", to: STELLAR_RECIPIENT, token: undefined, amount: 10_000_000n } as const;
    expect(codeOf(of({ operation: pay }), { recipient: undefined })).toBe("RecipientCannotReceive");
  });
});
