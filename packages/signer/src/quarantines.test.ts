import { testParty } from "@conclave/threshold/testing";
import { expect, test, vi } from "vitest";
import { warnOfQuarantines } from "./quarantines.ts";

test("a start says with whom nothing is signed, and by the digest of which evidence that is lifted", () => {
  const warn = vi.fn();
  const evidence = "ab".repeat(32);
  const check = "presign/2 Πaff-g of D";
  warnOfQuarantines([{ signer: testParty(3), check, evidence, auxiliaryEpoch: 4, provenAtMs: 0 }], { warn });
  expect(warn.mock.calls).toEqual([
    [
      {
        event: "peer-quarantined",
        signer: 3,
        check,
        evidence,
        auxiliaryEpoch: 4,
        proven: "1970-01-01T00:00:00.000Z",
      },
      expect.stringContaining("CONCLAVE_LIFT_QUARANTINE"),
    ],
  ]);
});

test("a start says nothing where nobody was proved to cheat", () => {
  const warn = vi.fn();
  warnOfQuarantines([], { warn });
  expect(warn).not.toHaveBeenCalled();
});
