import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LaunchError } from "@conclave/testbed/launch";
import { type Evidence, encode, evidenceCodec } from "@conclave/threshold";
import { testParty } from "@conclave/threshold/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { equivocation, testRoster } from "../../testing/equivocation.ts";
import { renewedRoster, rosterWithout } from "../../testing/renewed-roster.ts";
import { convicted } from "./convicted.ts";

let folder: string;
let roster: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-convicted-"));
  roster = join(folder, "roster.json");
  writeFileSync(roster, JSON.stringify(testRoster));
});
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (evidence: Evidence, clusterId = testRoster.clusterId): string => {
  const path = join(folder, "evidence.json");
  const proof = Buffer.from(encode(evidenceCodec, evidence)).toString("base64");
  writeFileSync(path, JSON.stringify({ kind: "conclave-evidence", version: 1, clusterId, evidence: proof }));
  return path;
};

describe("INV-7 a signer is put out as a cheat", () => {
  it("by evidence that convicts it: its hash is the reason", async () => {
    const evidence = createHash("sha256").update(encode(evidenceCodec, equivocation())).digest("hex");
    expect(await convicted(roster, "signer-3", fileOf(equivocation()))).toEqual({
      id: "signer-3",
      reason: { why: "cheated", evidence },
    });
  });

  it.each<[string, string, () => string, string, string]>([
    [
      "that convicts another",
      "signer-1",
      () => fileOf(equivocation()),
      "convicts signer-3, not signer-1",
      "EvidenceForeign",
    ],
    [
      "that proves nothing",
      "signer-1",
      () => fileOf({ ...equivocation(), accused: testParty(1) }),
      "proves nothing",
      "EvidenceNotProven",
    ],
    [
      "of another cluster",
      "signer-3",
      () => fileOf(equivocation(), "other"),
      "is of the cluster other",
      "EvidenceForeign",
    ],
    ["that is none", "signer-3", () => roster, "it is no evidence file", "EvidenceUnreadable"],
    ["that is not there", "signer-3", () => join(folder, "missing"), "ENOENT", "EvidenceUnreadable"],
  ])("never by evidence %s", async (_, id, file, message, code) => {
    const refused = convicted(roster, id, file());
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(LaunchError);
    await expect(refused).rejects.toMatchObject({ code, message: expect.not.stringContaining("\n") });
  });

  it("never by evidence against a former identity: a thief of its key can have made it", async () => {
    const renewed = join(folder, "renewed.json");
    writeFileSync(renewed, JSON.stringify(renewedRoster(3)));
    await expect(convicted(renewed, "signer-3", fileOf(equivocation()))).rejects.toMatchObject({
      code: "EvidenceForeign",
      message: expect.stringContaining("a thief of it"),
    });
  });

  it("only once: afterwards the roster names the evidence", async () => {
    const { reason } = await convicted(roster, "signer-3", fileOf(equivocation()));
    const without = join(folder, "without.json");
    writeFileSync(without, JSON.stringify(rosterWithout(3, reason)));
    const again = convicted(without, "signer-3", fileOf(equivocation()));
    await expect(again).rejects.toMatchObject({
      code: "EvidenceUsed",
      message: expect.stringContaining("signer-3 was put out for"),
    });
  });
});
