import { describe, expect, it } from "vitest";
import {
  SOL_TRANSFER,
  SOLANA_MINT,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
  SPL_2022_TRANSFER,
  SPL_TRANSFER,
  solanaBytes,
} from "../testing/solana-samples.ts";
import { SOLANA_FAMILY } from "./family.ts";
import type { SolanaInstruction } from "./message/instruction.ts";
import { associatedAccount } from "./token/associated-account.ts";

const KIND = "Spl2022";
const TOKEN = { kind: KIND, mint: SOLANA_MINT } as const;
const created: SolanaInstruction = {
  kind: "creation",
  token: KIND,
  payer: SOLANA_SENDER,
  owner: SOLANA_RECIPIENT,
  mint: SOLANA_MINT,
  idempotent: true,
};
const paidTo = (owner: string): SolanaInstruction => ({
  kind: "tokenPayment",
  token: KIND,
  mint: SOLANA_MINT,
  from: SOLANA_SENDER,
  destination: associatedAccount(TOKEN, owner),
  amount: 7n,
  decimals: 6,
});

const effectsOf = (...instructions: readonly SolanaInstruction[]) =>
  SOLANA_FAMILY.effectsOf(
    undefined,
    {
      kind: "Exact",
      from: SOLANA_SENDER,
      unsigned: solanaBytes({ instructions }).slice(2),
    },
    false,
  );

describe("the effects that policies are shown", () => {
  it("of a transfer is what it moves to whom; a new account of the recipient costs its caller", () => {
    const to = { recipient: SOLANA_RECIPIENT };
    expect(SOLANA_FAMILY.effectsOf(undefined, SOL_TRANSFER, false)).toEqual({
      movements: [{ asset: "Native", amount: "1500000000", ...to }],
      unknown: undefined,
    });
    expect(SOLANA_FAMILY.effectsOf(undefined, SPL_TRANSFER, false)).toEqual({
      movements: [{ asset: `Spl:${SOLANA_MINT}`, amount: "2500000", ...to }],
      unknown: undefined,
    });
    expect(SOLANA_FAMILY.effectsOf(undefined, SPL_2022_TRANSFER, false)).toMatchObject({
      movements: [{ asset: `Spl2022:${SOLANA_MINT}` }],
      fee: "2248080",
    });
  });

  it("of a caller's own bytes is every payment in them, and their fee", () => {
    const payment: SolanaInstruction = {
      kind: "payment",
      from: SOLANA_SENDER,
      to: SOLANA_RECIPIENT,
      amount: 5n,
    };
    expect(effectsOf({ kind: "computePrice", price: 1_000_000n }, payment, payment)).toEqual({
      movements: [
        { asset: "Native", amount: "5", recipient: SOLANA_RECIPIENT },
        { asset: "Native", amount: "5", recipient: SOLANA_RECIPIENT },
      ],
      unknown: undefined,
      fee: "605000",
    });
  });

  it("of a token transfer names the receiving owner, if the bytes name it", () => {
    expect(effectsOf(created, paidTo(SOLANA_RECIPIENT))).toEqual({
      movements: [{ asset: `Spl2022:${SOLANA_MINT}`, amount: "7", recipient: SOLANA_RECIPIENT }],
      unknown: undefined,
      fee: "2253080",
    });
    expect(effectsOf(paidTo(SOLANA_SENDER)).movements).toMatchObject([{ recipient: SOLANA_SENDER }]);
    expect(effectsOf(paidTo(SOLANA_RECIPIENT)).unknown).toContain("owner");
    expect(effectsOf({ ...created, token: "Spl" }, paidTo(SOLANA_RECIPIENT)).unknown).toContain("owner");
  });

  it("of what nobody reads is unknown", () => {
    expect(
      SOLANA_FAMILY.effectsOf(undefined, { kind: "Exact", from: SOLANA_SENDER, unsigned: "00" }, false)
        .unknown,
    ).toBeDefined();
    expect(SOLANA_FAMILY.effectsOf(undefined, { kind: "Other" }, false).unknown).toBeDefined();
  });
});
