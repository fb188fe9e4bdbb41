import { describe, expect, it } from "vitest";
import { describeExactBytes, describeTransfers, judgesOf } from "../../rules/testing/judgement-suite.ts";
import { solanaTransactionSchema, solanaTransferSchema } from "./act.ts";
import { parseSolanaAddress } from "./address.ts";
import { SOLANA_KEYLESS } from "./keyless.ts";
import { SOLANA_RULES } from "./rules.ts";
import { parseSolanaToken, spellSolanaToken } from "./token.ts";

const SENDER = "83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri";
const TO = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";
const MINT = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU";
const LARGEST = "18446744073709551615";
const FACTS = { chain: "Solana", rules: SOLANA_RULES, network: "SolanaDevnet", sender: SENDER };
const NOT_TOKENS = ["", MINT, `Asa:${MINT}`, `Spl:${MINT}:x`, "Spl:USDC"];
const native = { kind: "Native", to: TO, amount: "1500000000" };
const spl = { kind: "Spl", mint: MINT, to: TO, amount: "5" };
const spl2022 = { ...spl, kind: "Spl2022", createDestinationAccount: true };

describeTransfers({
  ...FACTS,
  schema: solanaTransferSchema,
  judged: [
    [
      { ...native, priority: "Fast" },
      {
        transfer: { ...native, from: SENDER },
        asset: { symbol: "SOL", decimals: 9, verified: true },
        token: undefined,
      },
    ],
    // other facts of a token than its program and its mint are known to the chain alone
    [
      spl,
      {
        transfer: { ...spl, from: SENDER, createDestinationAccount: false },
        asset: {},
        token: `Spl:${MINT}`,
      },
    ],
    [spl2022, { transfer: { ...spl2022, from: SENDER }, asset: {}, token: `Spl2022:${MINT}` }],
  ],
  taken: [native, { ...native, amount: LARGEST }, { ...spl, amount: LARGEST }],
  answered: [
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
  ],
  unreadable: [
    { ...spl, useDurableNonce: true },
    { ...native, createDestinationAccount: true },
    { ...spl, createDestinationAccount: "yes" },
    { ...spl, decimals: 6 },
  ],
  asset: { symbol: "USDC", decimals: 6 },
  shown: [
    [spl, { kind: "SplTransfer", mint: MINT, value: "5", symbol: "USDC", decimals: 6 }],
    [native, undefined],
  ],
  tokens: [[spellSolanaToken({ kind: "Spl2022", mint: MINT }), { kind: "Spl2022", mint: MINT }]],
  notTokens: NOT_TOKENS,
});

it.each(NOT_TOKENS)("a token of Solana is not read from %j", (text) => {
  expect(parseSolanaToken(text)).toBeUndefined();
});

describe("a recipient on Solana", () => {
  const { whyOf } = judgesOf(FACTS);

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
      expect(whyOf({ ...body, to })).toContain(`RecipientUnsuitable ${what}`);
      expect(whyOf({ ...body, to, sendAnyway: false })).toContain("RecipientUnsuitable");
      expect(whyOf({ ...body, to, sendAnyway: true })).toBe("ok");
    }
  });

  it("is not the mint of the token that is sent", () => {
    expect(whyOf({ ...spl, to: MINT })).toContain("the token that is sent");
    expect(whyOf({ ...spl2022, to: MINT })).toContain("the token that is sent");
    // only the chain can tell that an address is another token's mint
    expect(whyOf({ ...native, to: MINT })).toBe("ok");
  });

  it("is refused by a list whose entries are all valid addresses in their only spelling", () => {
    for (const to of SOLANA_KEYLESS.keys())
      expect(parseSolanaAddress(to, "to")).toEqual({ ok: true, value: to });
  });
});

describeExactBytes({
  ...FACTS,
  transaction: solanaTransactionSchema,
  schemes: ["FROST-Ed25519"],
  unsigned: [{ body: { kind: "Eip191", message: "00" } }],
});
