import { checkPrimeSync } from "node:crypto";
import { expect, test } from "vitest";
import { sourceSearch } from "../testing/source-search.ts";
import { searchAuxiliaryPrimes } from "./search.ts";

const ENDLESS_BITS = 8_192; // nobody finds safe primes of this length within a test

test("primes that another process finds come whole, with progress", async () => {
  const reported: number[] = [];
  const { signal } = new AbortController();
  const found = await searchAuxiliaryPrimes(
    { primeBits: 128 },
    { signal, progress: (done) => reported.push(done), entry: sourceSearch() },
  );
  const { p, q, pHat, qHat } = found.reveal();
  expect([p, q, pHat, qHat].map((prime) => checkPrimeSync(prime))).toEqual([true, true, true, true]);
  expect(reported).toEqual([1, 2, 3, 4]);
});

test("a search that is given up ends at once", async () => {
  const controller = new AbortController();
  const search = searchAuxiliaryPrimes(
    { primeBits: ENDLESS_BITS },
    { signal: controller.signal, entry: sourceSearch() },
  );
  controller.abort();
  await expect(search).rejects.toThrow("given up");
});

test("a search whose process dies fails", async () => {
  const { signal } = new AbortController();
  const entry = { url: new URL("./no-such-file.js", import.meta.url), execArgv: [] };
  await expect(searchAuxiliaryPrimes({ primeBits: 128 }, { signal, entry })).rejects.toThrow("died");
});
