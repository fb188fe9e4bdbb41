import { describe, expect, it } from "vitest";
import { transactionBodySchema } from "../../chain-request/transaction-body.ts";
import { judgeTransaction } from "../../chain-request/transaction-judgement.ts";
import { transferBodySchema } from "../../chain-request/transfer-body.ts";
import { judgeTransfer } from "../../chain-request/transfer-judgement.ts";
import { networkSchema } from "../../network.ts";
import type { FamilyTable } from "../rules.ts";
import { solanaTransactionSchema, solanaTransferSchema } from "./act.ts";
import { parseSolanaAddress } from "./address.ts";
import { SOLANA_KEYLESS } from "./keyless.ts";
import { SOLANA_RULES } from "./rules.ts";
import { parseSolanaToken, spellSolanaToken } from "./token.ts";

const families: FamilyTable = { find: (family) => (family === "Solana" ? SOLANA_RULES : undefined) };
const network = networkSchema.parse("SolanaDevnet");
const SENDER = "83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri";
const TO = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";
const MINT = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU";
const LARGEST = "18446744073709551615";
const native = { kind: "Native", to: TO, amount: "1500000000" };
const spl = { kind: "Spl", mint: MINT, to: TO, amount: "5" };
const spl2022 = { ...spl, kind: "Spl2022", createDestinationAccount: true };

const judge = (body: unknown) => judgeTransfer(families, network, transferBodySchema.parse(body), SENDER);
const codeOf = (body: unknown): string => {
  const judged = judge(body);
  return judged.ok ? "ok" : `${judged.problem.code} ${String(judged.problem.details["field"])}`;
};

describe("a transfer on Solana", () => {
  it("of the native coin is of the wallet's own account", () => {
    expect(judge({ ...native, priority: "Fast" })).toEqual({
      ok: true,
      value: {
        transfer: { kind: "Native", from: SENDER, to: TO, amount: "1500000000" },
        asset: { symbol: "SOL", decimals: 9, verified: true },
        token: undefined,
      },
    });
  });

  it("of a token names its program and its mint, of which only the chain knows more", () => {
    const moved = { mint: MINT, from: SENDER, to: TO, amount: "5" };
    expect([judge(spl), judge(spl2022)]).toEqual([
      {
        ok: true,
        value: {
          transfer: { kind: "Spl", ...moved, createDestinationAccount: false },
          asset: {},
          token: `Spl:${MINT}`,
        },
      },
      {
        ok: true,
        value: {
          transfer: { kind: "Spl2022", ...moved, createDestinationAccount: true },
          asset: {},
          token: `Spl2022:${MINT}`,
        },
      },
    ]);
  });

  it("is judged so that the signers' strict schema takes it, up to the largest number of 64 bits", () => {
    for (const body of [native, spl, spl2022, { ...native, amount: LARGEST }, { ...spl, amount: LARGEST }]) {
      const judged = judge(body);
      expect(judged.ok && solanaTransferSchema.safeParse(judged.value.transfer).success).toBe(true);
    }
  });

  it.each([
    ["AmountInvalid amount", { ...native, amount: "0" }],
    ["AmountInvalid amount", { ...native, amount: "1.5" }],
    ["AmountInvalid amount", { ...native, amount: "18446744073709551616" }],
    ["AmountInvalid amount", { ...spl, amount: "-1" }],
    ["AddressInvalid to", { ...native, to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    ["AddressInvalid to", { ...spl, to: `${TO}1` }],
    ["AddressInvalid to", { ...spl, to: "11111111111111111111111111111111" }],
    ["AddressInvalid mint", { ...spl, mint: "USDC" }],
    ["MemoNotSupported memo", { ...native, memo: "1" }],
    ["MemoNotSupported memo", { ...spl2022, memo: "1" }],
    ["TransferKindNotSupported kind", { kind: "Erc20", contract: MINT, to: TO, amount: "1" }],
    ["TransferKindNotSupported kind", { kind: "Asa", assetId: "1", to: TO, amount: "1" }],
  ])("INV-9 is refused with %s: %j", (code, body) => {
    expect(codeOf(body)).toBe(code);
  });

  it.each([
    { ...spl, useDurableNonce: true },
    { ...native, createDestinationAccount: true },
    { ...spl, createDestinationAccount: "yes" },
    { ...spl, decimals: 6 },
  ])("INV-9 with a field that it does not have is not a body: %j", (body) => {
    expect(transferBodySchema.safeParse(body).success).toBe(false);
  });
});

it.each(["0", "1.5", "-1", "1e9", "01", " 1"])(
  "K12 the refusal of an invalid amount of Solana names its unit: %j",
  (amount) => {
    const said = (body: object): string => {
      const judged = judge(body);
      return judged.ok ? "ok" : judged.problem.message;
    };
    expect(said({ ...native, amount })).toBe(
      "The amount is not a positive integer of lamports, of which 1000000000 are 1 SOL, of at most 18446744073709551615.",
    );
    expect(said({ ...spl, amount })).toContain("integer of the token's smallest unit");
  },
);

describe("a recipient on Solana", () => {
  const why = (body: object): string => {
    const judged = judge(body);
    return judged.ok ? "ok" : `${judged.problem.code}: ${String(judged.problem.details["why"])}`;
  };

  it.each([
    ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "the Token program"],
    ["TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", "the program Token-2022"],
    ["ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", "the Associated Token program"],
    ["1nc1nerator11111111111111111111111111111111", "the incinerator"],
    ["SysvarC1ock11111111111111111111111111111111", "a sysvar"],
    ["SysvarRent111111111111111111111111111111111", "a sysvar"],
    ["Sysvar1nstructions1111111111111111111111111", "a sysvar"],
    ["Stake11111111111111111111111111111111111111", "a program"],
    ["Vote111111111111111111111111111111111111111", "a program"],
    ["ComputeBudget111111111111111111111111111111", "a program"],
    ["So11111111111111111111111111111111111111112", "the token of wrapped SOL"],
  ])("whom nobody signs for is refused, unless the caller insists: %s", (to, what) => {
    for (const body of [native, spl, spl2022]) {
      expect(why({ ...body, to })).toContain(`RecipientUnsuitable: ${what}`);
      expect(why({ ...body, to, sendAnyway: false })).toContain("RecipientUnsuitable");
      expect(why({ ...body, to, sendAnyway: true })).toBe("ok");
    }
  });

  it("is not the token that is sent to it", () => {
    expect(why({ ...spl, to: MINT })).toContain("the token that is sent");
    expect(why({ ...spl2022, to: MINT })).toContain("the token that is sent");
    // of the mint of another coin only the chain knows that it is one
    expect(why({ ...native, to: MINT })).toBe("ok");
  });

  it("is each address of the list an address, of which there is no second spelling", () => {
    for (const to of SOLANA_KEYLESS.keys())
      expect(parseSolanaAddress(to, "to")).toEqual({ ok: true, value: to });
  });
});

describe("a transaction of a caller's making on Solana", () => {
  it("is taken as it is, of the wallet's account, and is of no other template", () => {
    const bytes = transactionBodySchema.parse({ kind: "Transaction", transaction: "0x01AB" });
    const judged = judgeTransaction(families, network, bytes, SENDER, undefined);
    expect(judged).toEqual({ ok: true, value: { kind: "Exact", from: SENDER, unsigned: "01ab" } });
    expect(judged.ok && solanaTransactionSchema.safeParse(judged.value).success).toBe(true);
    const other = transactionBodySchema.parse({ kind: "Evm", to: TO, value: "1" });
    const refused = judgeTransaction(families, network, other, SENDER, undefined);
    expect(!refused.ok && refused.problem.code).toBe("TransactionKindNotSupported");
  });
});

describe("a token of Solana", () => {
  it("is shown by its kind and mint, in holdings and in histories", () => {
    const text = spellSolanaToken({ kind: "Spl2022", mint: MINT });
    expect(SOLANA_RULES.showToken(text)).toEqual({ kind: "Spl2022", mint: MINT });
    expect(SOLANA_RULES.showMovement(transferBodySchema.parse(spl), { symbol: "USDC", decimals: 6 })).toEqual(
      {
        kind: "SplTransfer",
        mint: MINT,
        value: "5",
        symbol: "USDC",
        decimals: 6,
      },
    );
    expect(SOLANA_RULES.showMovement(transferBodySchema.parse(native), {})).toBeUndefined();
  });

  it.each(["", MINT, `Asa:${MINT}`, `Spl:${MINT}:x`, "Spl:USDC"])("is not spelt %j", (text) => {
    expect(parseSolanaToken(text)).toBeUndefined();
    expect(() => SOLANA_RULES.showToken(text)).toThrow(TypeError);
  });
});
