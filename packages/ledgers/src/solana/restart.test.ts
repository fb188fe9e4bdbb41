import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getTransferSolInstruction } from "@solana-program/system";
import { expect, it } from "vitest";
import { BLOCKS_TO_FINALITY, startSolanaWorld, testSigner } from "../testing/solana-world.ts";

const SOL = 1_000_000_000n;

it("a ledger that starts again has its blocks, its money, its history, what waits, its fees and its faults", async () => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-ledger-"));
  const [alice, bob] = await Promise.all([testSigner(1), testSigner(2)]);
  const transfer = getTransferSolInstruction({ source: alice, destination: bob.address, amount: SOL });
  try {
    const first = await startSolanaWorld({ folder });
    await first.fund(alice.address, 10n * SOL);
    const landed = await first.land(alice, [transfer]);
    const waiting = await first.signed(alice, [transfer]);
    await first.send(waiting);
    await first.admin("set-fees", { computeUnitPrice: 7 });
    await first.admin("refuse", { message: "not now", count: 1 });
    const history = await first.rpc.getSignaturesForAddress(bob.address).send();
    const blockhash = await first.rpc.getLatestBlockhash().send();
    await first[Symbol.asyncDispose]();

    await using second = await startSolanaWorld({ folder });
    expect(await second.rpc.getSignaturesForAddress(bob.address).send()).toEqual(history);
    expect(history.map(({ signature }) => signature)).toEqual([landed]);
    expect(await second.rpc.getLatestBlockhash().send()).toEqual(blockhash);
    expect(await second.balance(bob.address)).toBe(SOL);
    expect(await second.refusal(waiting)).toContain("not now");
    expect(await second.send(waiting)).toBe(waiting.signature);
    await second.mine(1 + BLOCKS_TO_FINALITY);
    expect(await second.balance(bob.address)).toBe(SOL); // it offers less than 7 per compute unit
    await second.admin("set-fees", { computeUnitPrice: 0 });
    await second.mine(1 + BLOCKS_TO_FINALITY);
    expect(await second.balance(bob.address)).toBe(2n * SOL);
    await expect(second.send(waiting)).rejects.toThrow("simulation failed");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("a folder belongs to one ledger", async () => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-ledger-"));
  try {
    await (await startSolanaWorld({ folder }))[Symbol.asyncDispose]();
    await expect(startSolanaWorld({ folder, chain: "another" })).rejects.toThrow(
      "not Solana another of tests",
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
