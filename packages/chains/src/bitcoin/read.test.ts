import type { Act } from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import {
  authorisedBitcoin,
  authorisedBitcoinTransaction,
  authorisedPsbt,
  BITCOIN_KEY,
  BITCOIN_RECIPIENT,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  BTC_TRANSFER,
  coinsOf,
  inputOf,
  outputTo,
  samplePsbt,
  TAPROOT_KEY,
} from "../testing/bitcoin-samples.ts";
import { sharesCoin } from "./exclusion.ts";
import { readBitcoinTransaction } from "./read.ts";
import { readBitcoinContent } from "./read-content.ts";
import { encodePsbt, type Psbt } from "./wire/psbt.ts";
import { segwitDigests, taprootDigests } from "./wire/sighash.ts";

const read = (psbt: Psbt, act: Act = authorisedBitcoin(), network = BITCOIN_SIGNET) =>
  readBitcoinTransaction(network, encodePsbt(psbt), act);
/** The field of a PSBT that differs from the authorised content, or the code of another refusal. */
const fieldOf = (result: ReturnType<typeof read>): unknown => {
  if (result.ok) return "read";
  const { code, details } = result.problem;
  return code === "TransactionMismatch" ? details?.["field"] : code;
};

const [first, second] = samplePsbt().inputs;
if (first === undefined || second === undefined) throw new Error("the sample has two inputs");
const [paid, change] = samplePsbt().outputs;
if (paid === undefined || change === undefined) throw new Error("the sample has two outputs");

describe("INV-3 the reading of a payment", () => {
  it("gives what signs each coin of a P2WPKH wallet, the fee, and what it does", () => {
    const psbt = samplePsbt();
    expect(read(psbt)).toMatchObject({
      ok: true,
      value: {
        signables: segwitDigests(psbt).map((bytes) => ({ scheme: "CGGMP24", bytes })),
        fee: 1_000n,
        deadlineMs: undefined,
        effects: { movements: [{ asset: "Native", amount: "120000", recipient: BITCOIN_RECIPIENT }] },
      },
    });
  });

  it("gives the same of a Taproot wallet, whose coins need no proof", () => {
    const psbt = samplePsbt({}, TAPROOT_KEY.address);
    const act = authorisedBitcoin({ ...BTC_TRANSFER, from: TAPROOT_KEY.address });
    expect(read(psbt, act)).toMatchObject({
      ok: true,
      value: { signables: taprootDigests(psbt).map((bytes) => ({ scheme: "FROST-Taproot", bytes })) },
    });
  });

  it("takes a payment without change, and one to the wallet itself", () => {
    expect(
      fieldOf(
        read(samplePsbt({ outputs: [paid], inputs: coinsOf([121_000n]).map((coin) => inputOf(coin)) })),
      ),
    ).toBe("read");
    const own = authorisedBitcoin({ ...BTC_TRANSFER, to: BITCOIN_SENDER });
    const outputs = [outputTo(BITCOIN_SENDER, 120_000n), outputTo(BITCOIN_SENDER, 79_000n)];
    expect(fieldOf(read(samplePsbt({ outputs }), own))).toBe("read");
  });

  it.each<readonly [string, string, Partial<Psbt>]>([
    ["another version", "version", { version: 1 }],
    ["a lock time that is a date", "lockTime", { lockTime: 500_000_000 }],
    [
      "an input that cannot be replaced",
      "inputs.1.sequence",
      { inputs: [first, { ...second, sequence: 0xffff_ffff }] },
    ],
    ["a relative lock", "inputs.0.sequence", { inputs: [{ ...first, sequence: 5 }, second] }],
    ["another amount", "outputs.0.amount", { outputs: [{ ...paid, amount: 120_001n }, change] }],
    [
      "another recipient",
      "outputs.0.script",
      { outputs: [outputTo(TAPROOT_KEY.address, paid.amount), change] },
    ],
    ["nobody paid", "outputs.0.amount", { outputs: [] }],
    ["outputs in another order", "outputs.0.amount", { outputs: [change, paid] }],
    [
      "change to somebody else",
      "outputs.1.script",
      { outputs: [paid, outputTo(BITCOIN_RECIPIENT, 79_000n)] },
    ],
    ["change that is dust", "outputs.1.change", { outputs: [paid, outputTo(BITCOIN_SENDER, 293n)] }],
    [
      "a third output",
      "outputs",
      { outputs: [paid, outputTo(BITCOIN_SENDER, 40_000n), outputTo(BITCOIN_SENDER, 39_000n)] },
    ],
    ["another signature hash", "inputs.0.sighashType", { inputs: [{ ...first, sighashType: 3 }, second] }],
    [
      "a signature hash of all that leaves inputs open",
      "inputs.1.sighashType",
      { inputs: [first, { ...second, sighashType: 0x81 }] },
    ],
    [
      "a coin that is not proved",
      "inputs.0.previous",
      { inputs: [{ ...first, previous: undefined }, second] },
    ],
    [
      "a coin of somebody else",
      "inputs.1.script",
      {
        inputs: [
          first,
          ...coinsOf([5_000n], BITCOIN_RECIPIENT).map((coin) => inputOf(coin, BITCOIN_RECIPIENT)),
        ],
      },
    ],
    [
      "more fee than the cap",
      "FeeAboveCap",
      {
        outputs: [{ ...paid, amount: 120_000n }],
        inputs: [
          first,
          second,
          ...coinsOf([1n, 2n, 100_000n])
            .slice(2)
            .map((coin) => inputOf(coin)),
        ],
      },
    ],
    ["less than it pays", "TransactionUnreadable", { inputs: [first] }],
  ])("refuses %s: %s", (_, field, changed) => {
    expect(fieldOf(read(samplePsbt(changed)))).toBe(field);
  });

  it.each<readonly [string, string, object]>([
    ["another network", "network", { network: "Bitcoin" }],
    ["a cosigner", "cosigners", { cosigners: ["key-aaaaa-bbbbb-ccccccccccccccd"] }],
    ["another sender", "inputs.0.script", { transfer: { ...BTC_TRANSFER, from: TAPROOT_KEY.address } }],
    ["another recipient", "outputs.0.script", { transfer: { ...BTC_TRANSFER, to: TAPROOT_KEY.address } }],
    [
      "a recipient of another network",
      "to",
      { transfer: { ...BTC_TRANSFER, to: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" } },
    ],
    ["another amount", "outputs.0.amount", { transfer: { ...BTC_TRANSFER, amount: "119999" } }],
    ["a field that nobody knows", "content", { transfer: { ...BTC_TRANSFER, memo: "x" } }],
    ["another kind", "kind", { transfer: { ...BTC_TRANSFER, kind: "Erc20" } }],
  ])("refuses what does not stand authorised: %s", (_, field, changed) => {
    const found = fieldOf(read(samplePsbt(), authorisedBitcoin(BTC_TRANSFER, changed)));
    // another sender script changes the allowed change output too
    expect(field === "inputs.0.script" ? ["outputs.1.script", field] : [field]).toContain(found);
  });
});

const replaces = ["xfr-aaaaa-bbbbb-ccccccccccccccc"];
const { from, to, amount } = BTC_TRANSFER;

describe("INV-3 the reading of what takes another's place", () => {
  const speedUp = authorisedBitcoinTransaction({ kind: "SpeedUp", from, to, amount }, { replaces });
  const cancel = authorisedBitcoinTransaction({ kind: "Cancel", from }, { replaces });
  const back = samplePsbt({ outputs: [outputTo(BITCOIN_SENDER, 198_000n)] });

  it("takes the same payment, or everything back to the wallet", () => {
    expect(fieldOf(read(samplePsbt(), speedUp))).toBe("read");
    expect(read(back, cancel)).toMatchObject({
      ok: true,
      value: { fee: 2_000n, effects: { movements: [] } },
    });
  });

  it("refuses to pay more, or anybody at all", () => {
    expect(fieldOf(read(samplePsbt({ outputs: [{ ...paid, amount: 120_001n }, change] }), speedUp))).toBe(
      "outputs.0.amount",
    );
    expect(fieldOf(read(samplePsbt(), cancel))).toBe("outputs");
    expect(fieldOf(read(samplePsbt({ outputs: [] }), cancel))).toBe("outputs");
    const away = samplePsbt({ outputs: [outputTo(BITCOIN_RECIPIENT, 198_000n)] });
    expect(fieldOf(read(away, cancel))).toBe("outputs.0.script");
  });

  it("refuses what replaces nothing, or replaces though nothing says so", () => {
    expect(fieldOf(read(back, authorisedBitcoinTransaction({ kind: "Cancel", from })))).toBe("replaces");
    const exact = { kind: "Exact", from, unsigned: bytesToHex(encodePsbt(samplePsbt())) } as const;
    expect(fieldOf(read(samplePsbt(), authorisedBitcoinTransaction(exact, { replaces })))).toBe("replaces");
  });
});

describe("INV-3 the reading of a caller's own PSBT", () => {
  it("takes any standard outputs and every frame, for coins of the wallet", () => {
    const psbt = samplePsbt({
      version: 1,
      lockTime: 1_700_000_000,
      inputs: [{ ...first, sequence: 0 }, second],
      outputs: [outputTo(TAPROOT_KEY.address, 101_000n), change],
    });
    expect(read(psbt, authorisedPsbt(encodePsbt(psbt)))).toMatchObject({
      value: { effects: { movements: [{ amount: "101000", recipient: TAPROOT_KEY.address }] } },
    });
  });

  it.each<readonly [string, string, Partial<Psbt>]>([
    [
      "a coin of somebody else",
      "inputs.1.script",
      {
        inputs: [
          first,
          ...coinsOf([5_000n], BITCOIN_RECIPIENT).map((coin) => inputOf(coin, BITCOIN_RECIPIENT)),
        ],
      },
    ],
    [
      "a coin that is not proved",
      "inputs.0.previous",
      { inputs: [{ ...first, previous: undefined }, second] },
    ],
    ["another signature hash", "inputs.0.sighashType", { inputs: [{ ...first, sighashType: 2 }, second] }],
    [
      "an output without an address",
      "TransactionUnreadable",
      { outputs: [paid, { amount: 0n, script: Uint8Array.of(0x6a, 1, 7) }] },
    ],
    ["no output", "TransactionUnreadable", { outputs: [] }],
  ])("refuses %s: %s", (_, field, changed) => {
    const psbt = samplePsbt(changed);
    expect(fieldOf(read(psbt, authorisedPsbt(encodePsbt(psbt))))).toBe(field);
  });

  it("refuses other bytes than those", () => {
    const other = samplePsbt({ lockTime: 1 });
    expect(fieldOf(read(other, authorisedPsbt(encodePsbt(samplePsbt()))))).toBe("psbt");
  });

  it("is the same when it is signed and not sent", () => {
    const psbt = bytesToHex(encodePsbt(samplePsbt()));
    const content = { kind: "psbt", network: BITCOIN_SIGNET.network, from, psbt };
    const found = readBitcoinContent([BITCOIN_SIGNET], content);
    const sent = read(samplePsbt());
    if (!found.ok || !sent.ok || found.value.transaction === undefined) expect.fail("both are read");
    expect(found.value.signables).toEqual(sent.value.signables);
    expect(sharesCoin(found.value.transaction.exclusion, sent.value.exclusion)).toBe(true);
    const other = { ...content, from: TAPROOT_KEY.address };
    expect(readBitcoinContent([BITCOIN_SIGNET], other)).toMatchObject({
      problem: { code: "TransactionMismatch", details: { field: "inputs.0.script" } },
    });
    expect(readBitcoinContent([], content)).toMatchObject({ problem: { code: "NetworkNotEnabled" } });
    expect(readBitcoinContent([BITCOIN_SIGNET], { ...content, psbt: "00" }).ok).toBe(false);
    expect(readBitcoinContent([BITCOIN_SIGNET], { ...content, more: 1 }).ok).toBe(false);
  });
});

describe("a legacy wallet", () => {
  it("is none that signs: only P2WPKH and P2TR coins are", () => {
    const from = "mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8";
    const owned = samplePsbt({}, from);
    expect(fieldOf(read(owned, authorisedBitcoin({ ...BTC_TRANSFER, from })))).toBe("TransactionUnreadable");
    expect(BITCOIN_KEY.publicKey).toHaveLength(33);
  });
});
