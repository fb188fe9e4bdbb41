import { expect, it } from "vitest";
import { oldCopiesIn } from "./old-copy-facts.ts";

const line = (msg: string): string =>
  JSON.stringify({
    level: "error",
    shownBy: 1,
    held: 3,
    signed: { clusterId: "c", signer: 2, count: 5 },
    msg,
  });
const OLD = "the store of signer-2 is an old copy: it spent 5 presignatures, as it signed itself";

it("a signer has heard that its store is an old copy when its log says so", () => {
  const log = ["starting", line(OLD), line("ready"), line(OLD).slice(0, 60)].join("\n");
  expect(oldCopiesIn(2, log)).toEqual([{ by: 2, held: 3, signed: 5 }]);
});
