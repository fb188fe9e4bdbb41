import { bytesToHex } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import {
  BITCOIN_RECIPIENT,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  BTC_TRANSFER,
  outputTo,
  samplePsbt,
  TAPROOT_KEY,
} from "../testing/bitcoin-samples.ts";
import { effectsOfBitcoin } from "./effects.ts";
import { encodePsbt, type Psbt } from "./wire/psbt.ts";

const psbtOf = (change: Partial<Psbt> = {}) => bytesToHex(encodePsbt(samplePsbt(change)));
const exact = (change: Partial<Psbt> = {}) => ({
  kind: "Exact",
  from: BITCOIN_SENDER,
  unsigned: psbtOf(change),
});
const { from, to, amount } = BTC_TRANSFER;
const payment = { asset: "Native", amount: "120000", recipient: BITCOIN_RECIPIENT };

describe("INV-8 the facts that policies judge on Bitcoin", () => {
  it("of a transfer is its payment; the service chooses the fee", () => {
    expect(effectsOfBitcoin(BITCOIN_SIGNET, BTC_TRANSFER)).toEqual({
      movements: [payment],
      unknown: undefined,
    });
  });

  it("of a replacement is its payment as well, and the cap as its fee", () => {
    const fee = BITCOIN_SIGNET.feeCap;
    expect(effectsOfBitcoin(BITCOIN_SIGNET, { kind: "SpeedUp", from, to, amount })).toMatchObject({
      movements: [payment],
      fee,
    });
    expect(effectsOfBitcoin(BITCOIN_SIGNET, { kind: "Cancel", from })).toMatchObject({ movements: [], fee });
  });

  it("of a PSBT is all that does not come back, and its fee; to send or to sign alone", () => {
    const second = outputTo(TAPROOT_KEY.address, 78_000n);
    const movements = [payment, { asset: "Native", amount: "78000", recipient: TAPROOT_KEY.address }];
    const outputs = [...samplePsbt().outputs.slice(0, 1), second];
    expect(effectsOfBitcoin(BITCOIN_SIGNET, exact({ outputs }))).toMatchObject({ movements, fee: "2000" });
    expect(effectsOfBitcoin(BITCOIN_SIGNET, exact())).toMatchObject({ movements: [payment], fee: "1000" });
    const alone = { kind: "psbt", network: BITCOIN_SIGNET.network, from, psbt: psbtOf({ outputs }) };
    expect(effectsOfBitcoin(BITCOIN_SIGNET, alone)).toMatchObject({ movements, fee: "2000" });
  });

  it("of what cannot be read is unknown", () => {
    const burnt = { amount: 0n, script: Uint8Array.of(0x6a) };
    for (const [network, content] of [
      [BITCOIN_SIGNET, { kind: "Exact", from, unsigned: "00" }],
      [BITCOIN_SIGNET, exact({ outputs: [burnt] })],
      [BITCOIN_SIGNET, { kind: "Else" }],
      [undefined, exact()],
      [undefined, { kind: "Cancel", from }],
    ] as const) {
      expect(effectsOfBitcoin(network, content)).toMatchObject({
        movements: [],
        unknown: expect.any(String),
      });
    }
  });
});
