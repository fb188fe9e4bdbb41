import {
  Account,
  Asset,
  Contract,
  hash,
  Memo,
  MuxedAccount,
  nativeToScVal,
  Operation,
  SorobanDataBuilder,
  TransactionBuilder,
  xdr,
} from "@stellar/stellar-sdk";
import { describe, expect, it } from "vitest";
import { PASSPHRASE, stellarKey } from "../../testing/stellar-world.ts";
import { readSubmission } from "../transaction/submission.ts";
import { decodeXdr, encodeXdr } from "./codec.ts";
import { xdrContractValue } from "./contract-value.ts";
import { xdrEnvelope } from "./envelope.ts";

const [ALICE, BOB] = [stellarKey(1), stellarKey(2)];
const USD = new Asset("USD", BOB.publicKey());
const LONG = new Asset("LONGASSET", BOB.publicKey());
const source = (): Account => new Account(ALICE.publicKey(), "5");
const to = BOB.publicKey();

const builder = (memo: Memo = Memo.none()): TransactionBuilder =>
  new TransactionBuilder(source(), { fee: "100", networkPassphrase: PASSPHRASE, memo });

const envelopeOf = (transaction: TransactionBuilder): Buffer => {
  const built = transaction.build();
  built.sign(ALICE);
  return built.toEnvelope().toXDR();
};

const operation = (each: xdr.Operation): Buffer => envelopeOf(builder().addOperation(each).setTimeout(0));
const memoed = (memo: Memo): Buffer =>
  envelopeOf(
    builder(memo)
      .addOperation(Operation.bumpSequence({ bumpTo: "9" }))
      .setTimebounds(1, 2),
  );

const call = new Contract(USD.contractId(PASSPHRASE)).call(
  "transfer",
  nativeToScVal(ALICE.publicKey(), { type: "address" }),
  nativeToScVal(USD.contractId(PASSPHRASE), { type: "address" }),
  nativeToScVal(-(2n ** 100n), { type: "i128" }),
);

const bump = (): Buffer => {
  const inner = builder()
    .addOperation(Operation.bumpSequence({ bumpTo: "9" }))
    .setTimeout(0)
    .build();
  inner.sign(ALICE);
  const outer = TransactionBuilder.buildFeeBumpTransaction(BOB, "300", inner, PASSPHRASE);
  outer.sign(BOB);
  return outer.toEnvelope().toXDR();
};

describe("an envelope that the SDK wrote is read, and written as it was", () => {
  it.each<[string, Buffer]>([
    ["createAccount", operation(Operation.createAccount({ destination: to, startingBalance: "1" }))],
    ["payment", operation(Operation.payment({ destination: to, asset: USD, amount: "1.5" }))],
    ["payment of a long code", operation(Operation.payment({ destination: to, asset: LONG, amount: "1" }))],
    [
      "payment to a muxed account",
      operation(
        Operation.payment({
          destination: new MuxedAccount(new Account(to, "0"), "18446744073709551615").accountId(),
          asset: Asset.native(),
          amount: "1",
          source: to,
        }),
      ),
    ],
    [
      "setOptions",
      operation(
        Operation.setOptions({
          inflationDest: to,
          clearFlags: 1,
          setFlags: 2,
          masterWeight: 3,
          lowThreshold: 4,
          medThreshold: 5,
          highThreshold: 6,
          homeDomain: "example.org",
          signer: { sha256Hash: Buffer.alloc(32, 1), weight: 7 },
        }),
      ),
    ],
    ["changeTrust", operation(Operation.changeTrust({ asset: USD, limit: "100" }))],
    ["allowTrust", operation(Operation.allowTrust({ trustor: to, assetCode: "LONGASSET", authorize: 2 }))],
    [
      "setTrustLineFlags",
      operation(Operation.setTrustLineFlags({ trustor: to, asset: USD, flags: { authorized: true } })),
    ],
    ["accountMerge", operation(Operation.accountMerge({ destination: to }))],
    ["manageData", operation(Operation.manageData({ name: "name", value: "value" }))],
    ["bumpSequence", operation(Operation.bumpSequence({ bumpTo: "9" }))],
    [
      "invokeHostFunction",
      envelopeOf(
        builder()
          .addOperation(call)
          .setTimeout(0)
          .setSorobanData(new SorobanDataBuilder().setResourceFee(7).build()),
      ),
    ],
    ["a text", memoed(Memo.text("é"))],
    ["a number", memoed(Memo.id("18446744073709551615"))],
    ["a hash", memoed(Memo.hash(Buffer.alloc(32, 3)))],
    ["a hash of what comes back", memoed(Memo.return("03".repeat(32)))],
    [
      "further conditions",
      envelopeOf(
        builder()
          .addOperation(Operation.bumpSequence({ bumpTo: "9" }))
          .setTimebounds(1, 2)
          .setLedgerbounds(3, 4)
          .setMinAccountSequence("5")
          .setMinAccountSequenceAge(6)
          .setMinAccountSequenceLedgerGap(7)
          .setExtraSigners([to]),
      ),
    ],
    ["a fee bump", bump()],
  ])("%s", (_, bytes) => {
    const read = decodeXdr(xdrEnvelope, bytes);
    if (!read.ok) throw new Error(read.message);
    expect(Buffer.from(encodeXdr(xdrEnvelope, read.value)).toString("hex")).toBe(bytes.toString("hex"));
  });
});

it.each<[string, xdr.ScVal]>([
  ["nothing", xdr.ScVal.scvVoid()],
  ["a boolean", xdr.ScVal.scvBool(true)],
  ["small numbers", nativeToScVal([1, -1].map((each) => xdr.ScVal.scvI32(each)))],
  [
    "large numbers",
    nativeToScVal([2n ** 64n - 1n, -(2n ** 63n)].map((each) => nativeToScVal(each, { type: "i128" }))),
  ],
  ["bytes", xdr.ScVal.scvBytes(Buffer.from([1, 2, 3, 4, 5]))],
  ["a map", nativeToScVal({ a: "text", b: [1n, 2n] })],
  ["a symbol", nativeToScVal("transfer", { type: "symbol" })],
  ["an address", nativeToScVal(to, { type: "address" })],
  ["an empty list", xdr.ScVal.scvVec([])],
  ["the key of an instance", xdr.ScVal.scvLedgerKeyContractInstance()],
])("a value of contracts is read, and written as it was: %s", (_, value) => {
  const bytes = value.toXDR();
  const read = decodeXdr(xdrContractValue, bytes);
  if (!read.ok) throw new Error(read.message);
  expect(Buffer.from(encodeXdr(xdrContractValue, read.value)).toString("hex")).toBe(bytes.toString("hex"));
});

describe("text that is no XDR is not read", () => {
  const wordsOf = (read: ReturnType<typeof decodeXdr>): string => (read.ok ? "it was read" : read.message);

  const symbol = (length: number): Uint8Array =>
    Uint8Array.of(0, 0, 0, 15, 0, 0, 0, length, ...new Uint8Array(36));
  const read = (...bytes: readonly number[]) => decodeXdr(xdrContractValue, Uint8Array.from(bytes));

  it.each<[string, () => ReturnType<typeof decodeXdr>, string]>([
    ["a boolean that is neither", () => read(0, 0, 0, 0, 0, 0, 0, 2), "got 2 when trying to read a bool"],
    ["an option that is neither", () => read(0, 0, 0, 16, 0, 0, 0, 2), "got 2 when trying to read a bool"],
    ["padding that is not zero", () => read(0, 0, 0, 13, 0, 0, 0, 1, 7, 0, 0, 1), "invalid padding"],
    ["padding that is cut off", () => read(0, 0, 0, 13, 0, 0, 0, 1, 7), "invalid padding"],
    [
      "more bytes than there may be",
      () => decodeXdr(xdrContractValue, symbol(33)),
      "saw 33 length String, max allowed is 32",
    ],
    [
      "a list of more than there are bytes",
      () => read(0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 1, 0),
      "VarArray length 256 exceeds remaining 0 bytes",
    ],
    [
      "a number that ends too early",
      () => read(0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0),
      "attempt to read outside the boundary",
    ],
    ["bytes behind the end", () => read(0, 0, 0, 1, 0), "source buffer not entirely consumed"],
    [
      "a kind that the protocol does not have",
      () => read(0, 0, 0, 99),
      "unknown ScValType member for value 99",
    ],
    [
      "an arm of a version that the protocol does not have",
      () => {
        const bytes = operation(Operation.bumpSequence({ bumpTo: "9" }));
        // before the signatures, which take their number, a hint of 4 bytes, a length and 64 bytes
        bytes[bytes.length - 4 - 4 - 4 - 64 - 1] = 2;
        return decodeXdr(xdrEnvelope, bytes);
      },
      "Bad union switch: 2",
    ],
    [
      "a value that nests without end",
      () => {
        let value = xdr.ScVal.scvVoid();
        for (let depth = 0; depth < 70; depth += 1) value = xdr.ScVal.scvVec([value]);
        return decodeXdr(xdrContractValue, value.toXDR());
      },
      "exceeded max decoding depth",
    ],
    [
      "a number of 256 bits",
      () => decodeXdr(xdrContractValue, nativeToScVal(1n, { type: "u256" }).toXDR()),
      "this simulated ledger does not carry out scvU256",
    ],
  ])("%s", (_, reading, words) => {
    expect(wordsOf(reading())).toContain(words);
  });
});

it("the hash that is signed is the SDK's", () => {
  const built = builder().addOperation(call).setTimeout(0).build();
  const read = readSubmission(built.toEnvelope().toXDR(), hash(Buffer.from(PASSPHRASE)));
  expect(read.ok && read.value.id).toBe(built.hash().toString("hex"));
});
