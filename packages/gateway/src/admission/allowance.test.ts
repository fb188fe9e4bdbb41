import { Outage } from "@conclave/platform";
import { describe, expect, it } from "vitest";
import { Allowance, type AllowanceParts } from "./allowance.ts";

const WINDOW_MS = 60_000;

/** A shared counter under the test's control. */
const sharedPlace = () => {
  const taken = new Map<string, number>();
  const place = { nowMs: 0, asked: 0, isAway: false };
  const gateway = (): Allowance => {
    const take: AllowanceParts["take"] = async (subject, limit, wanted) => {
      place.asked += 1;
      if (place.isAway) throw new Outage("database", undefined);
      const before = taken.get(subject) ?? 0;
      const granted = Math.min(wanted, limit - before);
      taken.set(subject, before + granted);
      return { granted, endsInMs: WINDOW_MS - place.nowMs };
    };
    return new Allowance({ take, nowMs: () => place.nowMs, windowMs: WINDOW_MS, onAway: () => undefined });
  };
  return { place, gateway };
};
/** The number of these requests that pass. */
const passed = async (allowance: Allowance, requests: number, limit: number): Promise<number> => {
  const answers = await Promise.all(Array.from({ length: requests }, () => allowance.spend("or-1", limit)));
  return answers.filter((refusedForMs) => refusedForMs === undefined).length;
};

describe("an allowance", () => {
  it("is one for all gateways", async () => {
    const { gateway } = sharedPlace();
    const [one, other] = [gateway(), gateway()];
    expect((await passed(one, 150, 200)) + (await passed(other, 150, 200))).toBe(200);
  });

  it("is asked for in parts: a twentieth of the questions at the most", async () => {
    const { place, gateway } = sharedPlace();
    await passed(gateway(), 1_000, 1_000);
    expect(place.asked).toBe(20);
  });

  it("that is used up is not asked for again before its time", async () => {
    const { place, gateway } = sharedPlace();
    const one = gateway();
    await passed(one, 30, 20);
    const { asked } = place;
    place.nowMs = WINDOW_MS - 1_000;
    expect(await one.spend("or-1", 20)).toBe(1_000);
    expect(place.asked).toBe(asked);
  });

  it("is each gateway's own while the shared place is away: nobody is refused for that", async () => {
    const { place, gateway } = sharedPlace();
    place.isAway = true;
    expect(await passed(gateway(), 30, 20)).toBe(20);
    expect(await passed(gateway(), 30, 20)).toBe(20);
  });
});
