import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encode, type Payment } from "xrpl";
import { startXrplWorld, testWallet, type XrplWorld } from "../testing/xrpl-world.ts";

const [ALICE, BOB] = [testWallet(1), testWallet(2)];

let world: XrplWorld;
beforeAll(async () => {
  world = await startXrplWorld();
  await world.fund(ALICE, 100_000_000);
});
afterAll(() => world[Symbol.asyncDispose]());

/** The node's result for an unsigned payment. */
const tried = async (change: object = {}) => {
  const payment: Payment = {
    TransactionType: "Payment",
    Account: ALICE.address,
    Destination: BOB.address,
    Amount: "5000000",
  };
  const filled = await world.client.autofill(payment);
  const tx_blob = encode({ ...filled, SigningPubKey: ALICE.publicKey, ...change });
  return world.rpc("simulate", { tx_blob, api_version: 2 });
};

describe("a transaction that is only tried", () => {
  it("tells what it would do, and changes nothing", async () => {
    const before = await world.rpc("account_info", { account: ALICE.address, ledger_index: "current" });
    expect(await tried()).toMatchObject({
      applied: false,
      engine_result: "tesSUCCESS",
      meta: { TransactionResult: "tesSUCCESS", delivered_amount: "5000000" },
    });
    const after = await world.rpc("account_info", { account: ALICE.address, ledger_index: "current" });
    expect(after).toEqual(before);
  });

  it.each([
    ["tecNO_DST_INSUF_XRP", { Amount: "5" }],
    ["tecUNFUNDED_PAYMENT", { Amount: "999000000" }],
    ["tefBAD_AUTH", { SigningPubKey: BOB.publicKey }],
    ["tefPAST_SEQ", { Sequence: 1 }],
    ["terPRE_SEQ", { Sequence: 4_000_000 }],
    ["tefMAX_LEDGER", { LastLedgerSequence: 1 }],
    ["temREDUNDANT", { Destination: ALICE.address }],
    ["telINSUF_FEE_P", { Fee: "1" }],
  ])("says why it would not be carried out: %s", async (result, change) => {
    expect(await tried(change)).toMatchObject({ applied: false, engine_result: result });
  });

  it("is refused when somebody has signed it", async () => {
    expect(await tried({ TxnSignature: "AB".repeat(70) })).toMatchObject({ error: "invalidTransaction" });
  });
});
