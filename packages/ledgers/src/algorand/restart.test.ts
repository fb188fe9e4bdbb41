import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import algosdk from "algosdk";
import { expect, it } from "vitest";
import { startAlgorandWorld, testAccount } from "../testing/algorand-world.ts";

const [ALICE, BOB] = [testAccount(1), testAccount(2)];

it("a ledger that starts again has its blocks, its money, what waits, its fees and its faults", async () => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-ledger-"));
  try {
    const first = await startAlgorandWorld({ folder });
    await first.fund(ALICE, 1_000_000);
    const transaction = algosdk.makePaymentTxnWithSuggestedParamsFromObject({
      sender: ALICE.addr,
      receiver: BOB.addr,
      amount: 300_000,
      suggestedParams: await first.client.getTransactionParams().do(),
    });
    const signed = transaction.signTxn(ALICE.sk);
    await first.send(signed);
    await first.admin("set-fees", { minimum: 900 });
    await first.admin("refuse", { message: "not now", count: 1 });
    const before = await first.client.block(1).do();
    await first[Symbol.asyncDispose]();

    await using second = await startAlgorandWorld({ folder });
    expect(algosdk.msgpackRawEncode((await second.client.block(1).do()).toEncodingData())).toEqual(
      algosdk.msgpackRawEncode(before.toEncodingData()),
    );
    expect((await second.client.getTransactionParams().do()).minFee).toBe(900n);
    expect(await second.refusal(signed)).toBe("not now");
    expect(await second.refusal(signed)).toContain("already in ledger");
    await second.mine();
    expect(await second.balance(BOB)).toBe(300_000n);
    await expect(second.send(signed)).rejects.toThrow("already in ledger");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
