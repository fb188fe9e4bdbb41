import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identitiesOverTime } from "@conclave/cluster";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renewalBytes } from "./identity-renewals.ts";
import { loadRoster, type Roster } from "./roster.ts";
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
  const { identityKey: before = "" } = roster.signers[signer - 1] ?? {};
  const signers = roster.signers.map((each) => (each.index === signer ? { ...each, identityKey } : each));
  const renewal = { signer, identityKey: before, date: "2026-02-03T04:05:06.789Z", signature: "" };
  const earlier = roster.renewals ?? [];
  const bytes = renewalBytes({ ...roster, signers, renewals: [...earlier, renewal] });
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
    const times = identitiesOverTime(membersOf(await read(roster)));
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
