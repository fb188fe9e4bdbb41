import {
  Address,
  Asset,
  Contract,
  type Keypair,
  Memo,
  Networks,
  nativeToScVal,
  Operation,
  rpc,
  SorobanDataBuilder,
  StrKey,
  scValToNative,
  Transaction,
  TransactionBuilder,
  xdr,
} from "@stellar/stellar-sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type BuildOptions,
  type BuiltTransaction,
  PASSPHRASE,
  type StellarWorld,
  startStellarWorld,
  stellarKey,
} from "../testing/stellar-world.ts";
import { horizonAddress } from "./address.ts";
import { makeHorizonGenesis } from "./genesis.ts";
import { creditOf } from "./operations/asset-code.ts";
import { contractOfAsset } from "./soroban/asset-contract.ts";
import { nonRefundableFee } from "./soroban/resources.ts";
import { readSubmission } from "./transaction/submission.ts";

const [ALICE, BOB, ISSUER] = [stellarKey(1), stellarKey(2), stellarKey(3)];
const LUMEN = 10_000_000;
const VAULT = StrKey.encodeContract(Buffer.alloc(32, 7));
const USD = new Asset("USD", ISSUER.publicKey());
const NATIVE = Asset.native();

let world: StellarWorld;

beforeEach(async () => {
  world = await startStellarWorld();
  await world.fund(ALICE, 100 * LUMEN);
  await world.fund(BOB, 100 * LUMEN);
});

afterEach(() => world[Symbol.asyncDispose]());

const call = (asset: Asset, from: Keypair, to: string, stroops: number | bigint): xdr.Operation =>
  new Contract(asset.contractId(PASSPHRASE)).call(
    "transfer",
    new Address(from.publicKey()).toScVal(),
    new Address(to).toScVal(),
    nativeToScVal(stroops, { type: "i128" }),
  );

/** A call that Stellar RPC has simulated and prepared, signed. */
const prepared = async (
  source: Keypair,
  operation: xdr.Operation,
  options?: BuildOptions,
): Promise<BuiltTransaction> => {
  const transaction = await world.rpc.prepareTransaction(await world.build(source, [operation], options));
  transaction.sign(source);
  return transaction;
};

const balanceOfContract = async (asset: Asset, holder: string): Promise<bigint> => {
  const key = xdr.ScVal.scvVec([nativeToScVal("Balance", { type: "symbol" }), new Address(holder).toScVal()]);
  const entry = await world.rpc.getContractData(asset.contractId(PASSPHRASE), key);
  return scValToNative(entry.val.contractData().val()).amount;
};

/** Makes the account trust the asset, and has the issuer pay it an amount. */
const withUsd = async (key: Keypair, amount: string): Promise<void> => {
  await world.fund(ISSUER, 100 * LUMEN);
  await world.confirmed(await world.signed(key, [Operation.changeTrust({ asset: USD })]));
  const payment = Operation.payment({ destination: key.publicKey(), asset: USD, amount });
  await world.confirmed(await world.signed(ISSUER, [payment]));
};

it("lumens go to a contract by a transfer that the SDK prepares, and the fee is what was used", async () => {
  const transaction = await prepared(ALICE, call(NATIVE, ALICE, VAULT, 25_000_000));
  const before = await world.balance(ALICE);
  expect(await world.status(transaction)).toBe("PENDING");
  await world.mine();
  const found = await world.rpc.getTransaction(transaction.hash().toString("hex"));
  if (found.status !== rpc.Api.GetTransactionStatus.SUCCESS) throw new Error(found.status);
  expect(found.returnValue?.switch().name).toBe("scvVoid");
  const fee = found.resultXdr.feeCharged().toBigInt();
  expect(fee).toBeGreaterThan(100n);
  expect(fee).toBeLessThan(BigInt(transaction.fee));
  expect(await balanceOfContract(NATIVE, VAULT)).toBe(25_000_000n);
  const stroops = (text: string): bigint => BigInt(text.replace(".", ""));
  expect(stroops(before) - stroops(await world.balance(ALICE))).toBe(25_000_000n + fee);

  const [event] = found.events.contractEventsXdr[0] ?? [];
  const topics = event?.body().v0().topics().map(scValToNative);
  expect(topics).toEqual(["transfer", ALICE.publicKey(), VAULT, "native"]);
  expect(scValToNative(event?.body().v0().data() ?? xdr.ScVal.scvVoid())).toBe(25_000_000n);
});

it("an issued asset goes to a contract, to an account that trusts it, and back to its issuer", async () => {
  await withUsd(ALICE, "10");
  await world.confirmed(await world.signed(BOB, [Operation.changeTrust({ asset: USD })]));
  await world.confirmed(await prepared(ALICE, call(USD, ALICE, VAULT, 30_000_000)));
  await world.confirmed(await prepared(ALICE, call(USD, ALICE, VAULT, 5_000_000)));
  await world.confirmed(await prepared(ALICE, call(USD, ALICE, BOB.publicKey(), 20_000_000)));
  await world.confirmed(await prepared(ALICE, call(USD, ALICE, ISSUER.publicKey(), 10_000_000)));
  expect(await balanceOfContract(USD, VAULT)).toBe(35_000_000n);
  expect(await Promise.all([ALICE, BOB].map((key) => world.balance(key, USD)))).toEqual([
    "3.5000000",
    "2.0000000",
  ]);
  const { records } = await world.horizon
    .payments()
    .forAccount(BOB.publicKey())
    .order("desc")
    .limit(1)
    .call();
  expect(records[0]).toMatchObject({
    type: "invoke_host_function",
    asset_balance_changes: [
      {
        type: "transfer",
        from: ALICE.publicKey(),
        to: BOB.publicKey(),
        amount: "2.0000000",
        asset_type: "credit_alphanum4",
        asset_code: "USD",
        asset_issuer: ISSUER.publicKey(),
      },
    ],
  });
});

it("a simulation says what a call touches and costs, and changes nothing", async () => {
  await withUsd(ALICE, "10");
  const transaction = await world.build(ALICE, [call(USD, ALICE, VAULT, 1)]);
  const simulation = await world.rpc.simulateTransaction(transaction);
  if (!rpc.Api.isSimulationSuccess(simulation)) throw new Error("it can be carried out");
  const footprint = simulation.transactionData.build().resources().footprint();
  const kinds = (keys: readonly xdr.LedgerKey[]) => keys.map((key) => key.switch().name);
  expect(kinds(footprint.readOnly())).toEqual(["account", "contractData"]);
  expect(kinds(footprint.readWrite())).toEqual(["trustline", "contractData"]);
  expect(Number(simulation.minResourceFee)).toBeGreaterThan(10_000);
  const [auth] = simulation.result?.auth ?? [];
  expect(auth?.credentials().switch().name).toBe("sorobanCredentialsSourceAccount");
  await expect(balanceOfContract(USD, VAULT)).rejects.toMatchObject({ code: 404 });
});

describe("a simulation says why a call would fail", () => {
  it.each<[string, () => xdr.Operation, string]>([
    ["more than there is", () => call(NATIVE, ALICE, VAULT, 1_000 * LUMEN), "Error(Contract, #10)"],
    ["less than nothing", () => call(NATIVE, ALICE, VAULT, -1), "Error(Contract, #8)"],
    [
      "an account that is not there",
      () => call(NATIVE, ALICE, stellarKey(9).publicKey(), 1),
      "Error(Contract, #6)",
    ],
    ["a contract that is not there", () => call(USD, ALICE, VAULT, 1), "Error(Storage, MissingValue)"],
    [
      "somebody else's lumens",
      () => call(NATIVE, BOB, VAULT, 1),
      "takes authorizations of the source account only",
    ],
    [
      "another function",
      () => new Contract(NATIVE.contractId(PASSPHRASE)).call("burn"),
      "carries out transfers of asset contracts only: not the function burn",
    ],
    ["a payment", () => Operation.bumpSequence({ bumpTo: "1" }), "unsupported operation type: bumpSequence"],
  ])("%s", async (_, operation, words) => {
    const simulation = await world.rpc.simulateTransaction(await world.build(ALICE, [operation()]));
    expect("error" in simulation ? simulation.error : "").toContain(words);
  });

  it("an asset that its receiver does not trust", async () => {
    await withUsd(ALICE, "10");
    const transaction = await world.build(ALICE, [call(USD, ALICE, BOB.publicKey(), 1)]);
    const simulation = await world.rpc.simulateTransaction(transaction);
    expect("error" in simulation ? simulation.error : "").toContain("Error(Contract, #13)");
  });
});

/** The prepared transaction with a change, signed again. */
const changed = async (
  change: (data: SorobanDataBuilder) => SorobanDataBuilder,
  more: { readonly memo?: Memo; readonly fee?: number } = {},
): Promise<BuiltTransaction> => {
  const good = await prepared(ALICE, call(NATIVE, ALICE, VAULT, 1_000));
  const envelope = good.toEnvelope();
  const fields = envelope.v1().tx();
  fields.ext(new xdr.TransactionExt(1, change(new SorobanDataBuilder(fields.ext().sorobanData())).build()));
  if (more.memo !== undefined) fields.memo(more.memo.toXDRObject());
  if (more.fee !== undefined) fields.fee(more.fee);
  envelope.v1().signatures([]);
  const built = new Transaction(envelope, PASSPHRASE);
  built.sign(ALICE);
  return built;
};

/** The minimum fee for the declared resources, which leaves nothing for refundable fees. */
const leastFee = async (): Promise<bigint> => {
  const sent = (await changed((data) => data)).toEnvelope().toXDR();
  const read = readSubmission(sent, makeHorizonGenesis(PASSPHRASE, "").networkId);
  if (!read.ok || read.value.transaction.extension.type !== "soroban") throw new Error("it is a call");
  return nonRefundableFee(read.value.transaction.extension.value, sent.length);
};

const fees = (data: SorobanDataBuilder): bigint => data.build().resourceFee().toBigInt();

describe("a call is refused", () => {
  it.each<[string, () => Promise<BuiltTransaction>, string]>([
    ["with a memo", () => changed((data) => data, { memo: Memo.text("no") }), "tx_soroban_invalid"],
    [
      "whose fee for resources is too low",
      () => changed((data) => data.setResourceFee(fees(data) / 4n)),
      "tx_soroban_invalid",
    ],
    [
      "whose whole fee is below that for resources",
      () => changed((data) => data, { fee: 100 }),
      "tx_soroban_invalid",
    ],
    [
      "that names an entry twice",
      () => changed((data) => data.setReadOnly([...data.getReadOnly(), ...data.getReadOnly()])),
      "tx_soroban_invalid",
    ],
    [
      "that wants more instructions than any may have",
      () => changed((data) => data.setResources(100_000_001, 1_000, 1_000)),
      "tx_soroban_invalid",
    ],
  ])("%s", async (_, make, code) => {
    expect(await world.codes(await make())).toEqual({ transaction: code });
  });

  it("without anything declared", async () => {
    const bare = await world.signed(ALICE, [call(NATIVE, ALICE, VAULT, 1)]);
    expect(await world.codes(bare)).toEqual({ transaction: "tx_malformed" });
  });
});

describe("a call fails in a ledger", () => {
  it.each<[string, () => Promise<BuiltTransaction>, string]>([
    [
      "whose footprint leaves something out",
      () => changed((data) => data.setFootprint(data.getReadOnly(), data.getReadWrite().slice(1))),
      "function_trapped",
    ],
    [
      "that may only read what it changes",
      () =>
        changed((data) => data.setReadOnly([...data.getReadOnly(), ...data.getReadWrite()]).setReadWrite([])),
      "function_trapped",
    ],
    [
      "that has too few instructions",
      () => changed((data) => data.setResources(1_000, 400, 1_000)),
      "resource_limit_exceeded",
    ],
    [
      "that may write too little",
      () => changed((data) => data.setResources(300_000, 400, 10)),
      "resource_limit_exceeded",
    ],
  ])("%s", async (_, make, word) => {
    expect(await world.codes(await make())).toEqual({ transaction: "tx_failed", operations: [word] });
  });

  it("whose fee covers what it declares, but not what it keeps from now on", async () => {
    const least = await leastFee();
    expect(await world.codes(await changed((data) => data.setResourceFee(least - 1n)))).toEqual({
      transaction: "tx_soroban_invalid",
    });
    expect(await world.codes(await changed((data) => data.setResourceFee(least)))).toEqual({
      transaction: "tx_failed",
      operations: ["insufficient_refundable_fee"],
    });
  });

  it("that nobody authorised", async () => {
    const good = await prepared(ALICE, call(NATIVE, ALICE, VAULT, 1_000));
    const other = await prepared(ALICE, call(NATIVE, ALICE, VAULT, 2_000));
    const [operation] = good.toEnvelope().v1().tx().operations();
    const [stolen] = other.toEnvelope().v1().tx().operations();
    operation
      ?.body()
      .invokeHostFunctionOp()
      .auth(stolen?.body().invokeHostFunctionOp().auth() ?? []);
    const data = good.toEnvelope().v1().tx().ext().sorobanData();
    const account = await world.horizon.loadAccount(ALICE.publicKey());
    const builder = new TransactionBuilder(account, { fee: "200000", networkPassphrase: PASSPHRASE });
    if (operation !== undefined) builder.addOperation(operation);
    const built = builder.setTimeout(0).setSorobanData(data).build();
    built.sign(ALICE);
    expect(await world.codes(built)).toEqual({ transaction: "tx_failed", operations: ["function_trapped"] });
  });

  it("because what it sends was spent in between, and pays for what it declared only", async () => {
    const transaction = await prepared(ALICE, call(NATIVE, ALICE, VAULT, 95 * LUMEN), {
      sequence: (await world.horizon.loadAccount(ALICE.publicKey())).sequenceNumber(),
    });
    const drain = Operation.payment({
      source: ALICE.publicKey(),
      destination: BOB.publicKey(),
      asset: NATIVE,
      amount: "50",
    });
    const theft = await world.signed(BOB, [drain]);
    theft.sign(ALICE);
    expect([await world.status(theft), await world.status(transaction)]).toEqual(["PENDING", "PENDING"]);
    await world.mine();
    const found = await world.rpc.getTransaction(transaction.hash().toString("hex"));
    if (found.status !== rpc.Api.GetTransactionStatus.FAILED) throw new Error(found.status);
    expect(found.resultXdr.feeCharged().toBigInt()).toBeLessThan(BigInt(transaction.fee));
  });
});

it.each([
  ["native", NATIVE],
  ["of a short code", USD],
  ["of a long code", new Asset("LONGASSET", ISSUER.publicKey())],
])("the contract of an asset follows from it and the network, as the SDK says: %s", (_, asset) => {
  const ours = asset.isNative()
    ? ({ type: "native", value: undefined } as const)
    : creditOf(asset.getCode(), horizonAddress(ISSUER.rawPublicKey()));
  for (const passphrase of [PASSPHRASE, Networks.PUBLIC]) {
    const { networkId } = makeHorizonGenesis(passphrase, "");
    expect(contractOfAsset(ours, networkId)).toBe(asset.contractId(passphrase));
  }
});
