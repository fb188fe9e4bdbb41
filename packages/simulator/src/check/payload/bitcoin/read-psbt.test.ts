import { FAMILIES } from "@conclave/chains";
import {
  authorisedBitcoin,
  BITCOIN_RECIPIENT,
  BITCOIN_SIGNET,
  coinsOf,
  encodeSamplePsbt,
  inputOf,
  outputTo,
  paidTo,
  samplePsbt,
  TAPROOT_KEY,
} from "@conclave/chains/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import { networks } from "bitcoinjs-lib";
import { describe, expect, it } from "vitest";
import { readsPsbt } from "./read-psbt.ts";

const FEE_MAX = 100_000n;
const read = readsPsbt(networks.testnet, FEE_MAX);
const sample = samplePsbt();
const strange = (change: Parameters<typeof samplePsbt>[0]) =>
  read(encodeSamplePsbt(samplePsbt(change)))?.strange;

describe("an observer's reading of a PSBT", () => {
  it("has the digests that signers sign, the payment, and the coins", () => {
    const unsigned = encodeSamplePsbt(sample);
    const signers = FAMILIES.familyOf("BitcoinSignet").read(BITCOIN_SIGNET, unsigned, authorisedBitcoin());
    if (!signers.ok) throw new Error(signers.problem.message);
    expect(read(unsigned)).toEqual({
      digests: signers.value.signables.map(({ bytes }) => bytesToHex(bytes)),
      to: BITCOIN_RECIPIENT,
      amount: 120_000n,
      strange: undefined,
      takes: sample.inputs.map(({ outpoint: { txid, index } }) => `${txid}:${index}`),
    });
  });

  it("says why it is no plain payment", () => {
    const [paid = outputTo(BITCOIN_RECIPIENT, 0n)] = sample.outputs;
    expect(strange({ outputs: [paid, paid] })).toBe("2 payments");
    expect(strange({ outputs: [outputTo(BITCOIN_RECIPIENT, 1_000n)] })).toBe("a fee of 199000");
    expect(strange({ outputs: [outputTo(BITCOIN_RECIPIENT, 300_000n)] })).toBe("a fee of -100000");
    const [own, other] = [coinsOf([150_000n]), coinsOf([50_000n, 50_000n], BITCOIN_RECIPIENT).slice(1)];
    const inputs = [
      ...own.map((coin) => inputOf(coin)),
      ...other.map((coin) => inputOf(coin, BITCOIN_RECIPIENT)),
    ];
    expect(strange({ inputs })).toBe("coins of several owners");
  });

  it("knows nothing of other bytes, of coins that nothing proves, and of other kinds of coin", () => {
    expect(read(Uint8Array.of(2, 1))).toBeUndefined();
    expect(read(encodeSamplePsbt(sample).slice(0, 40))).toBeUndefined();
    const inputs = sample.inputs.map((input) => ({ ...input, previous: undefined }));
    expect(read(encodeSamplePsbt(samplePsbt({ inputs })))).toBeUndefined();
    expect(paidTo(TAPROOT_KEY.address)).toHaveLength(34);
    expect(read(encodeSamplePsbt(samplePsbt({}, TAPROOT_KEY.address)))).toBeUndefined();
  });
});
