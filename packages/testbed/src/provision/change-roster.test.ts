import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { loadRoster } from "@conclave/platform";
import { beforeEach, describe, expect, it } from "vitest";
import { LaunchError } from "../launch-error.ts";
import type { StateLayout } from "../state/layout.ts";
import { beginRosterChange, finishRosterChange, ROSTER_CHANGE_STEPS } from "./change-roster.ts";
import { provisionFiles } from "./files.ts";
import { renewIdentity } from "./renew-identity.ts";
import type { WantedRoster } from "./roster-decision.ts";
import { areSigners } from "./testing/are-signers.ts";
import { provisionedCluster } from "./testing/provisioned-cluster.ts";

let layout: StateLayout;
beforeEach(async () => {
  layout = await provisionedCluster();
});

const NOTHING: WantedRoster = { add: 0, remove: [], putOut: [] };
const begin = (wanted: Partial<WantedRoster>, reached?: (step: string) => void) =>
  beginRosterChange(layout.root, { ...NOTHING, ...wanted }, reached);
const finish = () => finishRosterChange(layout.root);

const everyFile = (): readonly string[] =>
  readdirSync(layout.root, { recursive: true, encoding: "utf8" })
    .filter((name) => lstatSync(join(layout.root, name)).isFile())
    .sort()
    .map((name) => `${name}: ${readFileSync(join(layout.root, name), "base64")}`);

describe("a change of a roster", () => {
  it("gives new signers folders, keys and certificates, and all processes read the roster", async () => {
    const before = await loadRoster(layout.roster);
    const begun = await begin({ add: 2, threshold: 3 });
    const after = await loadRoster(layout.roster);
    expect(after).toEqual(begun);
    expect(after.signers.slice(0, 3)).toEqual(before.signers);
    expect(after.signers.slice(3)).toMatchObject([
      { index: 4, id: "signer-4", address: "signer-4:7000" },
      { index: 5, id: "signer-5", address: "signer-5:7000" },
    ]);
    expect(after.signers.every(({ importKey }) => importKey !== undefined)).toBe(true);
    expect(after).toMatchObject({ threshold: 3, change: { threshold: 2, leaving: [] } });
    expect(await areSigners(layout, [1, 2, 3, 4, 5])).toBe(true);
    expect(await finish()).toEqual(await loadRoster(layout.roster));
    expect(await areSigners(layout, [1, 2, 3, 4, 5])).toBe(true);
    await expect(finish()).rejects.toThrow("no change of the roster is under way");
  });

  it("lets a signer leave, and the folder of its shares stays where it is", async () => {
    await begin({ remove: ["signer-1"] });
    expect((await finish()).signers.map(({ index }) => index)).toEqual([2, 3]);
    expect(existsSync(join(layout.signer(1), "identity.key"))).toBe(true);
    const again = await begin({ add: 1 });
    expect(again.signers.map(({ index }) => index)).toEqual([2, 3, 4]);
  });

  it("and renewals of identities make one history", async () => {
    await begin({ add: 1 });
    rmSync(layout.signer(4), { recursive: true });
    await renewIdentity(layout.root, "signer-4");
    await begin({ putOut: [{ id: "signer-2", reason: { why: "lost" } }] });
    const roster = await finish();
    expect(roster).toMatchObject({ renewals: [{ signer: 4 }], changes: [{ renewals: 0 }, { renewals: 1 }] });
    expect(await areSigners(layout, [1, 3, 4])).toBe(true);
  });

  it("adds signers without import keys to a cluster that has none", async () => {
    const roster = await loadRoster(layout.roster);
    const signers = roster.signers.map(({ importKey: _, ...signer }) => signer);
    writeFileSync(layout.roster, JSON.stringify({ ...roster, signers }));
    expect((await begin({ add: 1 })).signers.map(({ importKey }) => importKey)).toEqual(
      Array(4).fill(undefined),
    );
  });

  it("survives a start of the cluster, which writes the roster anew", async () => {
    const begun = await begin({ add: 1, remove: ["signer-2"] });
    await provisionFiles({ state: layout.root, rpcUrl: "http://anvil:8545", signerPort: 7001 });
    expect(await loadRoster(layout.roster)).toEqual(begun);
    const ended = await finish();
    await provisionFiles({ state: layout.root, rpcUrl: "http://anvil:8545", signerPort: 7001 });
    expect(await loadRoster(layout.roster)).toEqual(ended);
  });
});

describe("the options of a start", () => {
  const start = (given: { readonly signers?: number; readonly threshold?: number }) =>
    provisionFiles({ state: layout.root, rpcUrl: "http://anvil:8545", signerPort: 7000, ...given });

  it("that are left open are those of the roster: signers that leave do not count", async () => {
    await begin({ add: 2, remove: ["signer-1"], threshold: 4 });
    expect(await start({})).toMatchObject({ isNew: false });
    expect(await start({ signers: 4, threshold: 4 })).toMatchObject({ isNew: false });
    expect(await loadRoster(layout.roster)).toMatchObject({ threshold: 4, change: { leaving: [1] } });
  });

  it.each([{ signers: 3 }, { signers: 5 }, { threshold: 3 }, { signers: 4, threshold: 2 }])(
    "that are given and do not fit it are refused: %o",
    async (given) => {
      await begin({ add: 2, remove: ["signer-1"], threshold: 4 });
      const before = everyFile();
      await expect(start(given)).rejects.toBeInstanceOf(LaunchError);
      expect(everyFile()).toEqual(before);
    },
  );
});

describe("a change that is interrupted", () => {
  it.each(ROSTER_CHANGE_STEPS)(
    "after %s leaves a roster that all processes can use, and is begun again",
    async (step) => {
      const before = await loadRoster(layout.roster);
      const interrupted = begin({ add: 2, remove: ["signer-3"] }, (reached) => {
        if (reached === step) throw new Error("interrupted");
      });
      await expect(interrupted).rejects.toThrow("interrupted");
      expect(await areSigners(layout, [1, 2, 3])).toBe(true);
      if (step === "roster") {
        await expect(begin({ add: 2, remove: ["signer-3"] })).rejects.toThrow("is under way");
      } else {
        expect(await loadRoster(layout.roster)).toEqual(before);
        await begin({ add: 2, remove: ["signer-3"] });
      }
      expect(await areSigners(layout, [1, 2, 3, 4, 5])).toBe(true);
      expect((await finish()).signers.map(({ index }) => index)).toEqual([1, 2, 4, 5]);
      expect(readdirSync(layout.cluster).filter((name) => /new$|renewing/.test(name))).toEqual([]);
    },
  );
});

describe("nothing is written", () => {
  it.each<[string, Partial<WantedRoster>, string]>([
    ["for an unknown signer", { add: 1, remove: ["signer-4"] }, "there is no signer signer-4"],
    ["for a threshold that does not fit", { add: 1, threshold: 5 }, "is 2 to 4, not 5"],
    [
      "for evidence that is none",
      { add: 1, putOut: [{ id: "signer-1", reason: { why: "cheated", evidence: "" } }] },
      "is no SHA-256",
    ],
  ])("INV-9 %s", async (_, wanted, message) => {
    const before = everyFile();
    const refused = begin(wanted);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(LaunchError);
    expect(everyFile()).toEqual(before);
  });

  it("without the authority's key, or with another cluster's", async () => {
    const key = join(layout.gateway, "authority.key");
    writeFileSync(key, readFileSync(join(layout.gateway, "token.key")));
    const before = everyFile();
    await expect(begin({ add: 1 })).rejects.toThrow("is not the key that the roster names");
    expect(everyFile()).toEqual(before);
    rmSync(key);
    await expect(begin({ add: 1 })).rejects.toBeInstanceOf(LaunchError);
    expect(existsSync(layout.signer(4))).toBe(false);
  });

  it("while another command has the turn", async () => {
    writeFileSync(join(layout.cluster, "renewing"), "another");
    const before = everyFile();
    await expect(begin({ add: 1 })).rejects.toThrow("another renew-identity");
    expect(everyFile()).toEqual(before);
  });

  it("in a folder without a cluster", async () => {
    const elsewhere = join(layout.root, "elsewhere");
    await expect(beginRosterChange(elsewhere, { ...NOTHING, add: 1 })).rejects.toThrow("there is no cluster");
    await expect(finishRosterChange(elsewhere)).rejects.toThrow("there is no cluster");
    expect(existsSync(elsewhere)).toBe(false);
  });

  it.each<[string, (folder: string) => void, string]>([
    [
      "has a store",
      (folder) => mkdirSync(join(folder, "vault"), { recursive: true }),
      "has vault of another",
    ],
    [
      "has keys of another",
      (folder) => cpSync(layout.signer(3), folder, { recursive: true }),
      "has identity.key",
    ],
    [
      "has keys that do not open",
      (folder) => {
        mkdirSync(folder);
        writeFileSync(join(folder, "identity.key"), "");
      },
      "has identity.key",
    ],
    ["is a file", (folder) => writeFileSync(folder, ""), "is no folder"],
    ["is a link to the gateway's", (folder) => symlinkSync("gateway", folder), "is no folder"],
    [
      "has a link in the place of its keys",
      (folder) => {
        mkdirSync(folder);
        symlinkSync("../gateway/authority.key", join(folder, "identity.key"));
      },
      "identity.key",
    ],
  ])("where the folder of a new signer %s", async (_, make, message) => {
    make(layout.signer(4));
    const before = everyFile();
    const refused = begin({ add: 1 });
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(LaunchError);
    expect(everyFile()).toEqual(before);
  });
});

it("links in the folder of a new signer are not followed", async () => {
  mkdirSync(layout.signer(4));
  const before = readFileSync(join(layout.gateway, "authority.key"), "utf8");
  for (const name of ["tls.crt", "tls.key", "passphrase.key"]) {
    symlinkSync("../gateway/authority.key", join(layout.signer(4), name));
  }
  await begin({ add: 1 });
  expect(readFileSync(join(layout.gateway, "authority.key"), "utf8")).toBe(before);
  expect(await areSigners(layout, [1, 2, 3, 4])).toBe(true);
});
