import { describe, expect, it } from "vitest";
import { parsePlan } from "./parse.ts";
import { planText } from "./print.ts";

const SETTINGS = `
seed 7
signers 5
threshold 3
orchestrators 2
gateways 2
load 4 transfers a second for 1m on EthereumSepolia, Stellar
`;
/** One line of each form, as it is printed. */
const LINES = [
  "kill signer-1 from 3s to 6s",
  "kill signer-1, signer-2, orchestrator-1, nats, postgres at 3s",
  "stop gateway-2 from 1.5s to 3s",
  "pause nats from 250ms to 1m",
  "cut the power of signer-1, signer-2 from 2s to 5s",
  "lose signer-4, orchestrator-2 at 3s",
  "cut signer-1 → signer-3 from 2s to 5s",
  "cut signer-1 ↔ signer-3 from 2s to 5s",
  "delay orchestrator-1 ↔ postgres by 200ms from 2s to 5s",
  "break signer-1 → signer-3 5% from 2s to 5s",
  "slow signer-1 → signer-3 to 10 kB/s from 2s to 5s",
  "fill the disk of signer-2 from 2s to 5s",
  "fail the syncs of signer-2 from 2s to 5s",
  "disk of signer-2 loses the entry request/* at 3s",
  "disk of signer-2 loses the entry * when request 3 is broadcast",
  "disk of signer-2 loses the entry vault/2/root at 3s",
  "disk of signer-2 goes back by 2m at 8s",
  "move the clock of signer-2 by +30s at 4s",
  "move the clock of orchestrator-1 by -2s at 4s",
  "move the clock of postgres by -1h from 2s to 5s",
  "move the clock of gateway-2 by +100d at 4s",
  "signer-2 lies in presign/2.D from 2s to 5s",
  "nats forgets everything at 8s",
  "nats delivers twice from 2s to 5s",
  "nats goes back by 1m at 8s",
  "reorganise EthereumSepolia by 3 blocks at 5s",
  "reorganise EthereumSepolia by 1 block at 5s",
  "Stellar forgets its pool at 5s",
  "Stellar holds transactions from 2s to 5s",
  "Stellar refuses transactions from 2s to 5s",
  "another organisation overloads EthereumSepolia from 2s to 5s",
  "kill orchestrator-1 when request 3 is signed",
  "pause Stellar when request 3 is broadcast for 2s",
  "kill orchestrator-1 when it reaches transfer.signed for 1s",
  "kill signer-4 when it reaches presignature.spent 2 times for 1s",
];

const planOf = (text: string) => {
  const parsed = parsePlan(text);
  return parsed.ok ? parsed.plan : expect.fail(JSON.stringify(parsed.problems));
};
const problemsOf = (text: string) => {
  const parsed = parsePlan(text);
  return parsed.ok ? [] : parsed.problems;
};

it("reads how many wallets a load has, and prints it", () => {
  const text = SETTINGS.replace("1m on", "1m by 8 wallets on").trimStart();
  const parsed = parsePlan(text);
  if (!parsed.ok) expect.fail(JSON.stringify(parsed.problems));
  expect(parsed.plan.load.wallets).toBe(8);
  expect(planText(parsed.plan)).toBe(text);
});

describe("a plan", () => {
  it.each(LINES)("is printed as it was read: %s", (line) => {
    const plan = planOf(`${SETTINGS}${line}\n`);
    expect(plan.faults).toHaveLength(1);
    expect(planText(plan)).toBe(`${SETTINGS.trimStart()}${line}\n`);
    expect(planOf(planText(plan))).toEqual(plan);
  });

  it("may name the version of its language, and is refused with both versions if that is another one", () => {
    expect(planOf(`version 1\n${SETTINGS}`)).toEqual(planOf(SETTINGS));
    expect(problemsOf("seeds 7\nversion 2\nsigners many")).toEqual([
      {
        line: 2,
        message: "the plan is of version 2, and this program reads version 1",
        remedy: expect.stringContaining("docs/chaos.md"),
      },
    ]);
    expect(problemsOf("version 1\nversion 1").map(({ message }) => message)).toEqual([
      "the plan says its version a second time",
    ]);
  });

  it.each([
    ["lose signer-1, signer-2, signer-3 at 3s", "too few signers or orchestrators"],
    ["lose orchestrator-1, orchestrator-2 at 3s", "too few signers or orchestrators"],
    ["lose signer-1 from 3s to 5s", "a lost machine does not come back"],
    ["lose signer-1 at 1s\nlose signer-1 at 2s", "signer-1 is lost a second time"],
    ["disk of signer-2 loses the entry * at 1s\nlose signer-1, signer-3 at 3s", "too few signers"],
    ["lose signer-1, signer-3 at 3s\ndisk of signer-2 loses the entry * at 4s", "too few of the others"],
    ["lose signer-7 at 1s", "signer-7 is not in the cluster"],
    ["lose postgres at 1s", "only machines of signers and orchestrators can be lost"],
    ["cut the power of orchestrator-1 at 1s", "only machines of signers can lose their power"],
  ])("may not lose what it needs, and only what it has: %s", (line, words) => {
    const [problem] = problemsOf(`${SETTINGS}${line}`);
    expect(problem?.message).toContain(words);
  });

  it("may be written with ASCII arrows, comments, empty lines and spaces", () => {
    const plan = planOf(`${SETTINGS}
      # a link that is gone both ways
      cut   signer-1 <-> signer-3  from 2s to 5s   # for three seconds

      cut signer-1 -> signer-2 at 2s for 3s
    `);
    expect(plan.faults.map(({ fault }) => fault)).toMatchObject([
      { kind: "link", isBothWays: true, toxic: { kind: "cut" } },
      { kind: "link", isBothWays: false },
    ]);
    expect(plan.faults[1]).toMatchObject({ start: { kind: "time", ms: 2_000 }, lastsMs: 3_000 });
  });

  it("that says nothing is a quiet one of five signers", () => {
    expect(planOf("")).toMatchObject({ signers: 5, threshold: 3, faults: [] });
  });

  it.each([
    "kill signer-1",
    "kill at 3s",
    "kill signer-1 from 5s to 5s",
    "kill signer-1 from 5s to 2s",
    "kill signer-1 at 3 seconds",
    "kill signer-1 at 99999m",
    "kill signer-0 at 3s",
    "cut signer-1 at 3s",
    "break signer-1 → signer-2 101% at 3s",
    "move the clock of signer-1 by 3s at 3s",
    "kill orchestrator-1 when request 0 is signed",
    "kill orchestrator-1 when request 3 is lost",
    "kill signer-1 when it reaches presignature.spent 0 times",
    "fill the disk of gateway-1 at 3s",
    "signers 1",
    "signers 21",
    "gateways 0",
    "load 0 transfers a second for 60s",
    "load 1 transfer a second for 60s by 1 wallets",
    "load 1 transfer a second for 60s by 51 wallets on Solana",
    "load 2 transfers a second for ever",
    "load 1000 transfers a second for 60s",
    "constructor",
    "kill signer-1 at 3s for 0s",
    "kill signer-1 at 3s for 9999m",
    "kill signer-1 at 1000m for 1000m",
    "kill signer-1 when request 3 is signed for 9999m",
    "kill signer-1 when it reaches presignature.spent for 0ms",
    "kill signer-1 when request 99999999999999999999999 is signed",
    "kill signer-1 when it reaches presignature.spent 99999999999999999999999 times",
    "kill signer-1, signer-1 at 3s",
    "disk of signer-2 loses the entry at 3s",
    "disk of signer-2 loses the entry request/*/* at 3s",
    "disk of signer-2 loses the entry a request at 3s",
    "disk of gateway-1 loses the entry request/* at 3s",
    "disk of signer-2 loses the entry request/* when it reaches presignature.spent",
    "disk of signer-2 goes back at 3s",
    "disk of signer-2 goes back by 0s at 3s",
    "disk of nats goes back by 2m at 3s",
    "nats goes back at 3s",
    "nats goes back by 0s at 3s",
    "nats goes back by 9999m at 3s",
    "cut signer-1 → signer-1 at 3s",
    "slow signer-1 → signer-2 to 0 kB/s at 3s",
    "slow signer-1 → signer-2 to 99999999999999999999999 kB/s at 3s",
    "reorganise EthereumSepolia by 0 blocks at 3s",
    "kill signer\u20111 at 3s",
    "load 0.0000001 transfers a second for 30s",
    "load 0.01 transfers a second for 30s",
    "load 1 transfer a second for 30s on Stellar, Stellar",
    "load 1 transfer a second for 30s on Stellar,",
    "load 1 transfer a second for 30s on Föö",
  ])("says which line is not understood: %s", (line) => {
    expect(problemsOf(`${SETTINGS}${line}\n`)).toMatchObject([{ line: 8, remedy: expect.any(String) }]);
  });

  it.each([
    ["kill signer-6 at 3s", "signer-6"],
    ["pause Bitcoin at 3s", "Bitcoin"],
    ["disk of signer-6 goes back by 2m at 3s", "signer-6"],
    ["disk of signer-7 loses the entry request/* at 3s", "signer-7"],
    ["cut signer-1 → orchestrator-3 at 3s", "orchestrator-3"],
  ])("names what is not in its cluster: %s", (line, missing) => {
    const [problem] = problemsOf(`${SETTINGS}${line}\n`);
    expect(problem).toMatchObject({ line: 8, message: `${missing} is not in the cluster of this plan` });
    expect(problem?.remedy).toContain("signer-5");
  });

  it.each([
    ["nats", "move the clock of nats by +30s at 3s"],
    ["Stellar", "move the clock of Stellar by -1h from 3s to 5s"],
    ["EthereumSepolia", "move the clock of EthereumSepolia by +100d when request 3 is signed"],
  ])("moves no clock of %s, and says which clocks can be moved", (place, line) => {
    expect(problemsOf(`${SETTINGS}${line}\n`)).toEqual([
      {
        line: 8,
        message: `the clock of ${place} cannot be moved, only those of signers, orchestrators, gateways and postgres`,
        remedy: "Move one of those.",
      },
    ]);
  });

  it.each(["\r\n", "\n", "\r", "\u2028"])("is read with any line ending: %j", (end) => {
    const lines = ["# a comment", "signers 4  # here too", "", "kill signer-1 at 3s # and here"];
    expect(planOf(lines.join(end))).toMatchObject({ signers: 4, faults: [{ start: { ms: 3_000 } }] });
    expect(problemsOf([...lines, "kill signer-9 at 3s"].join(end))).toMatchObject([{ line: 5 }]);
  });

  it.each([
    "seed 8",
    "signers 4",
    "threshold 2",
    "orchestrators 1",
    "gateways 1",
    "load 1 transfer a second for 9s",
  ])("refuses a setting that is given twice: %s", (line) => {
    const [problem] = problemsOf(`${SETTINGS}${line}\n`);
    expect(problem).toMatchObject({
      line: 8,
      message: `the plan says its ${line.split(" ")[0]} a second time`,
    });
  });

  it("has no fault that begins when the load has ended", () => {
    expect(problemsOf(`${SETTINGS}kill signer-1 at 60s\n`)).toMatchObject([{ line: 8 }]);
    expect(problemsOf(`${SETTINGS}kill signer-1 from 59s to 70s\n`)).toEqual([]);
  });

  it("has no fault twice at one moment", () => {
    const twice = "kill signer-1 at 3s\nkill signer-1 at 3s\n";
    expect(problemsOf(`${SETTINGS}${twice}`)).toMatchObject([{ line: 9 }]);
  });

  it("has enough signers left when some stay away because their stores lost an entry, each of them once", () => {
    const losing = (...signers: readonly number[]): string =>
      signers.map((signer) => `disk of signer-${signer} loses the entry request/* at ${signer}s\n`).join("");
    expect(problemsOf(`${SETTINGS}${losing(2, 4)}`)).toEqual([]);
    const remedy = "Let at most 2 lose one.";
    expect(problemsOf(`${SETTINGS}${losing(2, 4, 5)}`)).toMatchObject([{ line: 10, remedy }]);
    const twice = `${losing(2)}disk of signer-2 loses the entry key/* at 20s\n`;
    expect(problemsOf(`${SETTINGS}${twice}`)).toMatchObject([
      { line: 9, message: expect.stringContaining("a second time") },
    ]);
    const all = `signers 3\nthreshold 3\n${losing(2)}`;
    expect(problemsOf(all)).toMatchObject([{ line: 3, remedy: expect.stringContaining("more signers") }]);
  });

  it("has no threshold above its signers, and waits at points only for kills", () => {
    expect(problemsOf("signers 3\nthreshold 4")).toHaveLength(1);
    expect(problemsOf("pause signer-1 when it reaches presignature.spent")).toHaveLength(1);
    expect(problemsOf("kill signer-1, signer-2 when it reaches presignature.spent")).toHaveLength(1);
  });
});
