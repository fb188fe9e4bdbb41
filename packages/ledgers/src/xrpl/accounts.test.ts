import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AccountSetAsfFlags, ECDSA, type Payment, type SubmittableTransaction, type Wallet } from "xrpl";
import { signAnything, startXrplWorld, testWallet, type XrplWorld } from "../testing/xrpl-world.ts";

const [ALICE, BOB, CAROL] = [testWallet(1), testWallet(2), testWallet(3, ECDSA.ed25519)];

let world: XrplWorld;

beforeEach(async () => {
  world = await startXrplWorld();
  await world.fund(ALICE, 100_000_000);
  await world.fund(BOB, 100_000_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const payment = (change: Partial<Payment> = {}): Payment => ({
  TransactionType: "Payment",
  Account: ALICE.address,
  Destination: BOB.address,
  Amount: "1000000",
  ...change,
});

const done = async (transaction: SubmittableTransaction, wallet: Wallet): Promise<void> => {
  expect(await world.send(transaction, wallet)).toBe("tesSUCCESS");
  await world.mine();
};

const setFlag = (SetFlag: AccountSetAsfFlags, wallet = BOB): Promise<void> =>
  done({ TransactionType: "AccountSet", Account: wallet.address, SetFlag }, wallet);

const info = async (wallet: Wallet) =>
  (
    await world.client.request({
      command: "account_info",
      account: wallet.address,
      ledger_index: "validated",
    })
  ).result;

describe("an account", () => {
  it("that asks for destination tags takes no payment without one", async () => {
    await setFlag(AccountSetAsfFlags.asfRequireDest);
    expect((await info(BOB)).account_flags).toMatchObject({ requireDestinationTag: true });
    expect(await world.send(payment(), ALICE)).toBe("tecDST_TAG_NEEDED");
    expect(await world.send(payment({ DestinationTag: 0 }), ALICE)).toBe("tesSUCCESS");
    await world.mine();
    await done({ TransactionType: "AccountSet", Account: BOB.address, ClearFlag: 1 }, BOB);
    await done(payment(), ALICE);
  });

  it("with deposit authorisation refuses payments, but accepts small ones while its balance is small", async () => {
    const poor = testWallet(7);
    await world.fund(poor, 1_000_012);
    await setFlag(AccountSetAsfFlags.asfDepositAuth, poor);
    expect(await world.balance(poor)).toBe("1000000");
    await done(payment({ Destination: poor.address, Amount: "1000000" }), ALICE);
    expect(await world.send(payment({ Destination: poor.address, Amount: "1" }), ALICE)).toBe(
      "tecNO_PERMISSION",
    );
  });

  it("shows its domain, and forgets it when it is set to nothing", async () => {
    const domain = Buffer.from("example.org").toString("hex").toUpperCase();
    await done({ TransactionType: "AccountSet", Account: BOB.address, Domain: domain }, BOB);
    expect((await info(BOB)).account_data.Domain).toBe(domain);
    await done({ TransactionType: "AccountSet", Account: BOB.address, Domain: "" }, BOB);
    expect((await info(BOB)).account_data).not.toHaveProperty("Domain");
  });

  it("shows the hash of an e-mail address and a key for messages, and forgets them", async () => {
    const set = { TransactionType: "AccountSet", Account: BOB.address } as const;
    const [EmailHash, MessageKey] = ["AB".repeat(16), ALICE.publicKey];
    await done({ ...set, EmailHash, MessageKey }, BOB);
    expect((await info(BOB)).account_data).toMatchObject({ EmailHash, MessageKey });
    await done({ ...set, EmailHash: "00".repeat(16), MessageKey: "" }, BOB);
    const { account_data: account } = await info(BOB);
    expect([account.EmailHash, account.MessageKey]).toEqual([undefined, undefined]);
  });

  it("tracks its last transaction if that is enabled, and the next one can name it", async () => {
    await setFlag(AccountSetAsfFlags.asfAccountTxnID, ALICE);
    const { AccountTxnID } = (await info(ALICE)).account_data;
    expect(await world.send(payment({ AccountTxnID: "A".repeat(64) }), ALICE)).toBe("tefWRONG_PRIOR");
    await done(payment({ ...(AccountTxnID !== undefined && { AccountTxnID }) }), ALICE);
    expect((await info(ALICE)).account_data.AccountTxnID).not.toBe(AccountTxnID);
  });

  it.each<[string, object, string]>([
    ["sets and clears one flag", { SetFlag: 1, ClearFlag: 1 }, "temINVALID_FLAG"],
    ["has a flag that there is not", { Flags: 1 }, "temINVALID_FLAG"],
    ["names a domain of 257 bytes", { Domain: "AB".repeat(257) }, "telBAD_DOMAIN"],
    ["names a key for messages that is none", { MessageKey: "05".repeat(33) }, "telBAD_PUBLIC_KEY"],
    ["disables its only key", { SetFlag: 4 }, "tecNO_ALTERNATIVE_KEY"],
    ["sets a flag of issued currencies", { SetFlag: 6 }, "temDISABLED"],
    ["sets a flag in the old way", { Flags: 0x0001_0000 }, "temDISABLED"],
    ["sets a transfer rate", { TransferRate: 1_000_000_001 }, "temDISABLED"],
  ])("is refused when it %s", async (_, change, result) => {
    const prepared = await world.client.autofill({ TransactionType: "AccountSet", Account: BOB.address });
    expect(await world.submit(signAnything(prepared, BOB, { change }))).toBe(result);
  });
});

describe("a regular key", () => {
  const setKey = (key: Wallet | undefined, signer = ALICE): Promise<string> =>
    world.send(
      {
        TransactionType: "SetRegularKey",
        Account: ALICE.address,
        ...(key !== undefined && { RegularKey: key.address }),
      },
      signer,
    );

  beforeEach(async () => {
    expect(await setKey(CAROL)).toBe("tesSUCCESS");
    await world.mine();
  });

  it("signs for the account beside the master key, of whichever curve", async () => {
    await done(payment(), CAROL);
    await done(payment(), ALICE);
  });

  it("signs alone once the master key is disabled", async () => {
    await setFlag(AccountSetAsfFlags.asfDisableMaster, ALICE);
    expect(await world.send(payment(), ALICE)).toBe("tefMASTER_DISABLED");
    expect(await world.send(payment(), BOB)).toBe("tefBAD_AUTH");
    await done(payment(), CAROL);
    expect(await setKey(undefined, CAROL)).toBe("tecNO_ALTERNATIVE_KEY");
  });

  it("cannot disable the master key", async () => {
    const disable = { TransactionType: "AccountSet", Account: ALICE.address, SetFlag: 4 } as const;
    expect(await world.send(disable, CAROL)).toBe("tecNEED_MASTER_KEY");
  });

  it("is taken away, and signs no more", async () => {
    expect(await setKey(undefined)).toBe("tesSUCCESS");
    await world.mine();
    expect(await world.send(payment(), CAROL)).toBe("tefBAD_AUTH");
  });

  it("cannot be the account's own", async () => {
    expect(await setKey(ALICE)).toBe("temBAD_REGKEY");
  });
});

describe("tickets", () => {
  const create = (TicketCount: number) => ({
    TransactionType: "TicketCreate" as const,
    Account: ALICE.address,
    TicketCount,
  });

  it("set numbers aside, count as owned, and are used in any order, once", async () => {
    const { Sequence: sequence } = (await info(ALICE)).account_data;
    await done(create(2), ALICE);
    expect((await info(ALICE)).account_data).toMatchObject({
      OwnerCount: 2,
      TicketCount: 2,
      Sequence: sequence + 3,
    });
    const later = payment({ Sequence: 0, TicketSequence: sequence + 2 });
    await done(later, ALICE);
    await done(payment({ Sequence: 0, TicketSequence: sequence + 1 }), ALICE);
    expect(await world.send({ ...later, Amount: "2" }, ALICE)).toBe("tefNO_TICKET");
    expect((await info(ALICE)).account_data).toMatchObject({ OwnerCount: 0, Sequence: sequence + 3 });
  });

  it("are listed among the account's objects, and made and deleted in the metadata", async () => {
    const { Sequence: sequence } = (await info(ALICE)).account_data;
    const { tx_blob, hash } = await world.signed(create(1), ALICE);
    await world.submit(tx_blob);
    await world.mine();
    const { account_objects: objects } = (
      await world.client.request({
        command: "account_objects",
        account: ALICE.address,
        ledger_index: "validated",
      })
    ).result;
    expect(objects).toMatchObject([{ LedgerEntryType: "Ticket", TicketSequence: sequence + 1 }]);
    const found = await world.client.request({ command: "tx", transaction: hash });
    expect(JSON.stringify(found.result.meta)).toContain('"CreatedNode":{"LedgerEntryType":"Ticket"');
    const used = await world.signed(payment({ Sequence: 0, TicketSequence: sequence + 1 }), ALICE);
    await world.submit(used.tx_blob);
    await world.mine();
    const after = await world.client.request({ command: "tx", transaction: used.hash });
    expect(JSON.stringify(after.result.meta)).toContain('"DeletedNode":{"LedgerEntryType":"Ticket"');
  });

  it("raise the reserve that a payment must leave", async () => {
    await done(create(10), ALICE);
    // 100 XRP less the fee for creating the tickets; a reserve of 1 XRP and ten times 0.2 XRP stays
    expect(await world.send(payment({ Amount: "96999989" }), ALICE)).toBe("tecUNFUNDED_PAYMENT");
    expect(await world.send(payment({ Amount: "96999976" }), ALICE)).toBe("tesSUCCESS");
  });

  it.each([
    [0, "temINVALID_COUNT"],
    [251, "temINVALID_COUNT"],
    [250, "tesSUCCESS"],
  ])("%d at once: %s", async (count, result) => {
    const prepared = await world.client.autofill(create(1));
    expect(await world.submit(signAnything(prepared, ALICE, { change: { TicketCount: count } }))).toBe(
      result,
    );
  });

  it("beyond 250, or beyond the reserve, are not made", async () => {
    await done(create(250), ALICE);
    expect(await world.send(create(1), ALICE)).toBe("tecDIR_FULL");
    const poor = testWallet(7);
    await world.fund(poor, 1_100_000);
    expect(await world.send({ ...create(1), Account: poor.address }, poor)).toBe("tecINSUFFICIENT_RESERVE");
  });
});
