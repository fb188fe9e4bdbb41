import { expect, test } from "vitest";
import { quarantineLines } from "./quarantine-lines.ts";

const evidence = "ab".repeat(32);

test("each quarantine is a line: who signs nothing with whom, why, and by which evidence", () => {
  const quarantined = [{ signer: 3, check: "presign/2 Πaff-g of D\u001b[2J", evidence }];
  expect(
    quarantineLines([
      { id: "signer-1", quarantined },
      { id: "signer-2", quarantined: [] },
    ]),
  ).toEqual([
    "",
    `signer-1 signs nothing with signer 3, which failed "presign/2 Πaff-g of D\u{FFFD}[2J" (evidence ${evidence})`,
    expect.stringContaining("conclave refresh"),
  ]);
});

test("nothing is said where no signer is in quarantine", () => {
  expect(quarantineLines([{ id: "signer-1", quarantined: [] }])).toEqual([]);
});
