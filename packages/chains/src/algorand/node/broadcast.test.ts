import { describe, expect, it } from "vitest";
import { algodOutcome } from "./broadcast.ts";

describe("the answer of a node to a transaction that it is handed", () => {
  const OWN = "B".repeat(52);
  it.each([
    ["accepted", `TransactionPool.Remember: transaction already in ledger: ${OWN}`],
    ["outdated", `TransactionPool.Remember: transaction already in ledger: ${"C".repeat(52)}`],
    [
      "outdated",
      `TransactionPool.Remember: transaction ${OWN} using an overlapping lease (sender, lease): (X, Y)`,
    ],
    ["outdated", "TransactionPool.Remember: txn dead: round 1201 outside of 1000--1200"],
    ["refused", "TransactionPool.Remember: txn dead: round 999 outside of 1000--1200"],
    ["refused", "TransactionPool.Remember: txn dead: round 1000 outside of 1000--1200"],
    ["refused", "TransactionPool.checkPendingQueueSize: transaction pool have reached capacity"],
    ["refused", `TransactionPool.Remember: fee {1000} below threshold 2000 (1.1 per byte * 250 bytes)`],
    [
      "refused",
      `TransactionPool.Remember: transaction ${OWN}: overspend (account X, data {…}, tried to spend {5})`,
    ],
    ["refused", `TransactionPool.Remember: transaction ${OWN}: asset 5 missing from Y`],
    [
      "refused",
      `TransactionPool.Remember: transaction ${OWN}: receiver error: must optin, asset 5 missing from Y`,
    ],
    ["refused", `TransactionPool.Remember: transaction ${OWN}: asset frozen in recipient`],
    ["refused", `TransactionPool.Remember: transaction ${OWN}: asset 5 frozen in X`],
    [
      "refused",
      `TransactionPool.Remember: transaction ${OWN}: account X balance 5 below min 100000 (0 assets)`,
    ],
    [
      "refused",
      `TransactionPool.Remember: transaction ${OWN}: underflow on subtracting 5 from sender amount 4`,
    ],
    ["refused", "TransactionPool.ingest: no pending block evaluator"],
    ["unacceptable", "TransactionPool.Remember: tx.GenesisHash <X> does not match expected <Y>"],
    ["unacceptable", "At least one signature didn't pass verification"],
    ["unacceptable", `transaction ${OWN} invalid : transaction window size excessive (1--1002)`],
    ["unacceptable", `transaction {Sig:[1 2]} invalid : transaction note too big: 1025 > 1024`],
    ["unacceptable", `TransactionPool.Remember: transaction ${OWN}: malformed: asset ID cannot be zero`],
    [
      "unacceptable",
      `TransactionPool.Remember: transaction ${OWN}: should have been authorized by ${"D".repeat(58)} but was actually authorized by ${"E".repeat(58)}`,
    ],
    [
      "unacceptable",
      "TransactionPool.Remember: txgroup with 999uA fees is less than 1mA (usage=1.000000 * base=1mA)",
    ],
    [
      "unacceptable",
      `TransactionPool.Remember: transaction ${OWN}: asset 5 does not exist or has been deleted`,
    ],
    ["unacceptable", "transactionGroup: incomplete group: X != Y (Z)"],
    ["unacceptable", "msgpack decode error [pos 0]: no map"],
    ["refused", "something that nobody has heard of"],
  ])("reads a refusal as %s: %s", (kind, said) => {
    const outcome = algodOutcome(said, OWN);
    expect(outcome.kind).toBe(kind);
    if (outcome.kind === "refused" || outcome.kind === "unacceptable") {
      expect(outcome.reason).toContain(said);
    }
  });
});
