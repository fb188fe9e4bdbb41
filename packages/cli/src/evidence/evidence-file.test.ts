import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EVIDENCE_BYTES_MAX, encode, evidenceCodec } from "@conclave/threshold";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { equivocation } from "../testing/equivocation.ts";
import { parseEvidence, readEvidence, writeEvidence } from "./evidence-file.ts";

const proof = encode(evidenceCodec, equivocation());
const base64 = Buffer.from(proof).toString("base64");
const good = { kind: "conclave-evidence", version: 1, clusterId: "evidence-test", evidence: base64 };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-evidence-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("an evidence file", () => {
  test("is read as it was written", async () => {
    const path = join(folder, "written.json");
    await writeEvidence(path, { clusterId: "evidence-test", proof });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(good);
    expect(await readEvidence(path)).toEqual({
      kind: "evidence",
      clusterId: "evidence-test",
      evidence: equivocation(),
      bytes: proof,
    });
  });

  test("is never written over another file", async () => {
    const path = join(folder, "precious");
    writeFileSync(path, "precious");
    await expect(writeEvidence(path, { clusterId: "evidence-test", proof })).rejects.toThrow(/EEXIST/);
    expect(readFileSync(path, "utf8")).toBe("precious");
  });

  test.each<[string, unknown, RegExp]>([
    ["nothing", "", /no evidence file/],
    ["text", "hello", /no evidence file/],
    ["another JSON", { hello: 1 }, /no evidence file/],
    ["another kind", { ...good, kind: "conclave-backup" }, /no evidence file/],
    ["a later version", { ...good, version: 2 }, /version 2, and this program reads version 1/],
    ["one more field", { ...good, note: "x" }, /no evidence file/],
    ["a cluster that is no name", { ...good, clusterId: "\u001b[2J" }, /no evidence file/],
    ["what is not base64", { ...good, evidence: "§" }, /no evidence file/],
    ["no evidence", { ...good, evidence: "" }, /no evidence file/],
    ["half of the evidence", { ...good, evidence: base64.slice(0, 200) }, /damaged/],
    [
      "evidence and more",
      { ...good, evidence: Buffer.concat([proof, Buffer.of(0)]).toString("base64") },
      /damaged/,
    ],
    [
      "evidence of the version before",
      { ...good, evidence: Buffer.concat([Buffer.of(0), proof]).toString("base64") },
      /damaged/,
    ],
    [
      "more than any evidence",
      { ...good, evidence: Buffer.alloc(EVIDENCE_BYTES_MAX + 1).toString("base64") },
      /at most/,
    ],
  ])("that holds %s is not read, and it is said what to do", (_, content, why) => {
    const read = parseEvidence(typeof content === "string" ? content : JSON.stringify(content));
    if (read.kind !== "unreadable") throw new Error("it was read");
    expect(read.why).toMatch(why);
    expect(read.remedy).not.toBe("");
  });

  test("that is far too long is not even loaded; a folder and a missing file are named as such", async () => {
    const path = join(folder, "long.json");
    writeFileSync(path, Buffer.alloc(2 * EVIDENCE_BYTES_MAX));
    expect(await readEvidence(path)).toMatchObject({
      kind: "unreadable",
      why: /bytes, and an evidence file has at most/,
    });
    expect(await readEvidence(folder)).toMatchObject({ kind: "unreadable", why: /no file|EISDIR/ });
    expect(await readEvidence(join(folder, "missing"))).toMatchObject({ kind: "unreadable", why: /ENOENT/ });
  });
});
