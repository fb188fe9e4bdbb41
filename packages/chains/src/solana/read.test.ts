import { describe, expect, it } from "vitest";
import { describeReadings, readingsOf } from "../exact-bytes/testing/reading-suite.ts";
import {
  authorisedSolana,
  authorisedSolanaBytes,
  SOL_TRANSFER,
  SOLANA_BLOCKHASH,
  SOLANA_DEVNET,
  SOLANA_MINT,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
  SPL_2022_TRANSFER,
  SPL_TRANSFER,
} from "../testing/solana-samples.ts";
import { solanaExclusion } from "./exclusion.ts";
import { SOLANA_FAMILY } from "./family.ts";
import type { SolanaInstruction } from "./message/instruction.ts";
import { messageOf } from "./message/message.ts";
import { requestTagOf } from "./request-tag.ts";
import { associatedAccount } from "./token/associated-account.ts";
import { encodeSolana, type SolanaDraft } from "./transaction.ts";
import { transferDraft } from "./transfer-form.ts";

const STRANGER = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";
const ACT = authorisedSolana(SOL_TRANSFER);
const SPL_ACT = authorisedSolana(SPL_TRANSFER);
const CREATING_ACT = authorisedSolana(SPL_2022_TRANSFER);
const TAG = requestTagOf(ACT.requestId);

const FRAME = {
  blockhash: SOLANA_BLOCKHASH,
  memo: { tag: TAG, slot: 4_711n },
  units: 20_000,
  price: 25_000n,
  decimals: 6,
  creates: false,
};
const PAYMENT = transferDraft(SOL_TRANSFER, FRAME);
const TOKENS = transferDraft(SPL_TRANSFER, FRAME);
const CREATING = transferDraft(SPL_2022_TRANSFER, { ...FRAME, creates: true });

const READ = { family: SOLANA_FAMILY, entry: SOLANA_DEVNET, encode: encodeSolana, act: ACT };
const { readOf, reading } = readingsOf(READ);

/** The draft with changed fields in its instruction of a kind. */
const changed = (draft: SolanaDraft, kind: SolanaInstruction["kind"], change: object): SolanaDraft => ({
  ...draft,
  instructions: draft.instructions.map((each) =>
    each.kind === kind ? Object.assign({}, each, change) : each,
  ),
});

const paid: SolanaInstruction = { kind: "payment", from: SOLANA_SENDER, to: SOLANA_RECIPIENT, amount: 5n };
/** A caller's own payment without a compute limit: its two instructions have 200000 units each. */
const priced = (price: bigint): SolanaDraft => ({
  ...PAYMENT,
  instructions: [{ kind: "computePrice", price }, paid],
});

describeReadings({
  ...READ,
  elsewhere: "Solana",
  authorised: (change) => authorisedSolana(SOL_TRANSFER, change),
  authorisedBytes: authorisedSolanaBytes,
  payment: PAYMENT,
  read: {
    signables: [{ scheme: "FROST-Ed25519", bytes: messageOf(encodeSolana(PAYMENT)) }],
    exclusion: solanaExclusion(encodeSolana(PAYMENT)),
    deadlineMs: undefined,
    fee: 5_500n,
    effects: {
      movements: [{ asset: "Native", amount: "1500000000", recipient: SOLANA_RECIPIENT }],
      unknown: undefined,
      fee: "5500",
    },
  },
  signer: SOLANA_SENDER,
  untaken: [
    { ...SOL_TRANSFER, memo: "x" },
    { ...SOL_TRANSFER, amount: "0" },
    { ...SOL_TRANSFER, amount: "18446744073709551616" },
    { ...SOL_TRANSFER, to: `${SOLANA_RECIPIENT}1` },
    { ...SOL_TRANSFER, kind: "Erc20" },
  ],
  given: [PAYMENT, TOKENS, priced(2_487_500n)],
  changed: { ...PAYMENT, blockhash: STRANGER },
  stranger: STRANGER,
  dear: priced(2_487_501n),
});

describe("INV-3 a signer's reading of a transfer on Solana", () => {
  it("of a token says which one moves", () => {
    expect(reading(CREATING, CREATING_ACT).effects.movements).toEqual([
      { asset: `Spl2022:${SOLANA_MINT}`, amount: "2500000", recipient: SOLANA_RECIPIENT },
    ]);
  });

  it("leaves blockhash, slot, decimals and what is bid to the service, up to the network's cap", () => {
    const frames = [
      { blockhash: STRANGER },
      { memo: { tag: TAG, slot: 1n } },
      { price: undefined },
      { units: 1_400_000 },
    ];
    for (const change of frames)
      expect(readOf(transferDraft(SOL_TRANSFER, { ...FRAME, ...change }))).toBe("ok");
    expect(readOf(transferDraft(SPL_TRANSFER, { ...FRAME, decimals: 9 }), SPL_ACT)).toBe("ok");
    expect(readOf(transferDraft(SOL_TRANSFER, { ...FRAME, price: 49_750_000n }))).toBe("ok");
    expect(readOf(transferDraft(SOL_TRANSFER, { ...FRAME, price: 49_750_001n }))).toBe("FeeAboveCap");
  });

  it.each<[string, SolanaDraft]>([
    ["kind", TOKENS],
    ["from", transferDraft({ ...SOL_TRANSFER, from: STRANGER }, FRAME)],
    ["to", changed(PAYMENT, "payment", { to: STRANGER })],
    ["to", changed(PAYMENT, "payment", { to: SOLANA_SENDER })],
    ["amount", changed(PAYMENT, "payment", { amount: 1_500_000_001n })],
    ["amount", changed(PAYMENT, "payment", { amount: 0n })],
    ["tag", changed(PAYMENT, "memo", { text: `${requestTagOf("another request")} 4711` })],
    ["tag", changed(PAYMENT, "memo", { text: `${TAG} 04711` })],
    ["tag", changed(PAYMENT, "memo", { text: TAG })],
    ["tag", { ...PAYMENT, instructions: PAYMENT.instructions.filter(({ kind }) => kind !== "memo") }],
    ["kind", { ...PAYMENT, instructions: PAYMENT.instructions.filter(({ kind }) => kind !== "payment") }],
  ])("refuses a payment whose %s is not what was authorised", (field, draft) => {
    expect(readOf(draft)).toBe(`TransactionMismatch ${field}`);
  });

  it.each<[string, SolanaDraft]>([
    ["kind", PAYMENT],
    ["kind", transferDraft({ ...SPL_TRANSFER, kind: "Spl2022" }, FRAME)],
    ["mint", transferDraft({ ...SPL_TRANSFER, mint: STRANGER }, FRAME)],
    ["from", transferDraft({ ...SPL_TRANSFER, from: STRANGER }, FRAME)],
    ["to", transferDraft({ ...SPL_TRANSFER, to: STRANGER }, FRAME)],
    // the owner's own address, which is no token account
    ["to", changed(TOKENS, "tokenPayment", { destination: SOLANA_RECIPIENT })],
    ["amount", changed(TOKENS, "tokenPayment", { amount: 2_499_999n })],
    ["createDestinationAccount", transferDraft(SPL_TRANSFER, { ...FRAME, creates: true })],
    ["tag", changed(TOKENS, "memo", { text: "paid" })],
  ])("refuses a transfer of a token whose %s is not what was authorised", (field, draft) => {
    expect(readOf(draft, SPL_ACT)).toBe(`TransactionMismatch ${field}`);
  });

  it("takes a transfer with the hash of the first block, which is the final one while a chain is young", () => {
    const young = changed(PAYMENT, "memo", { text: `${TAG} 0` });
    expect(readOf(young)).toBe("ok");
  });

  it("takes a new account of the recipient where it was asked for, and does without where there is one", () => {
    expect(readOf(CREATING, CREATING_ACT)).toBe("ok");
    expect(readOf(transferDraft(SPL_2022_TRANSFER, FRAME), CREATING_ACT)).toBe("ok");
    const [STRANGERS, MINTS] = [{ owner: STRANGER }, { mint: STRANGER }];
    for (const change of [STRANGERS, MINTS, { idempotent: false }, { token: "Spl" }]) {
      expect(readOf(changed(CREATING, "creation", change), CREATING_ACT)).toBe("TransactionMismatch form");
    }
  });

  it("takes nothing beside the transfer, and no other order", () => {
    const { instructions } = PAYMENT;
    const again: SolanaInstruction = { kind: "payment", from: SOLANA_SENDER, to: STRANGER, amount: 1n };
    const both = {
      kind: "tokenPayment",
      token: "Spl",
      mint: SOLANA_MINT,
      from: SOLANA_SENDER,
      amount: 1n,
      decimals: 6,
    } as const;
    const destination = associatedAccount({ kind: "Spl", mint: SOLANA_MINT }, STRANGER);
    for (const list of [
      [...instructions, again],
      [...instructions, { ...both, destination }],
      [...instructions, { kind: "memo", text: "more" } as const],
      instructions.toReversed(),
      instructions.filter(({ kind }) => kind !== "computeLimit"),
    ]) {
      expect(readOf({ ...PAYMENT, instructions: list })).toBe("TransactionMismatch form");
    }
  });
});
