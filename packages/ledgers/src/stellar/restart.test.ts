import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lumens, type StellarWorld, startStellarWorld, stellarKey } from "../testing/stellar-world.ts";

const [ALICE, BOB] = [stellarKey(1), stellarKey(2)];

const ledgers = async ({ url }: StellarWorld): Promise<unknown> =>
  (await (await fetch(`${url}/ledgers`)).text()).replaceAll(url, "");

it("a ledger that starts again has its ledgers, its money, what waits, its fees, its faults and its time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-ledger-"));
  try {
    const first = await startStellarWorld({ folder });
    await first.fund(ALICE, 1_000_000_000);
    await first.fund(BOB, 10_000_000);
    const waiting = await first.signed(ALICE, [lumens(BOB, "3")], { fee: "900" });
    expect(await first.status(waiting)).toBe("PENDING");
    await first.admin("set-fees", { minimum: 900 });
    await first.admin("refuse", { message: "not now", count: 1 });
    await first.admin("shift-clock", { seconds: 60 });
    const before = await ledgers(first);
    await first[Symbol.asyncDispose]();

    await using second = await startStellarWorld({ folder });
    expect(await ledgers(second)).toEqual(before);
    expect((await second.horizon.feeStats()).last_ledger_base_fee).toBe("100");
    const { body } = await second.admin("hold");
    expect(body).toMatchObject({
      fees: { minimum: 900 },
      refusalsLeft: 1,
      waiting: [{ transaction: waiting.hash().toString("hex") }],
    });
    await expect(second.status(waiting)).rejects.toMatchObject({
      response: { data: { message: "not now" } },
    });
    expect(await second.status(waiting)).toBe("DUPLICATE");
    await second.mine();
    expect(await second.balance(BOB)).toBe("4.0000000");
    expect(await second.codes(waiting).catch(String)).toContain("it was accepted");
    const [latest] = (await second.horizon.ledgers().order("desc").limit(1).call()).records;
    expect(Date.parse(latest?.closed_at ?? "")).toBe(second.clock.now() + 60_000);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
