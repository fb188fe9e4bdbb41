import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RosterChange } from "@conclave/platform/config";
import { type Evidence, encode, evidenceCodec, PARTIES_MAX } from "@conclave/threshold";
import { insecureLargeEvidence, insecurePeerKeys, testParties, testParty } from "@conclave/threshold/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeProgram } from "../program.ts";
import { equivocation, SIGNED_TWICE, testRoster } from "../testing/equivocation.ts";
import { RENEWED, renewedRoster, rosterWithout } from "../testing/renewed-roster.ts";
import { checkEvidence } from "./verify-evidence.ts";

let folder: string;
let rosterFile: string;
let renewedFile: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-evidence-"));
  rosterFile = join(folder, "roster.json");
  renewedFile = join(folder, "renewed.json");
  writeFileSync(rosterFile, JSON.stringify(testRoster));
});
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (proof: Uint8Array, clusterId = testRoster.clusterId): string => {
  const path = join(folder, "evidence.json");
  const evidence = Buffer.from(proof).toString("base64");
  writeFileSync(path, JSON.stringify({ kind: "conclave-evidence", version: 1, clusterId, evidence }));
  return path;
};

const REMOVED = `signer-3 is not in the cluster since ${RENEWED}; who has its identity can make this`;

const digestOf = (evidence: Evidence): string =>
  createHash("sha256").update(encode(evidenceCodec, evidence)).digest("hex");

const check = (evidence: Evidence) => checkEvidence(fileOf(encode(evidenceCodec, evidence)), rosterFile);

const run = async (...words: readonly string[]): Promise<number | undefined> => {
  let code: number | undefined;
  const program = makeProgram((given) => {
    code = given;
  });
  await program.parseAsync(["node", "conclave", "verify-evidence", ...words]);
  return code;
};

describe("INV-7 conclave verify-evidence, with the roster and nothing else,", () => {
  test("says who did what, in which session, and that it is proven", async () => {
    const { kind, text } = await check(equivocation());
    expect(kind).toBe("proven");
    expect(text).toContain("proven: signer-3 deviated from the protocol");
    for (const word of [SIGNED_TWICE, "05".repeat(32), "presigning", "key-aaaaa", "signer-1, signer-3"]) {
      expect(text).toContain(word);
    }
  });

  test("says that nothing is proven, and why, when another signer is accused of it", async () => {
    const { kind, text } = await check({ ...equivocation(), accused: testParty(1) });
    expect(kind).toBe("unproven");
    expect(text).toMatch(/^not proven \(EvidenceNotProven\): .+/);
    expect(text).toContain("no reason to blame signer-1");
  });

  test("proves nothing from a file in which one byte of the evidence was changed, whichever it is", async () => {
    const proof = encode(evidenceCodec, equivocation());
    const proven: number[] = [];
    for (const at of proof.keys()) {
      const changed = proof.with(at, (proof[at] ?? 0) ^ 1);
      if ((await checkEvidence(fileOf(changed), rosterFile)).kind === "proven") proven.push(at);
    }
    expect(proven).toEqual([]);
  });

  test.each([
    ["the accused", 3, `signer-3 has another identity since ${RENEWED}; who has the old one can make this`],
    ["another party of the session", 1, `the identity of signer-1 was renewed, ${RENEWED}`],
  ])("proves the same after the identity of %s was renewed, and says so", async (_, signer, words) => {
    writeFileSync(renewedFile, JSON.stringify(renewedRoster(signer)));
    const proof = fileOf(encode(evidenceCodec, equivocation()));
    const { kind, text } = await checkEvidence(proof, renewedFile);
    expect(kind).toBe("proven");
    expect(text).toContain("proven: signer-3 deviated from the protocol");
    expect(text).toContain(words);
  });

  test.each<[string, () => RosterChange["removed"][number]["reason"], string]>([
    ["lost", () => ({ why: "lost" }), REMOVED],
    [
      "put out for other evidence",
      () => ({ why: "cheated", evidence: digestOf({ ...equivocation(), accused: testParty(1) }) }),
      REMOVED,
    ],
    [
      "put out for it",
      () => ({ why: "cheated", evidence: digestOf(equivocation()) }),
      `signer-3 is not in the cluster since ${RENEWED}: it was put out for this evidence`,
    ],
  ])("proves the same after the accused was %s, and says so", async (_, reason, words) => {
    writeFileSync(renewedFile, JSON.stringify(rosterWithout(3, reason())));
    const { kind, text } = await checkEvidence(fileOf(encode(evidenceCodec, equivocation())), renewedFile);
    expect(kind).toBe("proven");
    expect(text).toContain("proven: signer-3 deviated from the protocol");
    expect(text).toContain(words);
    expect(text.includes("can make this")).toBe(words === REMOVED);
  });

  test("proves nothing where the session was to end long after the identity had been renewed", async () => {
    writeFileSync(renewedFile, JSON.stringify(renewedRoster(3, "2025-12-30T00:00:00.000Z")));
    const proof = fileOf(encode(evidenceCodec, equivocation()));
    expect(await checkEvidence(proof, renewedFile)).toMatchObject({
      kind: "unproven",
      text: expect.stringContaining("long after an identity of it had been renewed"),
    });
  });

  test("proves nothing by an identity that the authority did not put into the roster", async () => {
    const { renewals = [], ...roster } = renewedRoster(3);
    const proof = fileOf(encode(evidenceCodec, equivocation()));
    writeFileSync(renewedFile, JSON.stringify(roster));
    expect(await checkEvidence(proof, renewedFile)).toMatchObject({ kind: "unproven" });
    const unsigned = renewals.map((each) => ({ ...each, date: "2026-02-03T04:05:06.788Z" }));
    writeFileSync(renewedFile, JSON.stringify({ ...roster, renewals: unsigned }));
    expect(await checkEvidence(proof, renewedFile)).toMatchObject({
      kind: "unreadable",
      text: expect.stringContaining("the authority did not sign"),
    });
  });

  test("proves nothing with a roster that has another key for the accused", async () => {
    const [one, two, three] = testRoster.signers;
    if (one === undefined || two === undefined || three === undefined) throw new Error("three signers");
    const signers = [
      one,
      { ...two, identityKey: three.identityKey },
      { ...three, identityKey: two.identityKey },
    ];
    const other = join(folder, "other-roster.json");
    writeFileSync(other, JSON.stringify({ ...testRoster, signers }));
    expect((await checkEvidence(fileOf(encode(evidenceCodec, equivocation())), other)).kind).toBe("unproven");
  });

  test.each([7, PARTIES_MAX])("proves what a cheat of a cluster of %i signers signed", async (total) => {
    const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
    const signers = testParties(total).map((index) => {
      const { identity, encryption } = insecurePeerKeys(index);
      const keys = { identityKey: hex(identity), encryptionKey: hex(encryption) };
      return { index, id: `signer-${index}`, address: "127.0.0.1:1", ...keys };
    });
    const large = join(folder, "large-roster.json");
    writeFileSync(large, JSON.stringify({ ...testRoster, signers }));
    const { evidence } = insecureLargeEvidence(total, "aux/3 Πmod");
    const { kind, text } = await checkEvidence(fileOf(encode(evidenceCodec, evidence)), large);
    expect(kind).toBe("proven");
    expect(text).toContain("proven: signer-2 deviated from the protocol");
  });

  test("asks for the right roster when the file is of another cluster", async () => {
    const found = await checkEvidence(fileOf(encode(evidenceCodec, equivocation()), "elsewhere"), rosterFile);
    expect(found.kind).toBe("unreadable");
    expect(found.text).toContain("Name the roster of elsewhere with --roster");
  });

  const jsonFile = (name: string, value: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
    return path;
  };
  const evidenceOf = (change: Readonly<Record<string, unknown>>): string => {
    const evidence = Buffer.from(encode(evidenceCodec, equivocation())).toString("base64");
    const file = { kind: "conclave-evidence", version: 1, clusterId: testRoster.clusterId, evidence };
    return jsonFile("changed.json", { ...file, ...change });
  };
  const expectRefused = async (code: string, file: string, roster: string): Promise<void> => {
    const { kind, text } = await checkEvidence(file, roster);
    const [sentence = "", remedy = "", ...more] = text.split("\n");
    expect([kind, sentence.slice(0, 10), sentence.includes(`(${code})`), more]).toEqual([
      "unreadable",
      "conclave: ",
      true,
      [],
    ]);
    expect(remedy).toMatch(/^[A-Z].*\.$/);
    // only one of several defects is shown
    expect(sentence).not.toContain("✖");
  };

  test.each([
    ["that is malformed", "EvidenceUnreadable", () => jsonFile("changed.json", "{")],
    ["with a field too many", "EvidenceUnreadable", () => evidenceOf({ more: 1 })],
    ["that is cut off", "EvidenceUnreadable", () => evidenceOf({ evidence: "AAAA" })],
    ["of a version before", "EvidenceUnreadable", () => evidenceOf({ version: 0 })],
    ["of another cluster", "EvidenceForeign", () => evidenceOf({ clusterId: "elsewhere" })],
    ["that is not there", "EvidenceUnreadable", () => join(folder, "missing.json")],
  ])("refuses a file %s in one sentence with the code %s", async (_, code, file) => {
    await expectRefused(code, file(), rosterFile);
  });

  test.each([
    ["that is not there", () => join(folder, "missing.json")],
    ["that is no JSON", () => jsonFile("bad-roster.json", "{")],
    ["that lacks all", () => jsonFile("bad-roster.json", {})],
    [
      "of which a signer was exchanged",
      () => {
        const { signers, ...roster } = renewedRoster(3);
        const others = signers.map((signer, at) =>
          at === 0 ? { ...signer, identityKey: "ab".repeat(32) } : signer,
        );
        return jsonFile("bad-roster.json", { ...roster, signers: others });
      },
    ],
    ["with words of a stranger", () => jsonFile("bad-roster.json", { ...testRoster, "\u001b[2J\n": 1 })],
  ])("refuses a roster %s in one sentence with the code RosterInvalid", async (_, roster) => {
    await expectRefused("RosterInvalid", evidenceOf({}), roster());
  });

  test("lets nothing in a file write to the terminal but plain text", async () => {
    const { text } = await check({ ...equivocation(), check: "round 1: \u001b[2J\u202e\n all is well" });
    expect(["\u001b", "\u202e"].filter((each) => text.includes(each))).toEqual([]);
    expect(text).not.toContain("\n all is well");
  });

  test("ends with 0 when it is proven, 1 when it is not, 2 when the file, the roster or the cluster cannot be read", async () => {
    const file = fileOf(encode(evidenceCodec, equivocation()));
    expect(await run(file, "--roster", rosterFile)).toBe(0);
    expect(await run(rosterFile, "--roster", rosterFile)).toBe(2);
    expect(await run(file, "--roster", join(folder, "missing.json"))).toBe(2);
    expect(await run(file, "--roster", file)).toBe(2);
    fileOf(encode(evidenceCodec, { ...equivocation(), accused: testParty(1) }));
    expect(await run(file, "--roster", rosterFile)).toBe(1);
  });
});
