import { describe, expect, it } from "vitest";
import { unfinishedReport, type WorldReport } from "../workers/world-order.ts";
import { NO_WORLDS, withWorld } from "./campaign-sum.ts";
import { campaignTable } from "./campaign-table.ts";

const outcome = { text: "kill signer-1 at 1s", kind: "kill", healedMs: undefined } as const;

const CLEAN: WorldReport = {
  ...unfinishedReport("", "", 812),
  findings: [],
  transfers: 16,
  steps: 5_000,
  lastedMs: 9_000,
  digest: "ab",
  reached: { "orchestrator spends a presignature of the pool": 2 },
  outcomes: [
    { ...outcome, beganMs: 1_000, trouble: undefined },
    { ...outcome, beganMs: undefined, trouble: undefined },
    { ...outcome, kind: "disk", beganMs: undefined, trouble: "not in a world" },
  ],
};
const DIRTY: WorldReport = {
  ...CLEAN,
  peakMb: 790,
  findings: [
    { invariant: "INV-4", words: "one" },
    { invariant: "INV-4", words: "another" },
    { invariant: "INV-6", words: "a third" },
  ],
};

describe("the table of a campaign", () => {
  it("has the sums and their rates, the faults by kind, the worlds by outcome, and the memory", () => {
    const sum = [CLEAN, DIRTY, CLEAN].reduce(withWorld, NO_WORLDS);
    const text = campaignTable(sum, { realMs: 30_000, cores: 2 });
    const [tables = "", sometimes = ""] = text.split("\n\n| sometimes");
    expect(sometimes).toMatch(
      /^ +\| times \|\n.*\n(\| [ab].* \|\n)+\n2 worlds at a time; the process of one had 812 MB at most$/,
    );
    expect(sometimes).toMatch(/a presignature of the pool is spent +\| +6 \|/);
    expect(tables).toBe(`|                 | in all | a minute | a minute and core |
|-----------------|-------:|---------:|------------------:|
| worlds          |      3 |      6.0 |               3.0 |
| transfers       |     48 |     96.0 |              48.0 |
| steps           |  15000 |    30000 |             15000 |
| virtual minutes |    0.5 |      0.9 |               0.5 |

| faults | carried out | refused | never begun |
|--------|------------:|--------:|------------:|
| disk   |           0 |       3 |           0 |
| kill   |           3 |       0 |           3 |

| outcome    | worlds |
|------------|-------:|
| no finding |      2 |
| INV-4      |      1 |
| INV-6      |      1 |`);
  });

  it("is the same whatever the order in which worlds end", () => {
    const text = (reports: readonly WorldReport[]): string =>
      campaignTable(reports.reduce(withWorld, NO_WORLDS), { realMs: 30_000, cores: 1 });
    expect(text([DIRTY, CLEAN])).toBe(text([CLEAN, DIRTY]));
  });
});
