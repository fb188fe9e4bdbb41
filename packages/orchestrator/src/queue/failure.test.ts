import { expect, it } from "vitest";
import { afterFailure, PARKED_AFTER_FAILURES } from "./failure.ts";

it("looks at a request that fails more and more seldom, and then no more", () => {
  const all = Array.from({ length: PARKED_AFTER_FAILURES }, (_, index) => afterFailure(index + 1));
  const pauses = all.flatMap((after) => (after.kind === "retry" ? [after.afterMs] : []));
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000));
  expect(all.at(-1)).toEqual({ kind: "park" });
});
