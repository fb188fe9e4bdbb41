import { expect, it } from "vitest";
import { DEFAULT_BITCOIND_FEES } from "../fees.ts";
import { withIdentity } from "../transaction/identity.ts";
import type { BitcoindOutpoint, BitcoindSerialisedTransaction } from "../transaction/transaction.ts";
import { trimmedMempool } from "./eviction.ts";
import { type BitcoindMempool, EMPTY_MEMPOOL, withEntry } from "./mempool.ts";
import { checkReplacement, conflictsOf } from "./replacement.ts";

const NO_SCRIPT = new Uint8Array();

const spending = (...outpoints: readonly BitcoindOutpoint[]): BitcoindSerialisedTransaction =>
  withIdentity({
    version: 2,
    inputs: outpoints.map((outpoint) => ({ ...outpoint, script: NO_SCRIPT, sequence: 0, witness: [] })),
    outputs: [{ amount: 1_000n, script: NO_SCRIPT }],
    lockTime: 0,
  });

const numbered = (number: number): BitcoindOutpoint => ({
  txid: number.toString(16).padStart(64, "0"),
  index: 0,
});

const add = (mempool: BitcoindMempool, transaction: BitcoindSerialisedTransaction, fee: bigint) =>
  withEntry(mempool, { transaction, fee, time: 0, height: 0, notBefore: 0 });

/** A mempool with this many transactions, of which the first pays 1 satoshi, the next 2, and so on. */
const mempoolOf = (count: number): BitcoindMempool =>
  Array.from({ length: count }, (_, at) => at).reduce(
    (mempool, at) => add(mempool, spending(numbered(at)), BigInt(at + 1)),
    EMPTY_MEMPOOL,
  );

it.each([
  [100, true],
  [101, false],
])("a transaction that would replace %i: is it taken? %s", (count, isTaken) => {
  const mempool = mempoolOf(count);
  const transaction = spending(...Array.from({ length: count }, (_, at) => numbered(at)));
  const conflicts = conflictsOf(mempool, transaction);
  const ruling = checkReplacement(mempool, transaction, 100_000_000n, conflicts, 1_000n);
  if (isTaken) expect(ruling).toEqual({ ok: true, value: conflicts });
  else {
    expect(ruling).toEqual({
      ok: false,
      message: `too many potential replacements, rejecting replacement ${transaction.txid}; too many potential replacements (101 > 100)`,
    });
  }
});

it("beyond the limit the cheapest transaction is evicted, and new ones must pay more than it did", () => {
  const cheapest = spending(numbered(0));
  const mempool = mempoolOf(10);
  expect(trimmedMempool(mempool, DEFAULT_BITCOIND_FEES, 10)).toBe(mempool);
  const trimmed = trimmedMempool(mempool, DEFAULT_BITCOIND_FEES, 9);
  expect([trimmed.entries.size, trimmed.entries.has(cheapest.txid), trimmed.spenders.size]).toEqual([
    9,
    false,
    9,
  ]);
  expect(trimmed.floor).toBe(1_000n / BigInt(cheapest.virtualSize) + 1_000n);
});

it("a cheap transaction stays if its child pays for both, and is evicted with its child if not", () => {
  const parent = spending(numbered(0));
  const child = spending({ txid: parent.txid, index: 0 });
  const others = (mempool: BitcoindMempool) => add(mempool, spending(numbered(1)), 50n);
  const rich = others(add(add(EMPTY_MEMPOOL, parent, 1n), child, 1_000n));
  expect([...trimmedMempool(rich, DEFAULT_BITCOIND_FEES, 2).entries.keys()]).toEqual([
    parent.txid,
    child.txid,
  ]);
  const poor = others(add(add(EMPTY_MEMPOOL, parent, 1n), child, 2n));
  expect([...trimmedMempool(poor, DEFAULT_BITCOIND_FEES, 2).entries.keys()]).not.toContain(child.txid);
});
