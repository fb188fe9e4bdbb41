import { describe, expect, it } from "vitest";
import { Chance } from "./chance.ts";
import { drawPlan } from "./draw-plan.ts";
import type { InjectedFault, PlannedFault } from "./fault.ts";
import { parsePlan } from "./parse.ts";
import { placeName } from "./place.ts";
import { type ChaosPlan, QUIET_PLAN } from "./plan.ts";
import { planText } from "./print.ts";

const DRAWABLE = {
  points: [{ place: { kind: "orchestrator", number: 1 }, point: "transfer.signed" }],
  lies: ["presign/2.D"],
  entries: ["request/*", "key/*"],
  unruly: { EthereumSepolia: ["reorganise", "hold"] },
} as const;
const plan = (seed: number): ChaosPlan => ({
  ...QUIET_PLAN,
  seed,
  orchestrators: 2,
  gateways: 2,
  load: { ...QUIET_PLAN.load, lastsMs: 600_000 },
});

const losesEntry = (fault: InjectedFault): boolean => fault.kind === "store" && fault.change.kind === "loses";

/** Signers that a fault ends, for any length of time. */
const endedBy = ({ fault }: PlannedFault): readonly string[] => {
  if (fault.kind === "store" || fault.kind === "disk") return [`signer-${fault.signer}`];
  const places = "places" in fault ? fault.places : [];
  return places.filter(({ kind }) => kind === "signer").map(placeName);
};

describe("a plan that is drawn", () => {
  it.each([1, 2, 3, 4, 5])("can be written down and read again: seed %i", (seed) => {
    const drawn = drawPlan(plan(seed), DRAWABLE);
    expect(parsePlan(planText(drawn))).toEqual({ ok: true, plan: drawn });
    expect(drawn.faults.length).toBeGreaterThan(100);
  });

  it("is the same for the same seed, and another for another", () => {
    expect(drawPlan(plan(7), DRAWABLE)).toEqual(drawPlan(plan(7), DRAWABLE));
    expect(drawPlan(plan(8), DRAWABLE).faults).not.toEqual(drawPlan(plan(7), DRAWABLE).faults);
  });

  it("has every kind of fault in time, and no further fault for an ended process or a troubled node", () => {
    const { faults } = drawPlan(plan(7), DRAWABLE);
    const kinds = new Set(faults.map(({ fault }) => fault.kind));
    expect([...kinds].sort()).toEqual(
      ["bus", "chain", "clock", "disk", "kill", "lie", "link", "pause", "stop", "store"].sort(),
    );
    const until = new Map<string, number>();
    for (const { fault, start, lastsMs = 0 } of faults) {
      if (start.kind !== "time") continue;
      const places = "places" in fault ? fault.places.map(placeName) : [];
      const disk = fault.kind === "disk" || fault.kind === "store" ? [`signer-${fault.signer}`] : [];
      const node = fault.kind === "chain" ? [fault.network] : [];
      for (const name of [...places, ...disk, ...node]) {
        // the signer has some seconds to come back
        expect(start.ms).toBeGreaterThan(until.get(name) ?? -1);
        until.set(name, losesEntry(fault) ? 600_000 : start.ms + lastsMs + 5_000);
      }
    }
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "ends no more signers than it can do without, once a store was changed: seed %i",
    (seed) => {
      const { faults, signers, threshold } = drawPlan(plan(seed), DRAWABLE);
      const first = faults.findIndex(({ fault }) => fault.kind === "store");
      expect(first).toBeGreaterThanOrEqual(0);
      const changed = new Set<string>();
      for (const planned of faults.slice(first)) {
        const ended = endedBy(planned);
        if (ended.length > 0)
          expect(new Set([...changed, ...ended]).size).toBeLessThanOrEqual(signers - threshold);
        if (planned.fault.kind === "store") for (const name of ended) changed.add(name);
      }
    },
  );

  const moves = Array.from({ length: 40 }, (_, at) =>
    drawPlan(plan(at + 1), DRAWABLE).faults.flatMap(({ fault, start, lastsMs = 0 }) =>
      fault.kind === "clock" && start.kind === "time"
        ? [{ place: placeName(fault.place), byMs: fault.byMs, fromMs: start.ms, untilMs: start.ms + lastsMs }]
        : [],
    ),
  );

  it.each([
    ["an hour", 3_600_000],
    ["a day", 86_400_000],
    ["100 days", 8_640_000_000],
  ])("moves clocks of signers, of services and of the database by %s, ahead and back", (_, byMs) => {
    const moved = (ms: number) =>
      new Set(moves.flat().flatMap(({ place, byMs: by }) => (by === ms ? [place.replace(/-\d$/, "")] : [])));
    const all = new Set(["signer", "orchestrator", "gateway", "postgres"]);
    expect([moved(byMs), moved(-byMs)]).toEqual([all, all]);
  });

  it("moves the database's clock while no other clock is wrong, and nothing else is done to the database", () => {
    for (const [at, drawn] of moves.entries()) {
      const others = drawn.filter(({ place }) => place !== "postgres");
      const ended = drawPlan(plan(at + 1), DRAWABLE).faults.flatMap(({ fault, start, lastsMs = 0 }) =>
        "places" in fault && start.kind === "time" && fault.places.some(({ kind }) => kind === "database")
          ? [{ fromMs: start.ms, untilMs: start.ms + lastsMs }]
          : [],
      );
      for (const { place, fromMs, untilMs } of drawn) {
        if (place !== "postgres") continue;
        const beside = [...others, ...ended].filter(
          (other) => other.fromMs <= untilMs && fromMs <= other.untilMs,
        );
        expect(beside).toEqual([]);
      }
    }
  });

  it("troubles no chain that it does not have", () => {
    const { faults } = drawPlan(plan(9), { ...DRAWABLE, unruly: { Bitcoin: ["hold"] } });
    expect(faults.some(({ fault }) => fault.kind === "chain")).toBe(false);
  });

  it("draws no fault for which it has no point, lie, entry or network", () => {
    const { faults } = drawPlan(plan(9), { points: [], lies: [], entries: [], unruly: {} });
    expect(
      faults.some(
        ({ fault, start }) =>
          fault.kind === "lie" || fault.kind === "chain" || losesEntry(fault) || start.kind === "point",
      ),
    ).toBe(false);
  });
});

describe("chance of a seed", () => {
  it("is spread over all that it draws from", () => {
    const chance = new Chance(1);
    const counts = new Map<number, number>();
    for (let draws = 0; draws < 6_000; draws += 1) {
      const drawn = chance.between(1, 6);
      counts.set(drawn, (counts.get(drawn) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  it("draws nothing from nothing", () => {
    expect(() => new Chance(1).of([])).toThrow(RangeError);
  });
});
