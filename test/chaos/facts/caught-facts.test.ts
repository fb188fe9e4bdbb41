import { expect, it } from "vitest";
import { caughtIn } from "./caught-facts.ts";

const line = (check: string, msg = "a peer deviated from the protocol"): string =>
  JSON.stringify({
    level: "warn",
    time: "2026-11-25T23:00:00.000Z",
    name: "signer-2",
    culprit: 1,
    check,
    msg,
  });

it("the peers that a signer caught are read from its log, for checks that others can repeat", () => {
  const log = [
    "starting",
    line("presign/2 Πaff-g"),
    line("round 2: sealed message does not open"),
    line("presign/2 Πaff-g", "another message"),
    line("presign/3 Πlog").slice(0, 20),
  ].join("\n");
  expect(caughtIn(2, log)).toEqual([
    { by: 2, culprit: 1, check: "presign/2 Πaff-g", atMs: Date.parse("2026-11-25T23:00:00.000Z") },
  ]);
});
