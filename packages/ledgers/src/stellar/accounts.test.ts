import {
  Account,
  Asset,
  type Keypair,
  MuxedAccount,
  Operation,
  SignerKey,
  TransactionBuilder,
  xdr,
} from "@stellar/stellar-sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type BuiltTransaction,
  lumens,
  PASSPHRASE,
  type StellarWorld,
  startStellarWorld,
  stellarKey,
} from "../testing/stellar-world.ts";

const [ALICE, BOB, CAROL] = [stellarKey(1), stellarKey(2), stellarKey(3)];
const LUMEN = 10_000_000;
const NOW = 1_795_132_800;

let world: StellarWorld;

beforeEach(async () => {
  world = await startStellarWorld();
  await world.fund(ALICE, 100 * LUMEN);
  await world.fund(BOB, 10 * LUMEN);
});

afterEach(() => world[Symbol.asyncDispose]());

const done = async (...operations: xdr.Operation[]) => world.confirmed(await world.signed(ALICE, operations));
const word = async (operation: xdr.Operation): Promise<unknown> =>
  world.codes(await world.signed(ALICE, [operation]));
const failed = (code: string) => ({ transaction: "tx_failed", operations: [code] });

const signedBy = async (keys: readonly Keypair[], operation: xdr.Operation): Promise<BuiltTransaction> => {
  const transaction = await world.build(ALICE, [operation]);
  for (const key of keys) transaction.sign(key);
  return transaction;
};

describe("an account of several signers", () => {
  beforeEach(async () => {
    await done(
      Operation.setOptions({ signer: { ed25519PublicKey: BOB.publicKey(), weight: 1 } }),
      Operation.setOptions({ signer: { ed25519PublicKey: CAROL.publicKey(), weight: 2 } }),
      Operation.setOptions({ masterWeight: 1, lowThreshold: 1, medThreshold: 2, highThreshold: 3 }),
    );
  });

  it.each<[string, readonly Keypair[], xdr.Operation, unknown]>([
    ["one is too little for a payment", [ALICE], lumens(BOB, "1"), failed("op_bad_auth")],
    [
      "two are too little for its thresholds",
      [ALICE, BOB],
      Operation.setOptions({ masterWeight: 5 }),
      failed("op_bad_auth"),
    ],
    ["a stranger is nobody", [stellarKey(9)], lumens(BOB, "1"), { transaction: "tx_bad_auth" }],
    [
      "one more than needed is one too many",
      [ALICE, BOB, CAROL],
      lumens(BOB, "1"),
      { transaction: "tx_bad_auth_extra" },
    ],
  ])("%s", async (_, keys, operation, codes) => {
    expect(await world.codes(await signedBy(keys, operation))).toEqual(codes);
  });

  it("two together pay, so does one of weight, and one alone bumps the sequence", async () => {
    await world.confirmed(await signedBy([ALICE, BOB], lumens(BOB, "1")));
    await world.confirmed(await signedBy([CAROL], lumens(BOB, "1")));
    await world.confirmed(await signedBy([BOB], Operation.bumpSequence({ bumpTo: "1" })));
    expect(await world.balance(BOB)).toBe("12.0000000");
  });

  it("a signer whose weight is 0 is gone", async () => {
    const removal = Operation.setOptions({ signer: { ed25519PublicKey: CAROL.publicKey(), weight: 0 } });
    await world.confirmed(await signedBy([ALICE, CAROL], removal));
    const { signers, subentry_count } = await world.horizon.loadAccount(ALICE.publicKey());
    expect([signers.map(({ key, weight }) => [key, weight]), subentry_count]).toEqual([
      [
        [BOB.publicKey(), 1],
        [ALICE.publicKey(), 1],
      ],
      1,
    ]);
  });
});

it("a pre-authorised transaction needs no signature, and uses up its signer", async () => {
  const { sequence } = await world.horizon.loadAccount(ALICE.publicKey());
  const later = await world.build(ALICE, [lumens(BOB, "1")], {
    sequence: (BigInt(sequence) + 1n).toString(),
  });
  await done(Operation.setOptions({ signer: { preAuthTx: later.hash(), weight: 1 } }));
  await world.confirmed(later);
  expect(await world.balance(BOB)).toBe("11.0000000");
  expect((await world.horizon.loadAccount(ALICE.publicKey())).subentry_count).toBe(0);
});

describe("options are refused", () => {
  it.each<[string, () => xdr.Operation, string]>([
    [
      "with the account's own key as a signer",
      () => Operation.setOptions({ signer: { ed25519PublicKey: ALICE.publicKey(), weight: 1 } }),
      "op_bad_signer",
    ],
    ["with a flag that there is not", () => Operation.setOptions({ setFlags: 16 as 1 }), "op_unknown_flag"],
    ["that set what they clear", () => Operation.setOptions({ setFlags: 1, clearFlags: 1 }), "op_bad_flags"],
    [
      "of an heir of inflation who is not there",
      () => Operation.setOptions({ inflationDest: CAROL.publicKey() }),
      "op_invalid_inflation",
    ],
  ])("%s", async (_, operation, code) => {
    expect(await word(operation())).toEqual(failed(code));
  });

  it("of an account whose flags are immutable", async () => {
    await done(Operation.setOptions({ setFlags: 4, homeDomain: "example.org" }));
    expect(await word(Operation.setOptions({ setFlags: 1 }))).toEqual(failed("op_cant_change"));
    const account = await world.horizon.loadAccount(ALICE.publicKey());
    expect([account.home_domain, account.flags.auth_immutable]).toEqual(["example.org", true]);
  });
});

describe("an account", () => {
  it("is merged into another with all that it has", async () => {
    const merge = Operation.accountMerge({ destination: BOB.publicKey() });
    const { result_xdr } = await done(merge);
    const [result] = xdr.TransactionResult.fromXDR(result_xdr, "base64").result().results();
    expect(result?.tr().accountMergeResult().sourceAccountBalance().toString()).toBe("999999900");
    expect(await world.balance(BOB)).toBe("109.9999900");
    await expect(world.horizon.loadAccount(ALICE.publicKey())).rejects.toThrow("Not Found");
    const { records } = await world.horizon.payments().forAccount(ALICE.publicKey()).order("desc").call();
    expect(records[0]).toMatchObject({ type: "account_merge", into: BOB.publicKey() });
  });

  it("that holds something in its name is not merged", async () => {
    await done(Operation.manageData({ name: "a", value: "b" }));
    expect(await word(Operation.accountMerge({ destination: BOB.publicKey() }))).toEqual(
      failed("op_has_sub_entries"),
    );
  });

  it("is not merged into nobody, nor into itself", async () => {
    const into = (key: Keypair) => word(Operation.accountMerge({ destination: key.publicKey() }));
    expect([await into(CAROL), await into(ALICE)]).toEqual([failed("op_no_account"), failed("op_malformed")]);
  });

  it("whose sequence numbers could be reused is not merged", async () => {
    const bumpTo = ((1_000n << 32n) + 1n).toString();
    await done(Operation.bumpSequence({ bumpTo }));
    expect((await world.horizon.loadAccount(ALICE.publicKey())).sequenceNumber()).toBe(bumpTo);
    expect(await word(Operation.accountMerge({ destination: BOB.publicKey() }))).toEqual(
      failed("op_seq_num_too_far"),
    );
  });

  it("keeps data under names", async () => {
    await done(Operation.manageData({ name: "greeting", value: "hello" }));
    const account = await world.horizon.loadAccount(ALICE.publicKey());
    expect([account.data_attr["greeting"], account.subentry_count]).toEqual(["aGVsbG8=", 1]);
    const answer = await fetch(`${world.url}/accounts/${ALICE.publicKey()}/data/greeting`);
    expect(await answer.json()).toEqual({ value: "aGVsbG8=" });
    await done(Operation.manageData({ name: "greeting", value: null }));
    expect(await word(Operation.manageData({ name: "greeting", value: null }))).toEqual(
      failed("op_data_name_not_found"),
    );
  });
});

describe("further conditions of a transaction", () => {
  const conditioned = async (
    set: (builder: TransactionBuilder) => TransactionBuilder,
    ahead = 0n,
  ): Promise<BuiltTransaction> => {
    const { sequence } = await world.horizon.loadAccount(ALICE.publicKey());
    const account = new Account(ALICE.publicKey(), (BigInt(sequence) + ahead).toString());
    const builder = new TransactionBuilder(account, { fee: "100", networkPassphrase: PASSPHRASE });
    builder.addOperation(lumens(BOB, "1")).setTimebounds(0, NOW + 300);
    const transaction = set(builder).build();
    transaction.sign(ALICE);
    return transaction;
  };

  it.each<[string, (builder: TransactionBuilder) => TransactionBuilder, string]>([
    ["a later ledger", (builder) => builder.setLedgerbounds(50, 0), "tx_too_early"],
    ["an earlier ledger", (builder) => builder.setLedgerbounds(0, 3), "tx_too_late"],
    [
      "an older sequence number",
      (builder) => builder.setMinAccountSequenceAge(10_000_000_000),
      "tx_bad_min_seq_age_or_gap",
    ],
    ["another signer", (builder) => builder.setExtraSigners([BOB.publicKey()]), "tx_bad_auth"],
  ])("that are not met: %s", async (_, set, code) => {
    expect(await world.codes(await conditioned(set))).toEqual({ transaction: code });
  });

  it("that are met", async () => {
    const transaction = await conditioned(
      (builder) =>
        builder.setLedgerbounds(1, 100).setMinAccountSequence("0").setExtraSigners([BOB.publicKey()]),
      5n,
    );
    transaction.sign(BOB);
    await world.confirmed(transaction);
    const { sequence } = await world.horizon.loadAccount(ALICE.publicKey());
    expect(sequence).toBe(transaction.sequence);
  });
});

it("a muxed account is paid by its number, and Horizon says which", async () => {
  const muxed = new MuxedAccount(new Account(BOB.publicKey(), "0"), "77");
  const payment = Operation.payment({ destination: muxed.accountId(), asset: Asset.native(), amount: "1" });
  const { hash } = await done(payment);
  const { records } = await world.horizon.payments().forTransaction(hash).call();
  expect(records[0]).toMatchObject({ to: BOB.publicKey(), to_muxed_id: "77" });
});

it("signers of other kinds are shown as people write them", async () => {
  await done(Operation.setOptions({ signer: { sha256Hash: Buffer.alloc(32, 5), weight: 1 } }));
  const { signers } = await world.horizon.loadAccount(ALICE.publicKey());
  const hash = xdr.SignerKey.signerKeyTypeHashX(Buffer.alloc(32, 5));
  expect(signers[0]).toEqual({ key: SignerKey.encodeSignerKey(hash), type: "sha256_hash", weight: 1 });
});
