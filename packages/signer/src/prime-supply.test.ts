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
  const breaks: ((error: Error) => void)[] = [];
  const signals: AbortSignal[] = [];
  const found: { readonly session: SessionKey; readonly p: bigint }[] = [];
  const failures: unknown[] = [];
  const search = (signal: AbortSignal): Promise<Secret<AuxiliaryPrimes>> => {
    const p = BigInt(searches.length);
    signals.push(signal);
    return new Promise((resolve, reject) => {
      breaks.push(reject);
      searches.push(() => resolve(new Secret({ p, q: 0n, pHat: 0n, qHat: 0n })));
    });
  };
  const supply = new PrimeSupply(
    search,
    (to, primes) => found.push({ session: to, p: primes.reveal().p }),
    (error) => failures.push(error),
  );
  return { searches, breaks, signals, found, failures, supply };
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

  test("searches again for the next session when a search fails, and says so", async () => {
    const { searches, breaks, failures, supply } = setUp();
    const broken = new Error("no memory");
    supply.ask(session(1));
    breaks[0]?.(broken);
    await expect.poll(() => failures).toEqual([broken]);
    supply.ask(session(2));
    expect(searches).toHaveLength(2);
  });

  test("gives up its search when it is closed, and begins none", () => {
    const { searches, signals, supply } = setUp();
    supply.ask(session(1));
    supply.close();
    supply.ask(session(2));
    expect([signals.map(({ aborted }) => aborted), searches.length]).toEqual([[true], 1]);
  });
});
