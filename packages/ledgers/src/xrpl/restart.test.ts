import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ECDSA, type Payment } from "xrpl";
import { startXrplWorld, testWallet } from "../testing/xrpl-world.ts";

const [ALICE, BOB] = [testWallet(1), testWallet(2, ECDSA.ed25519)];

const payment = (Amount: string): Payment => ({
  TransactionType: "Payment",
  Account: ALICE.address,
  Destination: BOB.address,
  Amount,
  Memos: [{ Memo: { MemoData: "C0FFEE" } }],
});

const ledgerAndItsTransactions = { transactions: true, expand: true, api_version: 2 };

it("a ledger that starts again has its ledgers, its money, what waits, its fees, its faults and its gaps", async () => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-ledger-"));
  try {
    const first = await startXrplWorld({ folder });
    await first.fund(ALICE, 100_000_000);
    expect(await first.send(payment("3000000"), ALICE)).toBe("tesSUCCESS");
    await first.mine();
    const signed = await first.signed(payment("4000000"), ALICE);
    expect(await first.submit(signed.tx_blob)).toBe("tesSUCCESS");
    const later = await first.signed({ ...payment("5000000"), Sequence: 5 }, ALICE);
    expect(await first.submit(later.tx_blob)).toBe("terPRE_SEQ");
    await first.admin("set-fees", { reserveBase: 900_000 });
    await first.admin("refuse", { result: "telINSUF_FEE_P", count: 1 });
    await first.admin("forget", { from: 1, to: 1 });
    const before = await first.rpc("ledger", { ledger_index: 3, ...ledgerAndItsTransactions });
    const view = await (await fetch(first.adminUrl)).json();
    await first[Symbol.asyncDispose]();

    await using second = await startXrplWorld({ folder });
    expect(await (await fetch(second.adminUrl)).json()).toEqual(view);
    expect(await second.rpc("ledger", { ledger_index: 3, ...ledgerAndItsTransactions })).toEqual(before);
    expect(await second.balance(BOB)).toBe("3000000");
    expect(await second.submit(signed.tx_blob)).toBe("telINSUF_FEE_P");
    expect(await second.submit(signed.tx_blob)).toBe("tefALREADY");
    await second.mine();
    expect(await second.balance(BOB)).toBe("7000000");
    expect(await second.submit(signed.tx_blob)).toBe("tefPAST_SEQ");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("a folder is of one network", async () => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-ledger-"));
  try {
    await (await startXrplWorld({ folder }))[Symbol.asyncDispose]();
    await expect(startXrplWorld({ folder, chain: "20262" })).rejects.toThrow("holds the ledger XrpLedger");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
