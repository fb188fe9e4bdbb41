import { expect, it } from "vitest";
import { standstill } from "./standstill.ts";

it("INV-5 a world that makes no progress says which transfers wait, and who may keep them waiting", () => {
  const { invariant, words } = standstill("the world has taken 5 steps", {
    waiting: [
      { id: "xfr-1", status: "Executing", reason: undefined },
      { id: "xfr-2", status: "Pending", reason: "too few signers" },
    ],
    processes: [
      { name: "orchestrator-1", state: "runs", last: { atUs: 1_500, words: "database select\n  1" } },
      { name: "signer-1", state: "dead", last: { atUs: 2_000_000, words: "x".repeat(300) } },
      { name: "signer-2", state: "paused", last: undefined },
      { name: "signer-3", state: "lost for good", last: undefined },
    ],
    cutWays: ["signer-1 → signer-2"],
    isDatabaseAway: true,
  });
  expect(invariant).toBe("progress");
  expect(words.split("\n    ")).toEqual([
    "the world has taken 5 steps",
    "xfr-1 is Executing",
    "xfr-2 is Pending: too few signers",
    "postgres is away",
    "cut: signer-1 → signer-2",
    "orchestrator-1 runs; its last: database select 1 at 1.500 ms",
    `signer-1 is dead; its last: ${"x".repeat(100)}… at 2000.000 ms`,
    "signer-2 is paused and did nothing",
    "signer-3 is lost for good and did nothing",
  ]);
});

it("INV-5 a world whose database does not answer says that", () => {
  const facts = { waiting: undefined, processes: [], cutWays: [], isDatabaseAway: false };
  expect(standstill("why", facts).words).toContain("a transaction stays open");
});
