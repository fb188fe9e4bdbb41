import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadRoster } from "@conclave/platform";
import { beforeEach, describe, expect, it } from "vitest";
import type { StateLayout } from "../state/layout.ts";
import { TURN_MS } from "../state/turn-file.ts";
import { provisionFiles } from "./files.ts";
import { RENEWAL_STEPS, renewIdentity } from "./renew-identity.ts";
import { areSigners } from "./testing/are-signers.ts";
import { provisionedCluster } from "./testing/provisioned-cluster.ts";

let layout: StateLayout;

beforeEach(async () => {
  layout = await provisionedCluster();
});

it("a signer that lost its folder starts again under another identity, and so do the others", async () => {
  const before = await loadRoster(layout.roster);
  rmSync(layout.signer(2), { recursive: true });
  expect(await areSigners(layout, [2])).toBe(false);
  await renewIdentity(layout.root, "signer-2");
  const after = await loadRoster(layout.roster);
  const [first, lost, third] = before.signers;
  expect(after).toMatchObject({
    ...before,
    signers: [first, { id: "signer-2", address: lost?.address }, third],
  });
  expect(after.signers[1]?.identityKey).not.toBe(lost?.identityKey);
  expect(await areSigners(layout, [1, 2, 3])).toBe(true);
});

it("the roster keeps each identity of before: evidence and receipts of its time are verified by it", async () => {
  const rosters = [await loadRoster(layout.roster)];
  for (const index of [2, 3, 2]) {
    rmSync(layout.signer(index), { recursive: true });
    await renewIdentity(layout.root, `signer-${index}`);
    rosters.push(await loadRoster(layout.roster));
  }
  const [first, , second] = rosters.map(({ signers }) => signers[1]?.identityKey);
  const [, third] = rosters.map(({ signers }) => signers[2]?.identityKey);
  const roster = rosters.at(-1);
  expect(roster?.renewals).toMatchObject([
    { signer: 2, identityKey: first },
    { signer: 3, identityKey: third },
    { signer: 2, identityKey: second },
  ]);
  // a start of the cluster writes the roster again
  await provisionFiles({
    state: layout.root,
    signers: 3,
    threshold: 2,
    rpcUrl: "http://anvil:8545",
    signerPort: 7001,
  });
  expect((await loadRoster(layout.roster)).renewals).toEqual(roster?.renewals);
});

it("without the authority's key, or with another cluster's, nothing is renewed", async () => {
  const key = join(layout.gateway, "authority.key");
  const before = readFileSync(layout.roster, "utf8");
  rmSync(layout.signer(2), { recursive: true });
  writeFileSync(key, readFileSync(join(layout.gateway, "token.key")));
  await expect(renewIdentity(layout.root, "signer-2")).rejects.toThrow(
    "is not the key that the roster names",
  );
  rmSync(key);
  await expect(renewIdentity(layout.root, "signer-2")).rejects.toThrow();
  expect(existsSync(layout.signer(2))).toBe(false);
  expect(readFileSync(layout.roster, "utf8")).toBe(before);
});

describe("a renewal that is interrupted", () => {
  it.each(RENEWAL_STEPS)(
    "after %s leaves a roster that all others can use, and is done again",
    async (step) => {
      const before = await loadRoster(layout.roster);
      rmSync(layout.signer(2), { recursive: true });
      const interrupted = renewIdentity(layout.root, "signer-2", (reached) => {
        if (reached === step) throw new Error("interrupted");
      });
      await expect(interrupted).rejects.toThrow("interrupted");
      expect(await areSigners(layout, [1, 3])).toBe(true);
      if (step === "roster") {
        // the last step is complete: the roster names the identity in the folder
        await expect(renewIdentity(layout.root, "signer-2")).rejects.toThrow("has not lost its folder");
      } else {
        expect(await loadRoster(layout.roster)).toEqual(before);
        await renewIdentity(layout.root, "signer-2");
      }
      expect(await areSigners(layout, [1, 2, 3])).toBe(true);
      const { identityKey } = before.signers[1] ?? {};
      expect((await loadRoster(layout.roster)).renewals).toMatchObject([{ signer: 2, identityKey }]);
      expect(readdirSync(layout.cluster).filter((name) => /new$|renewing/.test(name))).toEqual([]);
    },
  );

  it("does not begin again where the identity that lies there does not open", async () => {
    writeFileSync(join(layout.signer(2), "identity.key"), "");
    await expect(renewIdentity(layout.root, "signer-2")).rejects.toThrow("has not lost its folder");
  });
});

describe("two renewals at once", () => {
  it("are one: the other is refused, and its signer is renewed after it", async () => {
    const lost = [2, 3];
    for (const index of lost) rmSync(layout.signer(index), { recursive: true });
    const both = await Promise.allSettled(lost.map((index) => renewIdentity(layout.root, `signer-${index}`)));
    const refused = both.findIndex(({ status }) => status === "rejected");
    expect(both[refused]).toMatchObject({
      reason: { message: expect.stringContaining("another renew-identity") },
    });
    expect(both[1 - refused]).toMatchObject({ status: "fulfilled" });
    await renewIdentity(layout.root, `signer-${lost[refused]}`);
    expect(await areSigners(layout, [1, 2, 3])).toBe(true);
    expect((await loadRoster(layout.roster)).renewals).toHaveLength(2);
  });

  it("the turn of one that crashed ends by its age", async () => {
    rmSync(layout.signer(2), { recursive: true });
    const turn = join(layout.cluster, "renewing");
    writeFileSync(turn, "a crash left it");
    await expect(renewIdentity(layout.root, "signer-2")).rejects.toThrow("another renew-identity");
    const old = new Date(Date.now() - TURN_MS - 1_000);
    utimesSync(turn, old, old);
    await renewIdentity(layout.root, "signer-2");
    expect(await areSigners(layout, [2])).toBe(true);
    expect(existsSync(turn)).toBe(false);
  });
});

it("one that has its keys or its store is left alone", async () => {
  const files = () => [layout.roster, layout.ca].map((file) => readFileSync(file, "utf8"));
  const before = files();
  await expect(renewIdentity(layout.root, "signer-2")).rejects.toThrow("identity.key in");
  rmSync(layout.signer(2), { recursive: true });
  mkdirSync(join(layout.signer(2), "vault"), { recursive: true });
  await expect(renewIdentity(layout.root, "signer-2")).rejects.toThrow("vault in");
  expect(files()).toEqual(before);
});

it("INV-9 a signer that there is not, and a folder without a cluster, are refused", async () => {
  await expect(renewIdentity(layout.root, "signer-4")).rejects.toThrow("there is no signer signer-4");
  await expect(renewIdentity(join(layout.root, "elsewhere"), "signer-1")).rejects.toThrow(
    "there is no cluster",
  );
});
