import { describe, expect, it } from "vitest";
import { type BlameFacts, blamedSigners } from "./inv-7.ts";

const blamed = (change: Partial<BlameFacts>): readonly string[] =>
  blamedSigners({ faults: [], quarantines: [], reached: {}, ...change }).map(({ invariant }) => invariant);

describe("blame in a run without a signer that deviates", () => {
  it("is not in what else processes log and answer", () => {
    const reached = { "orchestrator logs session-lost": 1, "orchestrator is refused: SessionReused": 2 };
    expect(blamed({ reached })).toEqual([]);
  });

  it("INV-7 is found in the database", () => {
    expect(blamed({ faults: [{ culprit: 1, reporter: 2, checkName: "presign/2" }] })).toEqual(["INV-7"]);
  });

  it("INV-7 is found in the store of a signer", () => {
    expect(blamed({ quarantines: [{ signer: "signer-1", entry: "record/quarantine/2" }] })).toEqual([
      "INV-7",
    ]);
  });

  it.each([
    "signer logs peer-deviated",
    "signer logs peer-quarantined",
    "orchestrator logs signer-deviated",
    "orchestrator logs fault-not-stored",
    "orchestrator is answered: fault",
    "hostile is refused: PeerFault",
  ])("INV-7 is found where it is said: %s", (name) => {
    expect(blamed({ reached: { [name]: 1 } })).toEqual(["INV-7"]);
  });
});
