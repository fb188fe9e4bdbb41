import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { got, openPlainWallet, payeeOf, sendTransaction } from "./plain-wallet.ts";
import type { OpenTriedChain, TriedChain } from "./tried-chain.ts";

/** The chain's own record of a payment, read without the family's node. */
export interface ChainRecord {
  /** smallest unit of the native coin: the fee charged */
  readonly fee: bigint;
  /** smallest unit of the native coin: the amount received */
  readonly amount: bigint;
  readonly height: bigint;
  /** ISO 8601 UTC: the time of the block */
  readonly date: string;
}

/** Reads a transaction's record through the chain's own interface. */
export type ReadChainRecord = (chain: TriedChain, txHash: string) => Promise<ChainRecord>;

/** Tests that a family's view of a payment matches the chain's record: its fee, amount, block and the block's date. */
export const describeChainRecord = (name: string, open: OpenTriedChain, read: ReadChainRecord): void => {
  describe(`${name}: what is shown is what was paid`, () => {
    let chain: TriedChain;
    beforeAll(async () => {
      chain = await open("ours");
    });
    afterAll(() => chain.close());

    it("in fee, amount, block and date, by the chain's record and by both balances, at both ends", async () => {
      const node = chain.connect(chain.entry);
      const wallet = await openPlainWallet(chain);
      const balances = async () => [
        got(await node.balance(wallet.address)),
        got(await node.balance(payeeOf(chain))),
      ];
      const [had = 0n, paid = 0n] = await balances();
      const made = await sendTransaction(chain, node, wallet);
      await chain.include();
      if (made.act.kind !== "transfer") expect.fail("a transfer was sent");
      const sighting = got(await node.sight(made.txHash, made.act.transfer));
      if (sighting.kind !== "included") expect.fail(`it is ${sighting.kind}`);
      const { fee, height, succeeded, arrived, date } = sighting;
      expect(await read(chain, made.txHash)).toEqual({ fee, height, amount: chain.amount, date });
      expect([succeeded, arrived]).toEqual([true, undefined]);
      expect(got(await node.block(height, new Set()))?.date).toBe(date);
      expect(await node.isCatchingUp?.()).toEqual(node.isCatchingUp && { ok: true, value: false });
      await chain.finalise();
      const brought = await node.arrivals?.(height, async () => new Set([payeeOf(chain)]));
      const amount = chain.amount.toString();
      expect(brought).toMatchObject({ ok: true, value: [{ txHash: made.txHash, moved: { amount }, date }] });
      const [has, isPaid] = await balances();
      expect([had - (has ?? 0n), (isPaid ?? 0n) - paid]).toEqual([chain.amount + fee, chain.amount]);
    });
  });
};
