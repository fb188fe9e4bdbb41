import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Payment } from "xrpl";
import { startXrplWorld, testWallet, type XrplWorld } from "../testing/xrpl-world.ts";

const [ALICE, BOB] = [testWallet(1), testWallet(2)];
/** Alice's first sequence number: the index of the ledger that created her account. */
const FIRST = 2;

let world: XrplWorld;

beforeEach(async () => {
  world = await startXrplWorld();
  await world.fund(ALICE, 100_000_000);
  await world.fund(BOB, 100_000_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const payment = (Sequence: number, change: Partial<Payment> = {}): Payment => ({
  TransactionType: "Payment",
  Account: ALICE.address,
  Destination: BOB.address,
  Amount: "1000000",
  Fee: "12",
  Sequence,
  ...change,
});

const send = (sequence: number, change: Partial<Payment> = {}): Promise<string> =>
  world.send(payment(sequence, change), ALICE);

/** Alice's next sequence number, in a given ledger. */
const next = async (ledger_index: "current" | "validated"): Promise<number> =>
  (await world.client.request({ command: "account_info", account: ALICE.address, ledger_index })).result
    .account_data.Sequence;

describe("a transaction before its turn", () => {
  it("is held, and takes its turn when the one before it came, in the same ledger", async () => {
    expect([await send(FIRST + 2), await send(FIRST + 1)]).toEqual(["terPRE_SEQ", "terPRE_SEQ"]);
    expect([await next("current"), await send(FIRST), await next("current")]).toEqual([
      FIRST,
      "tesSUCCESS",
      FIRST + 3,
    ]);
    await world.mine();
    expect(await next("validated")).toBe(FIRST + 3);
  });

  it("is found by its hash while it is held, and is not validated", async () => {
    const { tx_blob, hash } = await world.signed(payment(FIRST + 1), ALICE);
    await world.submit(tx_blob);
    await world.mine();
    const { result } = await world.client.request({ command: "tx", transaction: hash });
    expect([result.validated, result.meta]).toEqual([false, undefined]);
  });

  it("is forgotten after its last ledger", async () => {
    const { tx_blob, hash } = await world.signed(payment(FIRST + 1, { LastLedgerSequence: 5 }), ALICE);
    await world.submit(tx_blob);
    await world.mine(3);
    expect((await world.rpc("tx", { transaction: hash }))["error"]).toBe("txnNotFound");
    await send(FIRST);
    await world.mine();
    expect(await next("validated")).toBe(FIRST + 1);
  });

  it("is not held if the sender asked for fail_hard", async () => {
    const { tx_blob } = await world.signed(payment(FIRST + 1), ALICE);
    expect(await world.rpc("submit", { tx_blob, fail_hard: true })).toMatchObject({
      engine_result: "terPRE_SEQ",
      kept: false,
    });
  });

  it("waits until its account exists, too", async () => {
    const carol = testWallet(5);
    const early = payment(5, { Account: carol.address, LastLedgerSequence: 30 });
    expect(await world.send(early, carol)).toBe("terNO_ACCOUNT");
    await world.mine();
    await world.fund(carol, 50_000_000); // in ledger 5, whose index becomes the account's sequence number
    await world.mine();
    expect(await world.balance(carol)).toBe("48999988");
  });
});

describe("while the open ledger's fee is high", () => {
  beforeEach(async () => {
    await world.admin("set-fees", { openLedger: 5_000 });
  });

  it("the client learns the fee, and pays it", async () => {
    expect(await world.rpc("fee")).toMatchObject({
      drops: { base_fee: "10", minimum_fee: "10", open_ledger_fee: "5000" },
      levels: { open_ledger_level: "128000", reference_level: "256" },
    });
    const { Fee: _, ...withoutFee } = payment(FIRST);
    const { Fee } = await world.client.autofill(withoutFee);
    expect(Fee).toBe("6000");
  });

  it("a transaction that pays the base fee waits, and comes once the fee falls", async () => {
    expect(await send(FIRST, { Fee: "10" })).toBe("terQUEUED");
    await world.mine(2);
    expect(await next("current")).toBe(FIRST);
    await world.admin("set-fees", { openLedger: 10 });
    await world.mine(); // the queue moves into the open ledger when a ledger closes
    expect([await next("validated"), await next("current")]).toEqual([FIRST, FIRST + 1]);
    await world.mine();
    expect(await next("validated")).toBe(FIRST + 1);
  });

  it("a transaction that pays it overtakes waiting ones of other accounts", async () => {
    await send(FIRST);
    const other = payment(3, { Account: BOB.address, Destination: ALICE.address, Fee: "5000" });
    expect(await world.send(other, BOB)).toBe("tesSUCCESS");
  });

  it("less than the base fee is refused", async () => {
    expect(await send(FIRST, { Fee: "9" })).toBe("telINSUF_FEE_P");
  });

  it("a waiting transaction is replaced by one that pays over a quarter more", async () => {
    expect(await send(FIRST, { Fee: "100" })).toBe("terQUEUED");
    expect(await send(FIRST, { Fee: "125", Amount: "2000000" })).toBe("telCAN_NOT_QUEUE_FEE");
    expect(await send(FIRST, { Fee: "126", Amount: "3000000" })).toBe("terQUEUED");
    await world.admin("set-fees", { openLedger: 10 });
    await world.mine(2);
    expect(await world.balance(ALICE)).toBe(`${100_000_000 - 3_000_000 - 126}`);
  });

  it("the same bytes again are refused, as if they wanted to replace themselves", async () => {
    const { tx_blob } = await world.signed(payment(FIRST), ALICE);
    expect([await world.submit(tx_blob), await world.submit(tx_blob)]).toEqual([
      "terQUEUED",
      "telCAN_NOT_QUEUE_FEE",
    ]);
  });

  it("ten of one account wait, one behind another", async () => {
    expect(await send(FIRST + 1)).toBe("terPRE_SEQ");
    for (let at = 0; at < 10; at += 1) expect(await send(FIRST + at)).toBe("terQUEUED");
    expect(await send(FIRST + 10)).toBe("telCAN_NOT_QUEUE_FULL");
    expect(await send(FIRST + 12)).toBe("telCAN_NOT_QUEUE");
    const info = await world.rpc("account_info", { account: ALICE.address, queue: true });
    expect(info).toMatchObject({ queue_data: { txn_count: 10 } });
    await world.admin("set-fees", { openLedger: 10 });
    await world.mine(2);
    expect(await next("validated")).toBe(FIRST + 10);
  });

  it("a transaction that expires within two ledgers is not queued", async () => {
    // ledger 3 is the latest, so 4 and 5 come next
    expect(await send(FIRST, { LastLedgerSequence: 5 })).toBe("telCAN_NOT_QUEUE");
    expect(await send(FIRST, { LastLedgerSequence: 6 })).toBe("terQUEUED");
    await world.mine(3);
    expect(await world.rpc("fee")).toMatchObject({ current_queue_size: "0" });
  });

  it("a transaction that changes keys is queued alone", async () => {
    const setKey = (Sequence: number) =>
      world.send(
        {
          TransactionType: "SetRegularKey",
          Account: ALICE.address,
          RegularKey: BOB.address,
          Fee: "12",
          Sequence,
        },
        ALICE,
      );
    expect(await setKey(FIRST)).toBe("terQUEUED");
    expect(await send(FIRST + 1)).toBe("telCAN_NOT_QUEUE_BLOCKED");
    expect(await send(FIRST, { Fee: "20" })).toBe("terQUEUED");
    expect(await setKey(FIRST + 1)).toBe("telCAN_NOT_QUEUE_BLOCKS");
  });

  it("a transaction is not queued behind others whose fees use up the reserve", async () => {
    await world.admin("set-fees", { openLedger: 5_000_000 });
    expect(await send(FIRST, { Fee: "1000000" })).toBe("terQUEUED");
    expect(await send(FIRST + 1)).toBe("telCAN_NOT_QUEUE_BALANCE");
  });

  it("a transaction that could not pay behind others is refused at once", async () => {
    expect(await send(FIRST, { Amount: "98000000" })).toBe("terQUEUED");
    expect(await send(FIRST + 1, { Fee: "2000001" })).toBe("terINSUF_FEE_B");
  });

  it("a submission says which number comes next, with those that wait and without", async () => {
    await send(FIRST);
    const { tx_blob } = await world.signed(payment(FIRST + 1), ALICE);
    expect(await world.rpc("submit", { tx_blob })).toMatchObject({
      engine_result: "terQUEUED",
      queued: true,
      applied: false,
      accepted: true,
      account_sequence_next: FIRST,
      account_sequence_available: FIRST + 2,
      open_ledger_cost: "5000",
      validated_ledger_index: 3,
    });
  });
});
