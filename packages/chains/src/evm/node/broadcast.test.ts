import { describe, expect, it } from "vitest";
import { outcomeOf } from "./broadcast.ts";

describe("what a node says of a raw transaction", () => {
  it.each([
    ["geth, erigon, reth", "already known"],
    ["anvil, parity", "transaction already imported"],
    ["nethermind", "AlreadyKnown"],
    ["besu", "Known transaction"],
  ])("is a success when %s has it already", (_node, said) => {
    expect(outcomeOf(said)).toEqual({ kind: "accepted" });
  });

  it.each([
    ["geth", "nonce too low: next nonce 5, tx nonce 3"],
    ["hosted services", "nonce is too low"],
    ["nethermind", "OldNonce, Current nonce: 5, nonce of rejected tx: 3"],
    ["besu", "Nonce below current"],
  ])("is a spent nonce in the words of %s", (_node, said) => {
    expect(outcomeOf(said)).toMatchObject({ kind: "outdated" });
  });

  it("is passed on when it is anything else", () => {
    expect(outcomeOf("max fee per gas less than block base fee")).toEqual({
      kind: "refused",
      reason: "the chain node does not take the transaction: max fee per gas less than block base fee",
    });
  });
});
