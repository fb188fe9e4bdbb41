import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash, createPublicKey, generateKeyPairSync } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { certifyKey, makeCertificateAuthority, type Role } from "@conclave/platform";
import { partyIndex } from "@conclave/threshold";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LaunchError } from "../launch-error.ts";
import { renewIdentity } from "./renew-identity.ts";
import { DAY_MS, MEMBERS, ProvisionedMembers } from "./testing/provisioned-members.ts";

let cluster: ProvisionedMembers;
let writer: ChildProcess | undefined;

beforeEach(async () => {
  cluster = await ProvisionedMembers.make();
});
afterEach(() => {
  writer?.kill();
});

const OF_OTHERS = ["../gateway/authority.key", "../cluster/roster.json", "../signer-3/identity.key"];
/** temporary names that a signer could guess if they contained the process id; in a container that is 1 */
const NAMES = ["tls.next.crt", "tls.crt", "tls.key", "passphrase.key", "identity.key"].map(
  (name) => `${name}.${process.pid}.new`,
);

describe("a signer that puts links to files of others into its own folder", () => {
  it.each(OF_OTHERS)("gets nothing written into %s by a renewal of certificates", async (target) => {
    const victim = join(cluster.layout.signer(2), target);
    const before = readFileSync(victim, "utf8");
    for (const name of NAMES) symlinkSync(target, cluster.pathOf("signer-2", name));
    await cluster.renew();
    expect(readFileSync(victim, "utf8")).toBe(before);
    await cluster.allStart();
  });

  it.each(OF_OTHERS.filter((name) => !name.endsWith("roster.json")))(
    "gets nothing written into %s by a renewal of its identity",
    async (target) => {
      const victim = join(cluster.layout.signer(2), target);
      rmSync(cluster.layout.signer(2), { recursive: true });
      mkdirSync(cluster.layout.signer(2));
      for (const name of [...NAMES, "tls.crt", "tls.key", "passphrase.key"]) {
        symlinkSync(target, cluster.pathOf("signer-2", name));
      }
      const before = readFileSync(victim, "utf8");
      await renewIdentity(cluster.layout.root, "signer-2");
      expect(readFileSync(victim, "utf8")).toBe(before);
      expect(lstatSync(victim).isFile()).toBe(true);
      await cluster.allStart();
    },
  );
});

const FILES = ["tls.crt", "tls.next.crt", "tls.key", "passphrase.key"];
const KINDS: readonly (readonly [string, (file: string) => void])[] = [
  ["a folder", (file) => mkdirSync(file)],
  [
    "a link",
    (file) => {
      symlinkSync("../signer-1/tls.crt", file);
    },
  ],
  [
    "a pipe",
    (file) => {
      execFileSync("mkfifo", [file]);
      writer = spawn("sh", ["-c", 'printf x > "$1"', "sh", file]); // ends a reader that waits for the pipe
    },
  ],
];

describe.each(KINDS)("%s", (_, make) => {
  it.each(FILES)("in the place of %s is refused before anything is written", async (name) => {
    const file = cluster.pathOf("signer-2", name);
    rmSync(file, { force: true });
    make(file);
    const before = cluster.ca();
    for (const half of ["prepare", undefined, "switch"] as const) {
      const refused = cluster.renew({ half });
      await expect(refused).rejects.toThrow(`${name} is no regular file`);
      await expect(refused).rejects.toBeInstanceOf(LaunchError);
    }
    expect(cluster.ca()).toBe(before);
    expect(existsSync(cluster.pathOf("signer-1", "tls.next.crt"))).toBe(false);
    await cluster.renew({ only: MEMBERS.filter((id) => id !== "signer-2") });
  });
});

const roleOfSigner = (number: number): Role => {
  const index = partyIndex(number);
  if (index === undefined) throw new Error(`${number} is no party index`);
  return { kind: "signer", index };
};

describe("where the key opens, its certificate", () => {
  it("need not be of an authority in ca.crt: with one of before, all are made anew", async () => {
    const before = cluster.ca();
    await cluster.renew();
    writeFileSync(cluster.layout.ca, before); // a backup from before the renewal
    await expect(cluster.renew({ half: "switch" })).rejects.toThrow("no certificate is prepared");
    await cluster.renew();
    await cluster.allStart();
  });

  /** A certificate that a hostile signer can make itself, of its own authority. */
  const forge = async (
    id: string,
    role: Role,
    key = createPublicKey(cluster.textOf(id, "tls.crt")),
    days = 730,
  ) => {
    const { clusterId } = await cluster.started(id);
    const own = await makeCertificateAuthority(clusterId, new Date());
    writeFileSync(cluster.pathOf(id, "tls.crt"), await certifyKey(own, { role, now: new Date(), days }, key));
    return own.certificate;
  };

  it("that it wrote itself gives it neither a longer time nor trust in who signed it", async () => {
    const { key } = await cluster.started("signer-2");
    const own = await forge("signer-2", roleOfSigner(2), createPublicKey(key), 36_500);
    const renewed = await cluster.renew();
    expect(cluster.ca()).not.toContain(own.trim());
    for (const { ends } of renewed) expect((ends.getTime() - Date.now()) / DAY_MS).toBeCloseTo(730, 1);
    const tls = await cluster.started("signer-2");
    expect([tls.role, tls.key.equals(key)]).toEqual([roleOfSigner(2), true]);
  });

  it.each<readonly [string, () => Promise<unknown>, string]>([
    [
      "that says it is the orchestrator's is refused",
      async () => {
        const { key } = await cluster.started("signer-2");
        return forge("signer-2", { kind: "orchestrator" }, createPublicKey(key));
      },
      "tls.crt is not of signer-2",
    ],
    [
      "that is of another key is refused",
      () => forge("signer-2", roleOfSigner(2), generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey),
      "of another key",
    ],
  ])("%s", async (_, write, message) => {
    await write();
    const before = cluster.ca();
    await expect(cluster.renew()).rejects.toThrow(message);
    expect(cluster.ca()).toBe(before);
  });
});

describe("of a member whose key is on another machine, a certificate", () => {
  /** Leaves only the certificate in a member's folder. @returns where the other files are */
  const moveAway = (id: string): string => {
    const certificate = cluster.textOf(id, "tls.crt");
    const away = join(cluster.layout.root, "elsewhere");
    renameSync(join(cluster.layout.root, id), away);
    mkdirSync(join(cluster.layout.root, id));
    writeFileSync(cluster.pathOf(id, "tls.crt"), certificate);
    return away;
  };

  /** Makes an ended certificate of a member's key, of an authority of the cluster. */
  const endedOf = async (id: string): Promise<string> => {
    const { clusterId, role, key } = await cluster.started(id);
    const authority = await makeCertificateAuthority(clusterId, new Date());
    writeFileSync(cluster.layout.ca, `${cluster.ca()}${authority.certificate}\n`);
    return certifyKey(authority, { role, now: new Date(), days: -1 }, createPublicKey(key));
  };

  it("that has ended is not certified again: it may be of a key that was replaced", async () => {
    const ended = await endedOf("signer-2");
    moveAway("signer-2");
    const inForce = cluster.textOf("signer-2", "tls.crt");
    writeFileSync(cluster.pathOf("signer-2", "tls.crt"), ended);
    const refused = cluster.renew({ half: "prepare" });
    await expect(refused).rejects.toThrow("certificate of signer-2, whose key is not here, has ended");
    await expect(refused).rejects.toMatchObject({ remedy: expect.stringContaining("Its owner") });
    writeFileSync(cluster.pathOf("signer-2", "tls.crt"), inForce);
    await cluster.renew({ half: "prepare" });
  });

  it("that has ended since the new one was prepared makes way for it", async () => {
    const ended = await endedOf("signer-2");
    moveAway("signer-2");
    await cluster.renew({ half: "prepare" });
    const prepared = cluster.textOf("signer-2", "tls.next.crt");
    writeFileSync(cluster.pathOf("signer-2", "tls.crt"), ended);
    await cluster.renew({ half: "switch" });
    expect(cluster.textOf("signer-2", "tls.crt")).toBe(prepared);
  });

  it("is renewed with the hash of its key, which its owner has as well", async () => {
    const away = moveAway("signer-2");
    const keyOf = (file: string) =>
      createPublicKey(readFileSync(file, "utf8")).export({ type: "spki", format: "der" });
    const [, member] = await cluster.renew({ half: "prepare" });
    const ofOwner = createHash("sha256")
      .update(keyOf(join(away, "tls.crt")))
      .digest("hex");
    expect(member).toMatchObject({ id: "signer-2", isElsewhere: true, keyHash: ofOwner });
    expect(keyOf(cluster.pathOf("signer-2", "tls.next.crt"))).toEqual(keyOf(join(away, "tls.crt")));
  });
});
