import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hex } from "@scure/base";
import * as btc from "@scure/btc-signer";
import { Transaction } from "bitcoinjs-lib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type BitcoinTestCoin,
  type BitcoinWorld,
  bitcoinTestKey,
  fieldOf,
  REGTEST,
  signedPayment,
  startBitcoinWorld,
  unsignedPayment,
} from "../testing/bitcoin-world.ts";

const [ALICE, BOB] = [bitcoinTestKey(1), bitcoinTestKey(2)];
const ORDER = secp256k1.Point.CURVE().n;

let world: BitcoinWorld;
let coin: BitcoinTestCoin;
let legacy: BitcoinTestCoin;
let nested: BitcoinTestCoin;
let taproot: BitcoinTestCoin;

beforeAll(async () => {
  world = await startBitcoinWorld();
  coin = await world.fund(ALICE.p2wpkh, 10_000_000);
  legacy = await world.fund(ALICE.p2pkh, 10_000_000);
  nested = await world.fund(ALICE.nested, 10_000_000);
  taproot = await world.fund(ALICE.p2tr, 10_000_000);
});

afterAll(() => world[Symbol.asyncDispose]());

/** The node's refusal of a transaction: "code: words". */
const refusal = async (raw: string, ...parameters: readonly unknown[]): Promise<string> => {
  const { status, code, message } = await world.refusal("sendrawtransaction", raw, ...parameters);
  expect(status).toBe(500);
  return `${code}: ${message}`;
};

/** A signed payment of the coin, changed after signing. */
const changed = (change: (transaction: Transaction) => void, of = coin): string => {
  const transaction = Transaction.fromHex(signedPayment(ALICE, [of], BOB.p2wpkh));
  change(transaction);
  return transaction.toHex();
};

/** A signed payment of the coin with these outputs. */
const paying = (outputs: readonly (readonly [script: string, amount: bigint])[]): string => {
  const transaction = new btc.Transaction({ allowUnknownOutputs: true, disableScriptCheck: true });
  const { txid, index, amount, script } = coin;
  transaction.addInput({ txid, index, witnessUtxo: { amount, script } });
  for (const [output, value] of outputs) transaction.addOutput({ script: hex.decode(output), amount: value });
  transaction.sign(ALICE.secretKey);
  transaction.finalize();
  return hex.encode(transaction.extract());
};

const BOB_SCRIPT = hex.encode(btc.p2wpkh(BOB.publicKey).script);
const DATA = "6a04deadbeef";

const input = (transaction: Transaction) => {
  const [first] = transaction.ins;
  if (first === undefined) throw new Error("it has an input");
  return first;
};

/**
 * Adds a witness item. It must not push: the library's transactions share one empty list for missing witnesses, so all
 * would get the item.
 */
const withWitnessItem = (changed: Transaction["ins"][number], item: Uint8Array): void => {
  changed.witness = [...changed.witness, item];
};

const output = (transaction: Transaction) => {
  const [first] = transaction.outs;
  if (first === undefined) throw new Error("it has an output");
  return first;
};

const AMOUNT = "9892980000000000";
const withAmount = (amount: string): string => changed(() => undefined).replace(AMOUNT, amount);

describe("bytes that are no transaction are refused", () => {
  const FAILED = "-22: TX decode failed. Make sure the tx has at least one input.";
  const good = (): string => changed(() => undefined);

  it.each<[string, () => string]>([
    ["no hex", () => "zz"],
    ["half a byte", () => `${good()}0`],
    ["nothing", () => ""],
    ["a byte behind it", () => `${good()}00`],
    ["a byte too few", () => good().slice(0, -2)],
    ["no inputs", () => "02000000000000000000"],
    ["a flag that is none", () => good().replace("020000000001", "020000000002")],
    ["a length that could be shorter", () => good().replace(/^02000000000101/, "020000000001fd0100")],
    [
      "a witness that is empty",
      () => {
        const bare = changed((transaction) => transaction.stripWitnesses());
        return `${bare.slice(0, 8)}0001${bare.slice(8, -8)}00${bare.slice(-8)}`;
      },
    ],
  ])("%s", async (_, make) => {
    expect(await refusal(make())).toBe(FAILED);
  });
});

describe("a transaction that no block may hold is refused", () => {
  it.each<[string, () => string]>([
    ["bad-txns-vout-empty", () => changed((transaction) => transaction.outs.splice(0))],
    ["bad-txns-vout-negative", () => withAmount("ffffffffffffffff")],
    ["bad-txns-vout-toolarge", () => withAmount("0140075af0750700")],
    [
      "bad-txns-txouttotal-toolarge",
      () => changed((transaction) => transaction.addOutput(hex.decode(BOB_SCRIPT), 2_100_000_000_000_000n)),
    ],
    [
      "bad-txns-inputs-duplicate",
      () => changed((transaction) => transaction.ins.push({ ...input(transaction) })),
    ],
    [
      "coinbase",
      () =>
        changed((transaction) => {
          input(transaction).hash = new Uint8Array(32);
          input(transaction).index = 0xffffffff;
        }),
    ],
    [
      "bad-txns-prevout-null",
      () =>
        changed((transaction) => {
          transaction.addInput(new Uint8Array(32), 0xffffffff);
        }),
    ],
    [
      "bad-txns-in-belowout, value in (0.10) < value out (0.10000001)",
      () =>
        changed((transaction) => {
          output(transaction).value = 10_000_001n;
        }),
    ],
  ])("%s", async (words, make) => {
    expect(await refusal(make())).toBe(`-26: ${words}`);
  });

  it("a reward is spent after a hundred blocks, and not before", async () => {
    const [hash] = Object.values(Object(await world.rpc("generatetoaddress", 1, ALICE.p2wpkh)));
    const block = await world.rpc("getblock", hash, 2);
    const txid = String(fieldOf(Object.values(Object(fieldOf(block, "tx")))[0], "txid"));
    const reward = { ...coin, txid, index: 0, amount: 5_000_000_000n };
    const spend = signedPayment(ALICE, [reward], BOB.p2wpkh);
    await world.mine(98);
    const words = "bad-txns-premature-spend-of-coinbase, tried to spend coinbase at depth 99";
    expect(await refusal(spend)).toBe(`-26: ${words}`);
    await world.mine();
    await world.rpc("sendrawtransaction", spend);
  });
});

describe("a transaction that nodes do not relay is refused", () => {
  const many = (): string => paying(Array.from({ length: 3_300 }, () => [BOB_SCRIPT, 1_000n] as const));

  it.each<[string, () => string]>([
    ["version", () => signedPayment(ALICE, [coin], BOB.p2wpkh, { version: 3 })],
    ["version", () => signedPayment(ALICE, [coin], BOB.p2wpkh, { version: 0 })],
    ["tx-size", many],
    [
      "scriptsig-size",
      () =>
        changed((t) => {
          input(t).script = new Uint8Array(1_651);
        }),
    ],
    [
      "scriptsig-not-pushonly",
      () =>
        changed((t) => {
          input(t).script = hex.decode("76");
        }),
    ],
    [
      "scriptsig-not-pushonly",
      () =>
        changed((t) => {
          input(t).script = hex.decode("05aa");
        }),
    ],
    ["scriptpubkey", () => paying([["7551", 100_000n]])],
    ["scriptpubkey", () => paying([[`6a4c51${"aa".repeat(81)}`, 0n]])],
    [
      "multi-op-return",
      () =>
        paying([
          [DATA, 0n],
          [DATA, 0n],
          [BOB_SCRIPT, 9_000_000n],
        ]),
    ],
    [
      "dust",
      () =>
        paying([
          [BOB_SCRIPT, 293n],
          [BOB_SCRIPT, 293n],
        ]),
    ],
    ["tx-size-small", () => paying([["6a", 0n]])],
    ["non-final", () => signedPayment(ALICE, [coin], BOB.p2wpkh, { lockTime: 1_000 })],
    ["non-final", () => signedPayment(ALICE, [coin], BOB.p2wpkh, { lockTime: 2_000_000_000 })],
    ["non-BIP68-final", () => signedPayment(ALICE, [coin], BOB.p2wpkh, { sequence: 500 })],
    ["non-BIP68-final", () => signedPayment(ALICE, [coin], BOB.p2wpkh, { sequence: 0x0040ffff })],
  ])("%s (%#)", async (words, make) => {
    expect(await refusal(make())).toBe(`-26: ${words}`);
  });

  it.each<[string, string, bigint]>([
    ["P2WPKH", BOB_SCRIPT, 294n],
    ["P2TR", `5120${"79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"}`, 330n],
    ["P2WSH", `0020${"aa".repeat(32)}`, 330n],
    ["P2PKH", `76a914${"aa".repeat(20)}88ac`, 546n],
    ["P2SH", `a914${"aa".repeat(20)}87`, 540n],
    ["P2A", "51024e73", 240n],
  ])("a %s output is refused below its dust threshold, and accepted at it", async (_, script, least) => {
    expect(
      await refusal(
        paying([
          [script, least - 1n],
          [BOB_SCRIPT, 9_000_000n],
        ]),
      ),
    ).toBe("-26: dust, tx with dust output must be 0-fee");
    const taken = await world.rpc("testmempoolaccept", [
      paying([
        [script, least],
        [BOB_SCRIPT, 9_900_000n],
      ]),
    ]);
    expect(taken).toMatchObject([{ allowed: true }]);
  });

  it("a fee rate below one satoshi per virtual byte is refused, and exactly one is accepted", async () => {
    const cheap = (fee: number): string => signedPayment(ALICE, [coin], BOB.p2wpkh, { fee });
    expect(await refusal(cheap(109))).toBe("-26: min relay fee not met, 109 < 110");
    expect(await world.rpc("testmempoolaccept", [cheap(110)])).toMatchObject([{ allowed: true, vsize: 110 }]);
  });

  it("one OP_RETURN output of 83 bytes is taken, and the coins that would burn are counted", async () => {
    const data = `6a4c50${"aa".repeat(80)}`;
    const taken = await world.rpc("testmempoolaccept", [
      paying([
        [data, 0n],
        [BOB_SCRIPT, 9_990_000n],
      ]),
    ]);
    expect(taken).toMatchObject([{ allowed: true }]);
    const burning = paying([
      [data, 1_000n],
      [BOB_SCRIPT, 9_990_000n],
    ]);
    const words = "-25: Unspendable output exceeds maximum configured by user (maxburnamount)";
    expect(await refusal(burning)).toBe(words);
  });

  it("a fee beyond what the caller allows is refused by name, and 0 allows any", async () => {
    const rich = signedPayment(ALICE, [coin], BOB.p2wpkh, { fee: 2_000_000 });
    const words = "-25: Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)";
    expect(await refusal(rich)).toBe(words);
    expect(await refusal(rich, 0.18)).toBe(words);
    expect(await world.rpc("testmempoolaccept", [rich])).toMatchObject([
      { allowed: false, "reject-reason": "max-fee-exceeded" },
    ]);
    expect(await world.rpc("testmempoolaccept", [rich], 0)).toMatchObject([{ allowed: true }]);
    expect(await refusal(rich, 1)).toBe("-8: Fee rates larger than or equal to 1BTC/kvB are not accepted");
  });
});

describe("coins that are not there are refused", () => {
  it("an output that nobody made", async () => {
    const nowhere = { ...coin, txid: "ab".repeat(32) };
    const raw = signedPayment(ALICE, [nowhere], BOB.p2wpkh);
    expect(await refusal(raw)).toBe("-25: bad-txns-inputs-missingorspent");
    expect(await world.rpc("testmempoolaccept", [raw])).toMatchObject([
      { allowed: false, "reject-reason": "missing-inputs" },
    ]);
  });

  it("an output that a block spent, and a transaction that is in the chain", async () => {
    const spent = await world.fund(ALICE.p2wpkh, 50_000);
    const first = signedPayment(ALICE, [spent], BOB.p2wpkh);
    await world.rpc("sendrawtransaction", first);
    await world.mine();
    const second = signedPayment(ALICE, [spent], BOB.p2wpkh, { fee: 5_000 });
    expect(await refusal(second)).toBe("-25: bad-txns-inputs-missingorspent");
    expect(await refusal(first)).toBe("-27: Transaction outputs already in utxo set");
    expect(await world.rpc("testmempoolaccept", [first])).toMatchObject([
      { "reject-reason": "txn-already-known" },
    ]);
  });

  it("a transaction that waits already is taken again, and its twin with another signature is the same", async () => {
    const twice = await world.fund(ALICE.p2tr, 60_000);
    const unsigned = unsignedPayment(ALICE, [twice], BOB.p2wpkh);
    const [one, other] = [1, 2].map((chance) => {
      const transaction = btc.Transaction.fromPSBT(unsigned.toPSBT());
      transaction.sign(ALICE.secretKey, undefined, new Uint8Array(32).fill(chance));
      transaction.finalize();
      return hex.encode(transaction.extract());
    });
    const txid = await world.rpc("sendrawtransaction", one);
    expect(await world.rpc("sendrawtransaction", one)).toBe(txid);
    expect(await world.rpc("sendrawtransaction", other)).toBe(txid);
    expect(await world.rpc("testmempoolaccept", [one])).toMatchObject([
      { "reject-reason": "txn-already-in-mempool" },
    ]);
    expect(await world.rpc("testmempoolaccept", [other])).toMatchObject([
      { "reject-reason": "txn-same-nonwitness-data-in-mempool" },
    ]);
  });
});

/** A signed payment with a changed witness signature. */
const withSignature = (change: (signature: Uint8Array) => Uint8Array, of = coin): string =>
  changed((transaction) => {
    const [signature, ...rest] = input(transaction).witness;
    input(transaction).witness = [change(signature ?? new Uint8Array()), ...rest];
  }, of);

const highS = (signature: Uint8Array): Uint8Array => {
  const { r, s } = secp256k1.Signature.fromBytes(signature.subarray(0, -1), "der");
  return Uint8Array.from([...new secp256k1.Signature(r, ORDER - s).toBytes("der"), 1]);
};

const flipped =
  (at: number) =>
  (signature: Uint8Array): Uint8Array =>
    signature.map((byte, place) => (place === (at + signature.length) % signature.length ? byte ^ 1 : byte));

const FALSE_STACK = "Script evaluated without error but finished with a false/empty top stack element";

describe("signatures that are wrong are refused", () => {
  it.each<[string, string, () => string]>([
    ["mandatory-script-verify-flag-failed", FALSE_STACK, () => withSignature(flipped(20))],
    ["mandatory-script-verify-flag-failed", FALSE_STACK, () => withSignature(() => new Uint8Array())],
    ["mandatory-script-verify-flag-failed", "Non-canonical DER signature", () => withSignature(flipped(0))],
    [
      "non-mandatory-script-verify-flag",
      "Non-canonical signature: S value is unnecessarily high",
      () => withSignature(highS),
    ],
    ["mandatory-script-verify-flag-failed", FALSE_STACK, () => withSignature(flipped(20), nested)],
    [
      "mandatory-script-verify-flag-failed",
      "Invalid Schnorr signature",
      () => withSignature(flipped(20), taproot),
    ],
    [
      "mandatory-script-verify-flag-failed",
      "Invalid Schnorr signature size",
      () => withSignature((signature) => signature.subarray(1), taproot),
    ],
    [
      "mandatory-script-verify-flag-failed",
      "Invalid Schnorr signature hash type",
      () => withSignature((signature) => Uint8Array.from([...signature, 0]), taproot),
    ],
    [
      "mandatory-script-verify-flag-failed",
      "Script failed an OP_EQUALVERIFY operation",
      () =>
        changed((transaction) => {
          input(transaction).witness = [input(transaction).witness[0] ?? new Uint8Array(), BOB.publicKey];
        }),
    ],
    [
      "mandatory-script-verify-flag-failed",
      "Witness program hash mismatch",
      () =>
        changed((transaction) => {
          withWitnessItem(input(transaction), new Uint8Array());
        }),
    ],
    [
      "mandatory-script-verify-flag-failed",
      "Witness program was passed an empty witness",
      () => changed((transaction) => transaction.stripWitnesses()),
    ],
    [
      "mandatory-script-verify-flag-failed",
      "Witness requires empty scriptSig",
      () =>
        changed((transaction) => {
          input(transaction).script = hex.decode("51");
        }),
    ],
    [
      "mandatory-script-verify-flag-failed",
      "Operation not valid with the current stack size",
      () =>
        changed((transaction) => {
          input(transaction).script = hex.decode("51");
        }, legacy),
    ],
  ])("%s: %s (%#)", async (flag, words, make) => {
    expect(await refusal(make())).toContain(`-26: ${flag} (${words}), input 0 of `);
  });

  it("an output's amount, address or order that changes after signing makes the signature wrong", async () => {
    const cheaper = changed((transaction) => {
      output(transaction).value -= 1n;
    });
    expect(await refusal(cheaper)).toContain(FALSE_STACK);
    const elsewhere = changed((transaction) => {
      output(transaction).script = hex.decode(`0014${"aa".repeat(20)}`);
    });
    expect(await refusal(elsewhere)).toContain(FALSE_STACK);
  });

  it("a P2PKH signature is checked for its encoding too", async () => {
    const transaction = Transaction.fromHex(signedPayment(ALICE, [legacy], BOB.p2wpkh));
    const [length = 0, ...script] = input(transaction).script;
    const signature = highS(Uint8Array.from(script.slice(0, length)));
    input(transaction).script = Uint8Array.from([signature.length, ...signature, ...script.slice(length)]);
    expect(await refusal(transaction.toHex())).toContain("S value is unnecessarily high");
  });

  it.each([0x81, 0x02, 0x03, 0x82, 0x83])("hash type %i is valid for every kind of coin", async (sighash) => {
    const signed = [coin, legacy, nested, taproot].map((each) =>
      signedPayment(ALICE, [each], BOB.p2wpkh, { sighash }),
    );
    for (const raw of signed) {
      expect(await world.rpc("testmempoolaccept", [raw])).toMatchObject([{ allowed: true }]);
    }
  });
});

describe("a script that the ledger cannot verify is refused by its type's name", () => {
  const spending = async (address: string): Promise<string> => {
    const strange = await world.fund(address, 50_000);
    const transaction = Transaction.fromHex(signedPayment(ALICE, [coin], BOB.p2wpkh));
    input(transaction).hash = hex.decode(strange.txid).reverse();
    input(transaction).index = strange.index;
    output(transaction).value = 40_000n;
    return transaction.toHex();
  };
  const UNSUPPORTED =
    "-26: unsupported-spend, this simulated ledger spends P2PKH, P2WPKH, P2SH-P2WPKH and P2TR key path only: input 0 is ";

  it("P2WSH", async () => {
    const { address = "" } = btc.p2wsh(btc.p2pk(ALICE.publicKey), REGTEST);
    expect(await refusal(await spending(address))).toBe(`${UNSUPPORTED}P2WSH`);
  });

  it("a Taproot script path", async () => {
    const raw = changed((transaction) => {
      withWitnessItem(input(transaction), new Uint8Array([1]));
    }, taproot);
    expect(await refusal(raw)).toBe(`${UNSUPPORTED}a Taproot script path`);
  });

  it("an annex, as nodes do", async () => {
    const raw = changed((transaction) => {
      withWitnessItem(input(transaction), new Uint8Array([0x50]));
    }, taproot);
    expect(await refusal(raw)).toBe("-26: bad-witness-nonstandard");
  });

  it("a witness of an input that is none of SegWit, and a P2SH input without its script, as nodes do", async () => {
    const bare = changed((transaction) => {
      withWitnessItem(input(transaction), new Uint8Array([1]));
    }, legacy);
    expect(await refusal(bare)).toBe("-26: bad-witness-nonstandard");
    const empty = changed((transaction) => {
      input(transaction).script = new Uint8Array();
    }, nested);
    expect(await refusal(empty)).toBe("-26: bad-txns-nonstandard-inputs");
  });
});
