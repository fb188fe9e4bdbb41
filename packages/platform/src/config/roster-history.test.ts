import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attestingClusters } from "./attesting-clusters.ts";
import { loadRoster, type Roster } from "./roster.ts";
import type { RemovalReason } from "./roster-changes.ts";
import { lastEventBytes, pastIdentities, timesOf } from "./roster-history.ts";
import { membersOf } from "./roster-members.ts";

const keyPair = () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  return { privateKey, hex: Buffer.from(x, "base64url").toString("hex") };
};
const authority = keyPair();
const another = keyPair();

const identity = (digit: string): string => digit.repeat(64);
const started: Roster = {
  clusterId: "test",
  parameters: "INSECURE-TEST",
  threshold: 2,
  authorityKey: authority.hex,
  signers: [1, 2, 3].map((index) => ({
    index,
    id: `signer-${index}`,
    address: `127.0.0.1:${9_000 + index}`,
    identityKey: identity(`${index}`),
    encryptionKey: identity(`${index + 4}`),
  })),
};

const renewed = (roster: Roster, signer: number, identityKey: string, by = authority): Roster => {
  const { identityKey: before = "" } = roster.signers.find(({ index }) => index === signer) ?? {};
  const signers = roster.signers.map((each) => (each.index === signer ? { ...each, identityKey } : each));
  const renewal = { signer, identityKey: before, date: "2026-02-03T04:05:06.789Z", signature: "" };
  const earlier = roster.renewals ?? [];
  const bytes = lastEventBytes({ ...roster, signers, renewals: [...earlier, renewal] });
  const signature = sign(null, bytes, by.privateKey).toString("hex");
  return { ...roster, signers, renewals: [...earlier, { ...renewal, signature }] };
};

const roster = renewed(renewed(renewed(started, 2, identity("a")), 3, identity("b")), 2, identity("c"));
const [first = expect.fail(), second = expect.fail(), third = expect.fail()] = roster.renewals ?? [];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-renewals-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
const read = (content: unknown): Promise<Roster> => {
  const file = join(folder, "roster.json");
  writeFileSync(file, JSON.stringify(content));
  return loadRoster(file);
};

describe("a roster whose signers' identities were renewed", () => {
  it("has the identities of each time, today's first", async () => {
    const loaded = await read(roster);
    const times = [membersOf(loaded), ...pastIdentities(loaded)];
    const inHex = times.map((each) =>
      [...each.values()].map((member) => Buffer.from(member.identity).toString("hex").slice(0, 1)).join(""),
    );
    expect(inHex).toEqual(["1cb", "1ab", "1a3", "123"]);
  });

  it.each<[string, unknown]>([
    ["lacks one of them", { ...roster, renewals: [first, third] }],
    ["lacks the first", { ...roster, renewals: [second, third] }],
    ["lacks the last", { ...roster, renewals: [first, second] }],
    ["has two exchanged", { ...roster, renewals: [second, first, third] }],
    ["has one twice", { ...roster, renewals: [first, second, third, third] }],
    [
      "dates one otherwise",
      { ...roster, renewals: [{ ...first, date: third.date.replace("26", "25") }, second, third] },
    ],
    [
      "names another identity",
      { ...roster, renewals: [{ ...first, identityKey: identity("d") }, second, third] },
    ],
    ["names another signer", { ...roster, renewals: [{ ...first, signer: 1 }, second, third] }],
    ["names a signer that there is not", { ...roster, renewals: [{ ...first, signer: 4 }, second, third] }],
    ["is of another cluster", { ...roster, clusterId: "other" }],
    ["is of another authority", { ...roster, authorityKey: another.hex }],
    ["has one that another key signed", renewed(started, 2, identity("a"), another)],
    ["takes an identity back", renewed(renewed(started, 2, identity("a")), 2, identity("2"))],
    [
      "gives a signer the identity that another had",
      renewed(renewed(started, 2, identity("a")), 3, identity("2")),
    ],
    ["has no signature", { ...roster, renewals: [{ ...first, signature: "" }, second, third] }],
  ])("INV-9 is refused where it %s", async (_, content) => {
    await expect(read(content)).rejects.toThrow(/the cluster's roster in .*roster\.json/);
  });
});

const bare = (index: number) => ({
  index,
  id: `signer-${index}`,
  address: `127.0.0.1:${9_000 + index}`,
  identityKey: identity(`${index}`),
  encryptionKey: identity(`${index + 4}`),
});
const DATE = "2026-03-04T05:06:07.890Z";

/** The roster with signer 3 removed for a reason, signer 4 added and another threshold. */
const changed = (
  before: Roster,
  reason: RemovalReason = { why: "cheated", evidence: "ab".repeat(32) },
  by = authority,
): Roster => {
  const removed = before.signers
    .filter(({ index }) => index === 3)
    .map(({ index, id, identityKey }) => ({ index, id, identityKey, reason }));
  const change = {
    renewals: before.renewals?.length ?? 0,
    threshold: before.threshold,
    added: [4],
    removed,
    date: DATE,
    signature: "",
  };
  const signers = [...before.signers.filter(({ index }) => index !== 3), bare(4)];
  const roster = { ...before, threshold: 3, signers, changes: [change] };
  const signature = sign(null, lastEventBytes(roster), by.privateKey).toString("hex");
  return { ...roster, changes: [{ ...change, signature }] };
};

describe("a roster whose members and threshold were changed", () => {
  const now = changed(renewed(started, 2, identity("a")));
  const later = renewed(now, 4, identity("c"));
  const [change = expect.fail()] = now.changes ?? [];

  it("has the signers and the threshold of each time, today's first", async () => {
    const times = timesOf(await read(later)).map(({ threshold, signers }) => [
      threshold,
      signers.map(({ identityKey }) => identityKey.slice(0, 1)).join(""),
    ]);
    expect(times).toEqual([
      [3, "1ac"],
      [3, "1a4"],
      [2, "1a3"],
      [2, "123"],
    ]);
  });

  it("shows its protocols the signers of each time, also those that were removed", async () => {
    const times = pastIdentities(await read(later));
    expect(times.map((each) => [...each.keys()])).toEqual([
      [1, 2, 4],
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it("tells who may have attested a key: not those that were leaving", async () => {
    const clusters = attestingClusters(await read(changed(started, { why: "left" })));
    const shown = clusters.map(({ cluster }) => cluster.signers.map(({ index }) => index));
    expect(shown).toEqual([
      [1, 2, 4],
      [1, 2],
    ]);
  });

  it.each<[string, unknown]>([
    ["lacks the change", { ...now, changes: [] }],
    ["dates it otherwise", { ...now, changes: [{ ...change, date: DATE.replace("26", "25") }] }],
    ["names another threshold of before", { ...now, changes: [{ ...change, threshold: 3 }] }],
    ["names another threshold", { ...now, threshold: 2 }],
    [
      "gives another reason",
      {
        ...now,
        changes: [
          { ...change, removed: change.removed.map((each) => ({ ...each, reason: { why: "left" } })) },
        ],
      },
    ],
    ["names nobody that it removed", { ...now, changes: [{ ...change, removed: [] }] }],
    ["names nobody that it added", { ...now, changes: [{ ...change, added: [] }] }],
    ["places it before a renewal", { ...now, changes: [{ ...change, renewals: 0 }] }],
    ["places it after renewals that are not there", { ...now, changes: [{ ...change, renewals: 2 }] }],
    ["has one that another key signed", changed(started, { why: "lost" }, another)],
    ["gives an index again", { ...now, signers: [...now.signers.slice(0, 2), { ...bare(4), index: 3 }] }],
    ["lets a stranger leave", { ...now, change: { threshold: 2, leaving: [3] } }],
    ["keeps too few to sign", { ...now, change: { threshold: 2, leaving: [4] } }],
    [
      "began its change with one that there is not",
      { ...now, change: { threshold: 2, leaving: [], since: 1 } },
    ],
    ["lists its signers in another order", { ...now, signers: now.signers.toReversed() }],
    ["leaves an index out and has no history", { ...started, signers: [bare(1), bare(2), bare(4)] }],
  ])("INV-9 is refused where it %s", async (_, content) => {
    await expect(read(content)).rejects.toThrow(/the cluster's roster in .*roster\.json/);
  });
});
