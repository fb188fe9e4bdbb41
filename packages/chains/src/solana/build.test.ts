import { describe, expect, it } from "vitest";
import type { TransactionIntent } from "../chain.ts";
import { intentOf, outcomesOf } from "../exact-bytes/testing/built.ts";
import {
  authorisedSolana,
  authorisedSolanaBytes,
  SOL_TRANSFER,
  SOLANA_BLOCKHASH,
  SOLANA_DEVNET,
  SOLANA_KEY,
  SOLANA_RECIPIENT,
  SOLANA_RENT,
  SOLANA_SENDER,
  SOLANA_SITUATION,
  SPL_2022_TRANSFER,
  SPL_TRANSFER,
  solanaBytes,
} from "../testing/solana-samples.ts";
import { SOLANA_FAMILY } from "./family.ts";
import { computePriceOf, solanaFeeLevels } from "./market.ts";
import { SOLANA_TOKEN_PROGRAM } from "./message/programs.ts";
import { requestTagOf } from "./request-tag.ts";
import type { SolanaSituation, TokenSituation } from "./situation.ts";
import { decodeSolana } from "./transaction.ts";

const ACT = authorisedSolana(SOL_TRANSFER);
const SPL_ACT = authorisedSolana(SPL_TRANSFER);
const CREATING_ACT = authorisedSolana(SPL_2022_TRANSFER);
const { sender: SENDER } = SOLANA_SITUATION;
const TOKEN = SOLANA_SITUATION.token ?? expect.fail("the samples have a token");
const MINT = TOKEN.mint ?? expect.fail("the token of the samples is one");
const HELD = TOKEN.ofRecipient ?? expect.fail("the recipient of the samples has an account");

const built = (act: TransactionIntent["act"], change: Partial<SolanaSituation> = {}) =>
  SOLANA_FAMILY.build(
    SOLANA_DEVNET,
    { ...SOLANA_SITUATION, ...change },
    intentOf(SOLANA_SENDER, SOLANA_KEY, act),
  );

const { draftOf, said } = outcomesOf(built, decodeSolana);
const token = (change: Partial<TokenSituation>): Partial<SolanaSituation> => ({
  token: { ...TOKEN, ...change },
});
const holding = (lamports: bigint): Partial<SolanaSituation> => ({ sender: { ...SENDER, lamports } });

describe("building a transfer", () => {
  it("writes the payment with the request's tag and the slot of its blockhash", () => {
    expect(draftOf(ACT)).toEqual({
      from: SOLANA_SENDER,
      blockhash: SOLANA_BLOCKHASH,
      instructions: [
        { kind: "computeLimit", units: 20_000 },
        { kind: "memo", text: `${requestTagOf(ACT.requestId)} 4711` },
        { kind: "payment", from: SOL_TRANSFER.from, to: SOL_TRANSFER.to, amount: 1_500_000_000n },
      ],
    });
  });

  it("makes the recipient's account where there is none, was asked for, and not else", () => {
    const kinds = (act: typeof CREATING_ACT, change: Partial<TokenSituation>) =>
      draftOf(act, token(change)).instructions.map(({ kind }) => kind);
    expect(kinds(CREATING_ACT, { ofRecipient: undefined })).toEqual([
      "computeLimit",
      "creation",
      "memo",
      "tokenPayment",
    ]);
    expect(kinds(CREATING_ACT, {})).toEqual(["computeLimit", "memo", "tokenPayment"]);
    expect(kinds(SPL_ACT, {})).toEqual(["computeLimit", "memo", "tokenPayment"]);
  });

  it("INV-4 gives two equal transfers of one moment other bytes, and the same request the same ones", () => {
    const other = authorisedSolana(SOL_TRANSFER, { requestId: "xfr-aaaaa-bbbbb-cccccccccccccccd" });
    expect(built(ACT)).toEqual(built(ACT));
    expect(built(other)).not.toEqual(built(ACT));
  });

  it("tells clients its fee, has no place among others, and bids a price below the cap at most", () => {
    expect(built(ACT)).toMatchObject({
      ok: true,
      value: { sequence: undefined, details: { fee: "5000", blockhash: SOLANA_BLOCKHASH } },
    });
    expect(built(ACT, { price: 10_000n })).toMatchObject({ value: { details: { fee: "5200" } } });
    expect(built(ACT, { price: 10n ** 15n })).toMatchObject({ value: { details: { fee: "1000000" } } });
  });

  it("fails when even the fee of a signature is above the cap", () => {
    const made = SOLANA_FAMILY.build({ ...SOLANA_DEVNET, feeCap: "4999" }, SOLANA_SITUATION, {
      sender: SOLANA_SENDER,
      keys: [],
      act: ACT,
      priority: undefined,
      sequencing: { kind: "next", lowest: 0n },
    });
    expect(!made.ok && made.problem.code).toBe("FeeAboveCap");
  });

  it("waits for a node that is of another chain", () => {
    expect(said(ACT, { genesisHash: SOLANA_BLOCKHASH })).toContain("ServiceUnavailable");
  });
});

describe("a transaction that the chain would refuse", () => {
  const ALL = 1_500_005_000n;

  it("is neither a payment of the whole balance, nor one that leaves just the rent", () => {
    expect([said(ACT, holding(ALL)), said(ACT, holding(ALL + SOLANA_RENT))]).toEqual(["built", "built"]);
  });

  it.each<[string, string, Parameters<typeof built>]>([
    [
      "more than the wallet holds",
      "InsufficientFunds: insufficient funds: 1500005000 lamports",
      [ACT, holding(ALL - 1n)],
    ],
    [
      "a remainder below the rent",
      "InsufficientFunds: insufficient funds: 1500895880 lamports",
      [ACT, holding(ALL + 1n)],
    ],
    [
      "too little for a new account",
      "RecipientCannotReceive: the recipient's account would hold 890879 lamports, less than the 890880 that an account must hold: send at least 890880",
      [authorisedSolana({ ...SOL_TRANSFER, amount: "890879" }), { recipient: { ...SENDER, lamports: 0n } }],
    ],
    [
      "an account that a program has",
      "TransactionInvalid: the wallet's account was handed",
      [ACT, { sender: { ...SENDER, program: SOLANA_TOKEN_PROGRAM } }],
    ],
    [
      "to itself more than it has",
      "InsufficientFunds",
      [authorisedSolana({ ...SOL_TRANSFER, to: SOLANA_SENDER }), holding(ALL - 1n)],
    ],
    ["a token that is none", "TransactionInvalid: there is no token", [SPL_ACT, token({ mint: undefined })]],
    [
      "a token that does what it likes",
      "TransactionInvalid: the token 4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU can be taken",
      [CREATING_ACT, token({ mint: { ...MINT, obstacle: "can be taken" } })],
    ],
    [
      "a token that the wallet has not",
      "InsufficientFunds: insufficient funds: 2500000 units",
      [SPL_ACT, token({ ofSender: undefined })],
    ],
    [
      "more of a token than it has",
      "the wallet holds 2499999",
      [SPL_ACT, token({ ofSender: { ...HELD, amount: 2_499_999n } })],
    ],
    [
      "from a frozen account",
      "the wallet's account of the token 4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU is frozen",
      [SPL_ACT, token({ ofSender: { ...HELD, isFrozen: true } })],
    ],
    [
      "to a frozen account",
      "RecipientCannotReceive: the recipient's account",
      [SPL_ACT, token({ ofRecipient: { ...HELD, isFrozen: true } })],
    ],
    [
      "to no account",
      "RecipientCannotReceive: the recipient has no account of the token 4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU: send createDestinationAccount: true",
      [SPL_ACT, token({ ofRecipient: undefined })],
    ],
    [
      "to an account that was handed over",
      "RecipientCannotReceive: the recipient's account of the token 4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU was handed to",
      [SPL_ACT, token({ ofRecipient: { ...HELD, owner: SOLANA_SENDER } })],
    ],
    [
      "to no account of a token that freezes each new one",
      "its issuer freezes each new one (DefaultAccountState): have the recipient make one",
      [CREATING_ACT, token({ mint: { ...MINT, freezesNew: true }, ofRecipient: undefined })],
    ],
    [
      "a new account that it cannot pay",
      "InsufficientFunds: insufficient funds: 2935160 lamports",
      [CREATING_ACT, { ...holding(2_044_281n), ...token({ ofRecipient: undefined }) }],
    ],
  ])("is refused in words before anything is signed: %s", (_, words, given) => {
    expect(said(...given)).toContain(words);
  });
});

describe("a caller's own bytes", () => {
  const bytes = Buffer.from(solanaBytes().slice(2), "hex");

  it("stay as they are, and are refused when their blockhash is too old", () => {
    const made = built(authorisedSolanaBytes(bytes));
    expect(made.ok && Buffer.from(made.value.unsigned)).toEqual(bytes);
    expect(said(authorisedSolanaBytes(bytes), { isBlockhashValid: false })).toContain("TransactionInvalid");
    expect(said(authorisedSolanaBytes(Uint8Array.of(1)))).toContain("TransactionUnreadable");
  });

  it("are refused before they are signed when nobody would carry them out, with any signature", () => {
    const priced = Buffer.from(
      solanaBytes({
        instructions: [
          { kind: "computeLimit", units: 1_400_000 },
          { kind: "computePrice", price: 1_000_000n },
          { kind: "payment", from: SOLANA_SENDER, to: SOLANA_RECIPIENT, amount: 1n },
        ],
      }).slice(2),
      "hex",
    );
    expect(said(authorisedSolanaBytes(priced))).toBe(
      "FeeAboveCap: the fee of 1405000 lamports is above the cap of 1000000 lamports",
    );
    const act = authorisedSolanaBytes(bytes);
    expect(said(act, holding(4_999n))).toContain(
      "5000 lamports (the fee alone) are needed, the wallet holds 4999",
    );
    expect(said(act, { sender: { ...SENDER, program: SOLANA_TOKEN_PROGRAM } })).toContain("was handed");
    expect(said(act, { isBlockhashValid: false })).toContain("make it again with the latest blockhash");
  });
});

describe("prices", () => {
  it("are a part of what the last slots paid, and never below a floor", () => {
    const paid = Array.from({ length: 101 }, (_, at) => BigInt(100 - at) * 10_000n);
    expect([
      computePriceOf("Slow", paid),
      computePriceOf("Standard", paid),
      computePriceOf("Fast", paid),
    ]).toEqual([250_000n, 500_000n, 750_000n]);
    expect(solanaFeeLevels(9n, [])).toEqual({
      kind: "Solana",
      blockNumber: 9,
      slow: { computeUnitPrice: "1000" },
      standard: { computeUnitPrice: "10000" },
      fast: { computeUnitPrice: "100000" },
    });
  });
});
