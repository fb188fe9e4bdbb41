import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ECDSA, getBalanceChanges, hashes, type Payment, verifySignature, type Wallet } from "xrpl";
import { startXrplWorld, testWallet, type XrplWorld } from "../testing/xrpl-world.ts";

const [ALICE, BOB, CAROL] = [testWallet(1), testWallet(2), testWallet(3, ECDSA.ed25519)];

let world: XrplWorld;

beforeEach(async () => {
  world = await startXrplWorld();
  await world.fund(ALICE, 100_000_000);
  await world.fund(CAROL, 100_000_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const payment = (from: Wallet, to: Wallet, drops: number): Payment => ({
  TransactionType: "Payment",
  Account: from.address,
  Destination: to.address,
  Amount: `${drops}`,
});

describe("a payment", () => {
  it.each([
    ["a secp256k1 key", ALICE],
    ["an Ed25519 key", CAROL],
  ])("signed with %s is filled in, taken, validated, and found by its hash", async (_, sender) => {
    const { tx_blob, hash } = await world.signed(payment(sender, BOB, 20_000_000), sender);
    expect(verifySignature(tx_blob)).toBe(true);
    expect(await world.submit(tx_blob)).toBe("tesSUCCESS");
    await world.mine();
    const { result } = await world.client.request({ command: "tx", transaction: hash });
    expect(result).toMatchObject({
      hash,
      validated: true,
      ledger_index: 4,
      meta: { TransactionResult: "tesSUCCESS", delivered_amount: "20000000" },
      tx_json: { Account: sender.address, DeliverMax: "20000000", Fee: "12", NetworkID: 20_261 },
    });
    expect([await world.balance(sender), await world.balance(BOB)]).toEqual(["79999988", "20000000"]);
  });

  it("is waited for by submitAndWait, and its metadata add up to what was moved and burnt", async () => {
    const waiting = world.client.submitAndWait(payment(ALICE, BOB, 20_000_000), { wallet: ALICE });
    await expect.poll(async () => (await world.rpc("fee"))["current_ledger_size"]).toBe("1");
    await world.mine();
    const { result } = await waiting;
    const { meta } = result;
    if (typeof meta !== "object") throw new Error("metadata are JSON");
    expect(getBalanceChanges(meta)).toEqual(
      expect.arrayContaining([
        { account: ALICE.address, balances: [{ currency: "XRP", value: "-20.000012" }] },
        { account: BOB.address, balances: [{ currency: "XRP", value: "20" }] },
      ]),
    );
    const { ledger } = (await world.client.request({ command: "ledger", ledger_index: "validated" })).result;
    expect(ledger.total_coins).toBe(`${100_000_000_000_000_000n - 12n - 2n * 10n}`);
  });

  it("that makes an account gives it the number of its ledger to begin with", async () => {
    await world.send(payment(ALICE, BOB, 20_000_000), ALICE);
    await world.mine();
    const { account_data: account } = (
      await world.client.request({ command: "account_info", account: BOB.address, ledger_index: "validated" })
    ).result;
    expect(account).toMatchObject({ Sequence: 4, Balance: "20000000", Flags: 0, OwnerCount: 0 });
  });

  it("has the hash that the client computes", async () => {
    const { tx_blob, hash } = await world.signed(payment(ALICE, BOB, 20_000_000), ALICE);
    expect(hashes.hashSignedTx(tx_blob)).toBe(hash);
    const answer = await world.rpc("submit", { tx_blob });
    expect(answer).toMatchObject({
      engine_result: "tesSUCCESS",
      engine_result_code: 0,
      accepted: true,
      applied: true,
      tx_json: { hash },
      status: "success",
    });
  });
});
