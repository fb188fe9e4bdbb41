import { networkSchema } from "@conclave/custody";
import { bytesToHex, concatBytes, hexToBytes } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import {
  authorisedPsbt,
  BITCOIN_KEY,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  coinsOf,
  inputOf,
  psbtHex,
  samplePsbt,
} from "../testing/bitcoin-samples.ts";
import { buildBitcoin } from "./build.ts";
import type { CoinAge } from "./coins/coin.ts";
import { BITCOIN_FAMILY } from "./family.ts";
import { judgeGivenTransaction } from "./judge-given.ts";
import { encodePsbt, type Psbt } from "./wire/psbt.ts";

const HEIGHT = 800_000;
const MEDIAN_TIME = 1_700_000_000;
const FINAL = 0xffff_ffff;
/** Sequence number that enables lock times and sets no relative lock (BIP-68). */
const UNLOCKED = 0xffff_fffe;
const OF_TIME = 0x0040_0000;
/** The sample's payment to others, in satoshis. */
const SPENT = 200_000n;
const FEE = 1_000n;

const inputs = (sequence: number, count = 2): Pick<Psbt, "inputs"> => ({
  inputs: coinsOf(Array.from({ length: count }, () => SPENT / BigInt(count))).map((coin) => ({
    ...inputOf(coin),
    sequence,
  })),
});

const OLD: CoinAge = { confirmations: 1_000n, isCoinbase: false, madeAfter: 1_600_000_000n };

/** Builds a caller's transaction whose coins all have this age. */
const built = (change: Partial<Psbt>, age: Partial<CoinAge> = {}) => {
  const psbt = samplePsbt(change);
  return buildBitcoin(
    BITCOIN_SIGNET,
    {
      height: BigInt(HEIGHT),
      medianTime: BigInt(MEDIAN_TIME),
      rate: 1_000n,
      floor: { least: 1_000n, increment: 1_000n },
      coins: psbt.inputs.map(({ outpoint, coin, previous }) => ({
        outpoint,
        amount: coin.amount,
        previous,
        age: { ...OLD, ...age },
      })),
      inPool: 0n,
      unspent: [],
      replacedWithDescendants: 0n,
    },
    {
      sender: BITCOIN_SENDER,
      keys: [],
      act: authorisedPsbt(encodePsbt(psbt)),
      priority: undefined,
      sequencing: { kind: "next", lowest: 0n },
      alive: [],
    },
  );
};

const given = (change: Partial<Psbt>) =>
  judgeGivenTransaction(
    networkSchema.parse(BITCOIN_SIGNET.network),
    { kind: "Psbt", psbt: psbtHex(change) },
    BITCOIN_SENDER,
    bytesToHex(BITCOIN_KEY.publicKey),
  );

const refusal = (why: string) => ({
  ok: false,
  problem: {
    code: "TransactionInvalid",
    message: expect.stringContaining(why),
    details: { field: "psbt" },
  },
});

interface Edge {
  readonly what: string;
  readonly late: Partial<Psbt>;
  readonly inTime: Partial<Psbt>;
  readonly why: string;
}
const LOCKS: readonly Edge[] = [
  {
    what: "the next block's height",
    late: { lockTime: HEIGHT + 1 },
    inTime: { lockTime: HEIGHT },
    why: "its lock time is block 800001, and the last block is 800000: send it once that block is there",
  },
  {
    what: "the last height that is no time",
    late: { lockTime: 499_999_999 },
    inTime: { lockTime: 500_000_000 },
    why: "its lock time is block 499999999, and the last block is 800000",
  },
  {
    what: "the median time of the last blocks",
    late: { lockTime: MEDIAN_TIME },
    inTime: { lockTime: MEDIAN_TIME - 1 },
    why: "its lock time is 2023-11-14T22:13:20.000Z, and the median time of the last blocks is 2023-11-14T22:13:20.000Z: send it later",
  },
];

describe("a lock time of a caller's transaction", () => {
  it.each(LOCKS)("of $what is refused, and the one before it taken", ({ late, inTime, why }) => {
    expect(built({ ...late, ...inputs(UNLOCKED) })).toMatchObject(refusal(why));
    expect(built({ ...inTime, ...inputs(UNLOCKED) })).toMatchObject({ ok: true });
  });

  it.each(LOCKS)("of $what does not count where every sequence is final", ({ late }) => {
    expect(built({ ...late, ...inputs(FINAL) })).toMatchObject({ ok: true });
    const [first, second] = inputs(FINAL).inputs;
    if (first === undefined || second === undefined) expect.fail("it has two inputs");
    const oneCounts = [first, { ...second, sequence: UNLOCKED }];
    expect(built({ ...late, inputs: oneCounts })).toMatchObject({ ok: false });
  });
});

describe("a relative lock of a caller's transaction (BIP-68)", () => {
  const version = 2;
  it.each([1, 144, 0xffff])("of %i blocks counts the coin's confirmations", (blocks) => {
    const locked = { version, lockTime: 0, ...inputs(blocks) };
    const young = BigInt(blocks) - 1n;
    const why = `its relative lock wants ${blocks} confirmations of the coin`;
    expect(built(locked, { confirmations: young })).toMatchObject(refusal(why));
    expect(built(locked, { confirmations: young })).toMatchObject(
      refusal(`which has ${young}: send it later`),
    );
    expect(built(locked, { confirmations: BigInt(blocks) })).toMatchObject({ ok: true });
  });

  it.each([1, 0xffff])("of %i times 512 seconds counts from the block before the coin's", (units) => {
    const locked = { version, lockTime: 0, ...inputs(OF_TIME + units) };
    const madeAfter = BigInt(MEDIAN_TIME - units * 512);
    const until = "lasts until 2023-11-14T22:13:21.000Z: send it later";
    expect(built(locked, { madeAfter: madeAfter + 1n })).toMatchObject(refusal(until));
    expect(built(locked, { madeAfter })).toMatchObject({ ok: true });
  });

  it.each([
    ["the version is 1", { version: 1, ...inputs(0xffff) }],
    ["the sequence's highest bit is set", { version, ...inputs(0x8000_ffff) }],
    ["it has no length", { version, ...inputs(0) }],
    ["bits outside the mask alone are set", { version, ...inputs(0x003f_0000) }],
  ])("does not count where %s", (_, change) => {
    expect(built({ lockTime: 0, ...change }, { confirmations: 0n })).toMatchObject({ ok: true });
  });

  it("of any one input counts", () => {
    const [first, second] = inputs(UNLOCKED).inputs;
    if (first === undefined || second === undefined) expect.fail("it has two inputs");
    const one = { version, lockTime: 0, inputs: [first, { ...second, sequence: 10 }] };
    expect(built(one, { confirmations: 9n })).toMatchObject(refusal("wants 10 confirmations"));
    expect(built(one, { confirmations: 10n })).toMatchObject({ ok: true });
  });
});

describe("a coin that a miner earned", () => {
  it("is refused at 99 confirmations, and taken at 100; another coin at any", () => {
    const change = { lockTime: 0, ...inputs(FINAL) };
    const why = "was earned by a miner 99 blocks ago: it can be spent after 100";
    expect(built(change, { isCoinbase: true, confirmations: 99n })).toMatchObject(refusal(why));
    expect(built(change, { isCoinbase: true, confirmations: 100n })).toMatchObject({ ok: true });
    expect(built(change, { isCoinbase: false, confirmations: 1n })).toMatchObject({ ok: true });
  });
});

describe("the version of a caller's transaction", () => {
  it.each([1, 2, 3])("may be %i", (version) => {
    expect(given({ version })).toMatchObject({ ok: true });
  });

  it.each([0, 4, 0xffff_ffff])("may not be %i", (version) => {
    expect(given({ version })).toMatchObject(refusal(", and nodes relay versions 1 to 3"));
  });
});

const hash = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(0x21);
const OUTPUTS: readonly (readonly [type: string, least: bigint, script: Uint8Array])[] = [
  ["P2PKH", 546n, concatBytes(hexToBytes("76a914"), hash(20), hexToBytes("88ac"))],
  ["P2SH", 540n, concatBytes(hexToBytes("a914"), hash(20), hexToBytes("87"))],
  ["P2WPKH", 294n, concatBytes(hexToBytes("0014"), hash(20))],
  ["P2WSH", 330n, concatBytes(hexToBytes("0020"), hash(32))],
  ["P2TR", 330n, concatBytes(hexToBytes("5120"), hash(32))],
  ["P2A", 240n, hexToBytes("51024e73")],
];

describe("dust of a caller's transaction (GetDustThreshold; Bitcoin Core, policy/policy.cpp)", () => {
  const [change] = samplePsbt().outputs.slice(1);
  const paying = (amount: bigint, script: Uint8Array): Partial<Psbt> => {
    if (change === undefined) expect.fail("it has change");
    const rest = SPENT - FEE - amount;
    return {
      outputs: [
        { ...change, amount: rest },
        { amount, script },
      ],
    };
  };

  it.each(OUTPUTS)("to %s is less than %i satoshis", (_, least, script) => {
    const why = `its output 1 is dust: it pays ${least - 1n} satoshis, and nodes relay none of less than ${least} to such an address`;
    expect(given(paying(least - 1n, script))).toMatchObject(refusal(why));
    expect(given(paying(0n, script))).toMatchObject(refusal("its output 1 is dust: it pays 0 satoshis"));
    expect(given(paying(least, script))).toMatchObject({ ok: true });
  });

  it.each([
    ["OP_RETURN, which nobody ever spends", "6a0568656c6c6f"],
    ["a bare key (P2PK)", `21${"02".repeat(33)}ac`],
    ["a witness program of a later version", "60020102"],
  ])("is not asked of %s: that output is refused for its script", (_, script) => {
    const outputs = paying(0n, hexToBytes(script));
    expect(given(outputs)).toMatchObject({ ok: true });
    const unsigned = encodePsbt(samplePsbt(outputs));
    expect(BITCOIN_FAMILY.read(BITCOIN_SIGNET, unsigned, authorisedPsbt(unsigned))).toMatchObject({
      ok: false,
      problem: {
        code: "TransactionUnreadable",
        message: expect.stringContaining("output 1 pays to a script that has no address"),
        details: { field: "psbt" },
      },
    });
  });
});
