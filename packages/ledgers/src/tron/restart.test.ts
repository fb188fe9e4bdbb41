import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TRC20_TEST_TOKEN } from "../testing/tron-contracts.ts";
import { startTronWorld, type TronWorld, tronTestAddress, tronTestKey } from "../testing/tron-world.ts";

const [ALICE, BOB] = [tronTestKey(1), tronTestKey(2)];
const TRX = 1_000_000;

const moved = async ({ client }: TronWorld, token: string, amount: number) => {
  const { transaction } = await client.transactionBuilder.triggerSmartContract(
    token,
    "transfer(address,uint256)",
    { feeLimit: 100 * TRX },
    [
      { type: "address", value: tronTestAddress(BOB) },
      { type: "uint256", value: amount },
    ],
    tronTestAddress(ALICE),
  );
  return transaction;
};

const tokensOf = async ({ client }: TronWorld, token: string): Promise<unknown> =>
  (await client.contract().at(token))["balanceOf"]?.(tronTestAddress(BOB)).call();

it("a ledger that starts again has its blocks, its contracts and what they keep, what waits, its fees and its faults", async () => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-ledger-"));
  try {
    const first = await startTronWorld({ folder });
    await first.fund(ALICE, 10_000 * TRX);
    const token = await first.deploy(TRC20_TEST_TOKEN, ALICE, 1_000_000);
    const landed = await first.send(await moved(first, token, 70), ALICE);
    await first.mine();
    await first.admin("set-fees", { energy: 210 });
    const waits = await moved(first, token, 5);
    await first.send(waits, ALICE);
    await first.admin("refuse", { message: "not now", count: 1 });
    const before = await first.ask("wallet/getblockbynum", { num: 3 });
    const info = await first.info(landed);
    await first[Symbol.asyncDispose]();

    await using second = await startTronWorld({ folder });
    expect(await second.ask("wallet/getblockbynum", { num: 3 })).toEqual(before);
    expect(await second.info(landed)).toEqual(info);
    expect(await tokensOf(second, token)).toBe(70n);
    expect(await second.refusal(waits, ALICE)).toBe("SERVER_BUSY: not now");
    expect(await second.refusal(waits, ALICE)).toContain("DUP_TRANSACTION_ERROR");
    await second.mine();
    expect(await tokensOf(second, token)).toBe(75n);
    expect(await second.client.trx.getChainParameters()).toContainEqual({ key: "getEnergyFee", value: 210 });
    await second[Symbol.asyncDispose]();

    await using third = await startTronWorld({ folder });
    expect(await tokensOf(third, token)).toBe(75n);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
