import { FAMILIES, signingReader } from "@conclave/chains";
import {
  authorisedBitcoin,
  BITCOIN_RECIPIENT,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  BTC_TRANSFER,
  coinsOf,
  encodeSamplePsbt,
  inputOf,
  outputTo,
  samplePsbt,
} from "@conclave/chains/testing";
import type { AuthorisedAct, SigningReader } from "@conclave/custody";
import { beforeEach, describe, expect, it } from "vitest";
import { keepingReadings } from "./kept-readings.ts";

const NETWORK = BITCOIN_SIGNET.network;
const BARE = signingReader(FAMILIES, [BITCOIN_SIGNET]);
const COINS = 200;
const ACT = authorisedBitcoin();

/** A payment of many coins. @param fee satoshis */
const largePayment = (fee: bigint): Uint8Array =>
  encodeSamplePsbt(
    samplePsbt({
      inputs: coinsOf(Array.from({ length: COINS }, () => 1_500n)).map((coin) => inputOf(coin)),
      outputs: [outputTo(BITCOIN_RECIPIENT, 120_000n), outputTo(BITCOIN_SENDER, 180_000n - fee)],
    }),
  );

let reads: number;
let reader: SigningReader;
beforeEach(() => {
  reads = 0;
  reader = keepingReadings({
    ...BARE,
    read: (...question) => {
      reads += 1;
      return BARE.read(...question);
    },
  });
});
const ask = (unsigned: Uint8Array, act: AuthorisedAct = ACT, network: string = NETWORK) =>
  reader.read(network, unsigned, act);

describe("a large transaction that is signed in parts", () => {
  it("is read once for all its parts", () => {
    const unsigned = largePayment(20_000n);
    const answers = Array.from({ length: 7 }, () => ask(Uint8Array.from(unsigned)));
    expect(reads).toBe(1);
    for (const answer of answers) expect(answer).toEqual(BARE.read(NETWORK, unsigned, ACT));
    expect(answers.every(({ ok }) => ok)).toBe(true);
  });

  it("INV-3 gives its reading to no other bytes", () => {
    const unsigned = largePayment(20_000n);
    ask(unsigned);
    for (let at = 0; at < unsigned.length; at += 4_999) {
      const changed = unsigned.map((byte, where) => (where === at ? byte ^ 1 : byte));
      expect(ask(changed)).toEqual(BARE.read(NETWORK, changed, ACT));
    }
    const dearer = largePayment(30_000n);
    expect(ask(dearer)).toEqual(BARE.read(NETWORK, dearer, ACT));
    expect(ask(dearer)).toMatchObject({ ok: true, value: { fee: 30_000n } });
    expect(ask(unsigned)).toMatchObject({ ok: true, value: { fee: 20_000n } });
  });

  it("INV-3 nor to another act or network", () => {
    const unsigned = largePayment(20_000n);
    ask(unsigned);
    const act = authorisedBitcoin({ ...BTC_TRANSFER, amount: "119999" });
    expect(ask(unsigned, act)).toMatchObject({ ok: false, problem: { code: "TransactionMismatch" } });
    expect(ask(unsigned, ACT, "Bitcoin")).toMatchObject({
      ok: false,
      problem: { code: "NetworkNotEnabled" },
    });
    expect(reads).toBe(3);
  });

  it("is refused anew each time: no refusal is kept", () => {
    const unsigned = largePayment(150_000n);
    expect([ask(unsigned).ok, ask(unsigned).ok, reads]).toEqual([false, false, 2]);
  });

  it("is kept beside one other, whatever small ones come in between", () => {
    const [first, second, third] = [20_000n, 21_000n, 22_000n].map(largePayment);
    if (first === undefined || second === undefined || third === undefined) expect.fail("there are three");
    ask(first);
    ask(second);
    const small = encodeSamplePsbt(samplePsbt());
    for (let count = 0; count < 3; count += 1) ask(small);
    expect(reads).toBe(5);
    ask(first);
    ask(second);
    expect(reads).toBe(5);
    ask(third);
    ask(first);
    expect(reads).toBe(7);
  });
});
