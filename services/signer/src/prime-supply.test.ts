import { type SessionKey, sessionKey } from "@conclave/cluster";
import { type AuxiliaryPrimes, Secret } from "@conclave/threshold";
import { describe, expect, test } from "vitest";
import { PrimeSupply } from "./prime-supply.ts";

const session = (fill: number): SessionKey => {
  const key = sessionKey(new Uint8Array(32).fill(fill));
  if (key === undefined) throw new Error("no session key");
  return key;
};

const setUp = () => {
  const searches: (() => void)[] = [];
  const found: { readonly session: SessionKey; readonly p: bigint }[] = [];
  const failures: unknown[] = [];
  const search = (): Promise<Secret<AuxiliaryPrimes>> => {
    const p = BigInt(searches.length);
    return new Promise((resolve) => {
      searches.push(() => resolve(new Secret({ p, q: 0n, pHat: 0n, qHat: 0n })));
    });
  };
  const supply = new PrimeSupply(
    search,
    (to, primes) => found.push({ session: to, p: primes.reveal().p }),
    (error) => failures.push(error),
  );
  return { searches, found, supply };
};

describe("the prime supply", () => {
  test("gives each session primes of its own", async () => {
    const { searches, found, supply } = setUp();
    supply.ask(session(1));
    supply.ask(session(2));
    searches[0]?.();
    await expect.poll(() => searches.length).toBe(2);
    searches[1]?.();
    await expect
      .poll(() => found)
      .toEqual([
        { session: session(1), p: 0n },
        { session: session(2), p: 1n },
      ]);
  });

  test("searches for one session at a time", () => {
    const { searches, supply } = setUp();
    supply.ask(session(1));
    supply.ask(session(2));
    expect(searches).toHaveLength(1);
  });

  test("keeps primes that came too late for the session that asks next", async () => {
    const { searches, found, supply } = setUp();
    supply.ask(session(1));
    supply.forget(session(1));
    searches[0]?.();
    supply.ask(session(2));
    await expect.poll(() => found).toEqual([{ session: session(2), p: 0n }]);
    expect(searches).toHaveLength(1);
  });
});
