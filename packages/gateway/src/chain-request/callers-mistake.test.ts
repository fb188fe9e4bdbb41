import { problem } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { callersMistake } from "./callers-mistake.ts";

const MISMATCH = "The transaction does not do what was authorised: chainId differs.";

describe("the refusal of a caller's own bytes", () => {
  it("INV-9 says what they hold and what they must: to the caller nothing was authorised", () => {
    const details = { field: "chainId", is: "1", authorised: "11155111" };
    expect(callersMistake(problem("TransactionMismatch", details, MISMATCH))).toBe(
      "The transaction cannot be signed here: chainId is 1, and must be 11155111.",
    );
  });

  it.each([
    [{ field: "signature", is: "present" }],
    [{ field: "data", is: "ab".repeat(200), authorised: "" }],
    [{ field: "to", is: "none", authorised: "undefined" }],
  ])("stays in the reader's words where the two cannot be shown: %j", (details) => {
    const words = "The transaction is signed already.";
    expect(callersMistake(problem("TransactionMismatch", details, words))).toBe(words);
  });
});
