import {
  Asset,
  AuthClawbackEnabledFlag,
  AuthRequiredFlag,
  AuthRevocableFlag,
  hash,
  type Keypair,
  Operation,
  xdr,
} from "@stellar/stellar-sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PASSPHRASE, type StellarWorld, startStellarWorld, stellarKey } from "../testing/stellar-world.ts";

const LUMEN = 10_000_000;

let world: StellarWorld;
let nextKey = 10;
let [issuer, alice, bob]: Keypair[] = [];
let usd: Asset;

beforeAll(async () => {
  world = await startStellarWorld();
});

afterAll(() => world[Symbol.asyncDispose]());

const fresh = async (): Promise<Keypair> => {
  nextKey += 1;
  const key = stellarKey(nextKey);
  await world.fund(key, 20 * LUMEN);
  return key;
};

/** New accounts for each test, so that settings of one test do not affect another. */
beforeEach(async () => {
  issuer = await fresh();
  alice = await fresh();
  bob = await fresh();
  usd = new Asset("USD", issuer.publicKey());
});

const known = (key: Keypair | undefined): Keypair => {
  if (key === undefined) throw new Error("it is made before each test");
  return key;
};

const done = async (key: Keypair | undefined, ...operations: xdr.Operation[]) =>
  world.confirmed(await world.signed(known(key), operations));

/** The result codes of a transaction with one operation. */
const word = async (key: Keypair | undefined, operation: xdr.Operation): Promise<unknown> =>
  world.codes(await world.signed(known(key), [operation]));

const failed = (code: string) => ({ transaction: "tx_failed", operations: [code] });

const trust = (limit?: string): xdr.Operation =>
  Operation.changeTrust({ asset: usd, ...(limit !== undefined && { limit }) });

const pay = (to: Keypair | undefined, amount: string): xdr.Operation =>
  Operation.payment({ destination: known(to).publicKey(), asset: usd, amount });

const allow = (trustor: Keypair | undefined, authorized: boolean): xdr.Operation =>
  Operation.setTrustLineFlags({ trustor: known(trustor).publicKey(), asset: usd, flags: { authorized } });

const line = async (key: Keypair | undefined) => {
  const { balances } = await world.horizon.loadAccount(known(key).publicKey());
  return balances.find((each) => "asset_code" in each && each.asset_code === "USD");
};

describe("an issued asset", () => {
  it("goes from its issuer to an account that trusts it, on to another, and back", async () => {
    await done(alice, trust());
    await done(bob, trust("7"));
    await done(issuer, pay(alice, "10"));
    await done(alice, pay(bob, "4"));
    await done(bob, pay(issuer, "1"));
    expect([await world.balance(known(alice), usd), await world.balance(known(bob), usd)]).toEqual([
      "6.0000000",
      "3.0000000",
    ]);
    const { records } = await world.horizon
      .assets()
      .forCode("USD")
      .forIssuer(known(issuer).publicKey())
      .call();
    expect(records).toMatchObject([{ asset_code: "USD", balances: { authorized: "9.0000000" } }]);
  });

  it("is not taken by an account that does not trust it", async () => {
    expect(await word(issuer, pay(alice, "1"))).toEqual(failed("op_no_trust"));
  });

  it("is not sent by an account that does not trust it", async () => {
    await done(bob, trust());
    expect(await word(alice, pay(bob, "1"))).toEqual(failed("op_src_no_trust"));
  });

  it("is not sent in a larger amount than there is", async () => {
    await done(alice, trust());
    await done(bob, trust());
    await done(issuer, pay(alice, "1"));
    expect(await word(alice, pay(bob, "1.0000001"))).toEqual(failed("op_underfunded"));
  });

  it("is not taken beyond the limit", async () => {
    await done(alice, trust("5"));
    await done(issuer, pay(alice, "5"));
    expect(await word(issuer, pay(alice, "0.0000001"))).toEqual(failed("op_line_full"));
  });

  it("of a code with other signs than letters and digits is malformed", async () => {
    const envelope = (await world.build(known(alice), [trust()])).toEnvelope();
    const transaction = envelope.v1().tx();
    const [operation] = transaction.operations();
    operation?.body().changeTrustOp().line().alphaNum4().assetCode(Buffer.from("U$D\0"));
    // the SDK cannot build an asset with such a code
    const payload = new xdr.TransactionSignaturePayload({
      networkId: hash(Buffer.from(PASSPHRASE)),
      taggedTransaction: xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTx(transaction),
    });
    envelope.v1().signatures([known(alice).signDecorated(hash(payload.toXDR()))]);
    const answer = await fetch(`${world.url}/transactions`, {
      method: "POST",
      body: new URLSearchParams({ tx: envelope.toXDR("base64") }),
    });
    expect(await answer.json()).toMatchObject({ extras: { result_codes: failed("op_malformed") } });
  });
});

describe("a trustline", () => {
  it("takes half a lumen of reserve, which comes back when it is closed", async () => {
    await done(alice, trust());
    const open = await world.horizon.loadAccount(known(alice).publicKey());
    await done(alice, trust("0"));
    const closed = await world.horizon.loadAccount(known(alice).publicKey());
    expect([open.subentry_count, closed.subentry_count, await line(alice)]).toEqual([1, 0, undefined]);
  });

  it("is not opened without the reserve", async () => {
    const poor = stellarKey(200 + (nextKey % 50));
    await world.fund(poor, LUMEN + 5_000_000 - 1);
    // the fee reduces the balance below the reserve
    expect(await word(poor, trust())).toEqual(failed("op_low_reserve"));
  });

  it("is not opened to an issuer who is not there", async () => {
    const asset = new Asset("USD", stellarKey(250).publicKey());
    expect(await word(alice, Operation.changeTrust({ asset }))).toEqual(failed("op_no_issuer"));
  });

  it("is not opened by the issuer", async () => {
    expect(await word(issuer, trust())).toEqual(failed("op_malformed"));
  });

  it("is not limited below what it holds, nor closed while it holds something", async () => {
    await done(alice, trust());
    await done(issuer, pay(alice, "5"));
    expect(await word(alice, trust("4.9999999"))).toEqual(failed("op_invalid_limit"));
    expect(await word(alice, trust("0"))).toEqual(failed("op_invalid_limit"));
  });
});

describe("an issuer who requires authorisation", () => {
  const guarded = () =>
    Operation.setOptions({ setFlags: (AuthRequiredFlag | AuthRevocableFlag) as typeof AuthRequiredFlag });

  it("must authorise both receiver and sender", async () => {
    await done(issuer, guarded());
    await done(alice, trust());
    await done(bob, trust());
    expect(await line(alice)).toMatchObject({ is_authorized: false });
    expect(await word(issuer, pay(alice, "5"))).toEqual(failed("op_not_authorized"));
    await done(issuer, allow(alice, true));
    await done(issuer, pay(alice, "5"));
    expect(await word(alice, pay(bob, "1"))).toEqual(failed("op_not_authorized"));
    await done(issuer, allow(bob, true), allow(alice, false));
    expect(await word(alice, pay(bob, "1"))).toEqual(failed("op_src_not_authorized"));
  });

  it("can use the older operation", async () => {
    await done(issuer, guarded());
    await done(alice, trust());
    const permit = Operation.allowTrust({
      trustor: known(alice).publicKey(),
      assetCode: "USD",
      authorize: 1,
    });
    await done(issuer, permit);
    expect(await line(alice)).toMatchObject({ is_authorized: true });
  });

  it("cannot revoke it unless its flags say so", async () => {
    await done(alice, trust());
    expect(await word(issuer, allow(alice, false))).toEqual(failed("op_cant_revoke"));
  });

  it("cannot authorise where there is no trustline", async () => {
    expect(await word(issuer, allow(bob, true))).toEqual(failed("op_no_trustline"));
  });

  it("cannot enable clawback without revocation", async () => {
    const clawback = Operation.setOptions({ setFlags: AuthClawbackEnabledFlag });
    expect(await word(issuer, clawback)).toEqual(failed("op_auth_revocable_required"));
  });

  it("cannot authorise another issuer's asset", async () => {
    await done(alice, trust());
    expect(await word(bob, allow(alice, true))).toEqual(failed("op_malformed"));
  });
});
