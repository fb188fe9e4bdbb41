import type { Result } from "@conclave/custody";
import { Secret } from "@conclave/threshold";
import fc from "fast-check";
import { MemoryLevel } from "memory-level";
import { expect, test } from "vitest";
import { memoryGroupKeys } from "../group-keys.ts";
import { Vault } from "../vault.ts";
import { AlteredStore } from "./altered-store.ts";

const keyFile = new Secret("5a".repeat(32));
const RECORDS = ["request/1", "request/2", "session/1", "spent/1", "spending/1", "waiver/1"] as const;

type Entries = ReadonlyMap<string, Uint8Array>;

const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return result.value;
};
const memory = () => new MemoryLevel<string, Uint8Array>({ keyEncoding: "utf8", valueEncoding: "view" });

/** The states of a store after each of several writes. */
const history = async (): Promise<readonly Entries[]> => {
  const level = memory();
  const vault = must(await Vault.open(level, keyFile, memoryGroupKeys()));
  const moments: Entries[] = [];
  for (let round = 0; round < 3; round++) {
    for (const [at, record] of RECORDS.entries()) {
      if (round === 1 && at % 2 === 0) await vault.erase(record);
      else await vault.put(record, new Secret(Uint8Array.of(round, at)));
      moments.push(new Map(await level.iterator().all()));
    }
  }
  return moments;
};

/** Opens a store, reads its records, and compares the rest. @returns the code of the first refusal; "ok" if there is none */
const used = async (entries: Entries): Promise<string> => {
  const level = memory();
  await level.batch([...entries].map(([key, value]) => ({ type: "put", key, value })));
  const vault = await Vault.open(level, keyFile, memoryGroupKeys());
  if (!vault.ok) return vault.problem.code;
  for (const record of RECORDS) {
    const got = await vault.value.get(record);
    if (!got.ok) return got.problem.code;
  }
  const listed = await vault.value.list();
  if (!listed.ok) return listed.problem.code;
  // finds an altered entry that nobody has read so far
  try {
    for await (const _ of vault.value.check());
    return "ok";
  } catch (error) {
    return error instanceof AlteredStore ? "StoreAltered" : String(error);
  }
};

const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one === undefined || other === undefined ? one === other : Buffer.from(one).equals(other);

test("INV-4 whichever entry of a store is as at another moment, in another's place, or altered in a bit: it is noticed before it is used, or by the check", async () => {
  const moments = await history();
  const names = [...new Set(moments.flatMap((entries) => [...entries.keys()]))].sort();
  const now = moments.at(-1) ?? expect.fail("there were writes");
  expect(await used(now)).toBe("ok");
  const tampering = fc.record({
    entry: fc.constantFrom(...names),
    from: fc.constantFrom(...names),
    moment: fc.nat(moments.length - 1),
    bit: fc.option(fc.nat(10_000), { nil: undefined }),
    isMoved: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(tampering, async ({ entry, from, moment, bit, isMoved }) => {
      const old = moments[moment]?.get(isMoved ? from : entry);
      const put =
        bit === undefined || old === undefined || old.length === 0
          ? old
          : old.map((byte, at) => (at === (bit >> 3) % old.length ? byte ^ (1 << (bit & 7)) : byte));
      fc.pre(!isSame(now.get(entry), put));
      const tampered = new Map(now);
      if (put === undefined) tampered.delete(entry);
      else tampered.set(entry, put);
      expect(["StoreAltered", "StoreDamaged", "PassphraseWrong"]).toContain(await used(tampered));
    }),
    { numRuns: 300 },
  );
});
