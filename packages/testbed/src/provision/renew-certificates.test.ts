import { createPublicKey, generateKeyPairSync } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  certifyKey,
  loadRoster,
  makeCertificateAuthority,
  makePassphrase,
  sealPrivateKey,
  type TlsIdentity,
  withAuthority,
} from "@conclave/platform";
import { beforeEach, describe, expect, it } from "vitest";
import { LaunchError } from "../launch-error.ts";
import type { StateLayout } from "../state/layout.ts";
import { type CertificateRenewal, renewCertificates } from "./renew-certificates.ts";
import { renewIdentity } from "./renew-identity.ts";
import {
  authoritiesIn,
  DAY_MS,
  linkOpens,
  MEMBERS,
  ProvisionedMembers,
} from "./testing/provisioned-members.ts";

let cluster: ProvisionedMembers;
let layout: StateLayout;

beforeEach(async () => {
  cluster = await ProvisionedMembers.make();
  layout = cluster.layout;
});

const renew: ProvisionedMembers["renew"] = (...request) => cluster.renew(...request);
const interrupt: ProvisionedMembers["interrupt"] = (...request) => cluster.interrupt(...request);
const pathOf = (id: string, name: string): string => cluster.pathOf(id, name);
const textOf = (id: string, name: string): string => cluster.textOf(id, name);
const ca = (): string => cluster.ca();
const started: ProvisionedMembers["started"] = (...member) => cluster.started(...member);
const allStart = () => cluster.allStart();

/** All files of the cluster by path, except those that a renewal may write. */
const untouched = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(layout.root, { recursive: true, encoding: "utf8" })
      .map((name) => join(layout.root, name))
      .filter((file) => statSync(file).isFile() && !/\/(ca\.crt|tls(\.next)?\.crt)$/.test(file))
      .map((file) => [file, readFileSync(file, "latin1")]),
  );

/** All files, including those that a renewal may write. */
const everything = (): ReadonlyMap<string, string> =>
  new Map([
    ...untouched(),
    ...[layout.ca, ...MEMBERS.flatMap((id) => [pathOf(id, "tls.crt"), pathOf(id, "tls.next.crt")])]
      .filter((file) => existsSync(file))
      .map((file): [string, string] => [file, readFileSync(file, "latin1")]),
  ]);

describe("renewed certificates", () => {
  it("are of the same keys, of an authority that is trusted beside that of before; nothing else changes", async () => {
    const [before, filesBefore] = [await allStart(), untouched()];
    const caBefore = ca();
    const renewed = await renew();
    expect(renewed.map(({ id }) => id)).toEqual(MEMBERS);
    for (const { ends } of renewed) expect((ends.getTime() - Date.now()) / DAY_MS).toBeCloseTo(730, 1);
    const after = await allStart();
    expect(after.map(({ role }) => role)).toEqual(before.map(({ role }) => role));
    for (const [at, { certificate, key }] of after.entries()) {
      expect(certificate).not.toBe(before[at]?.certificate);
      expect(before[at]?.key.equals(key)).toBe(true);
    }
    expect(untouched()).toEqual(filesBefore);
    expect(ca()).toContain(caBefore.trim());
    expect(authoritiesIn(ca())).toBe(2);
  });

  it("stand beside those of before, which the new ca.crt accepts too", async () => {
    const before = await allStart();
    await renew();
    for (const [at, id] of MEMBERS.entries()) await started(id, ca(), before[at]?.certificate);
  });

  it("take the place of those that have ended", async () => {
    const { clusterId, role, key } = await started("signer-1");
    const now = new Date();
    const authority = await makeCertificateAuthority(clusterId, now);
    writeFileSync(layout.ca, withAuthority(ca(), authority.certificate, now.getTime(), []));
    const ended = await certifyKey(authority, { role, now, days: -1 }, createPublicKey(key));
    writeFileSync(pathOf("signer-1", "tls.crt"), ended);
    const [renewed] = await renew();
    expect(renewed?.ends.getTime()).toBeGreaterThan(now.getTime());
    await allStart();
  });

  it("can be renewed again", async () => {
    await renew();
    await renew();
    await allStart();
    expect(authoritiesIn(ca())).toBe(3);
  });

  it("of one member alone leave those of the others", async () => {
    const before = await allStart();
    expect((await renew({ only: ["signer-2", "orchestrator"] })).map(({ id }) => id)).toEqual([
      "signer-2",
      "orchestrator",
    ]);
    const changed = (await allStart()).map(({ certificate }, at) => certificate !== before[at]?.certificate);
    expect(changed).toEqual([false, true, false, true]);
  });

  it("end authorities that have ended themselves, and no other", async () => {
    const { clusterId } = await started("signer-1");
    const ended = await makeCertificateAuthority(clusterId, new Date(Date.now() - 3_651 * DAY_MS));
    const idle = await makeCertificateAuthority(clusterId, new Date(Date.now() - 3_649 * DAY_MS));
    writeFileSync(layout.ca, `${ended.certificate}\n${ca()}\n${idle.certificate}\n`);
    await renew();
    expect(ca()).not.toContain(ended.certificate.trim());
    expect(ca()).toContain(idle.certificate.trim());
    expect(authoritiesIn(ca())).toBe(3);
    await allStart();
  });
});

it("ca.crt and certificates can be read by all who could read them before, whatever the process's mask", async () => {
  const modes = () => [layout.ca, pathOf("signer-1", "tls.crt")].map((file) => statSync(file).mode & 0o777);
  const mask = process.umask(0o077);
  try {
    await renew();
  } finally {
    process.umask(mask);
  }
  expect(modes()).toEqual([0o644, 0o644]);
});

describe("halves", () => {
  it("a prepared certificate is trusted, and in force only after the switch", async () => {
    const before = await allStart();
    await renew({ half: "prepare" });
    const prepared = await allStart();
    expect(prepared.map(({ certificate }) => certificate)).toEqual(
      before.map(({ certificate }) => certificate),
    );
    expect(authoritiesIn(ca())).toBe(2);
    const next = MEMBERS.map((id) => textOf(id, "tls.next.crt"));
    await renew({ half: "switch" });
    expect((await allStart()).map(({ certificate }) => certificate)).toEqual(next);
    expect(MEMBERS.filter((id) => existsSync(pathOf(id, "tls.next.crt")))).toEqual([]);
    expect(authoritiesIn(ca())).toBe(2);
  });

  it("a prepared renewal stays as it is while another signer gets a new identity, and is refused for that one", async () => {
    await renew({ half: "prepare" });
    const ofLost = textOf("signer-2", "tls.next.crt");
    rmSync(layout.signer(2), { recursive: true });
    await renewIdentity(layout.root, "signer-2");
    writeFileSync(pathOf("signer-2", "tls.next.crt"), ofLost);
    await expect(renew({ half: "switch" })).rejects.toThrow("prepared for signer-2 is of another key");
    await renew({ half: "switch", only: ["signer-1", "signer-3", "orchestrator"] });
    await allStart();
    await renew();
    await allStart();
  });
});

/** Every step of a command, in order. */
const stepsOf = async (request: Omit<CertificateRenewal, "state">): Promise<readonly string[]> => {
  const steps: string[] = [];
  await renew(request, (step) => steps.push(step));
  return steps;
};

const PREPARED = MEMBERS.map((id) => `${id} prepared`);
const IN_FORCE = MEMBERS.map((id) => `${id} in force`);

describe("a renewal that is interrupted", () => {
  it("has these steps: the authority is trusted before any certificate of it is there", async () => {
    expect(await stepsOf({})).toEqual(["authority", ...PREPARED, ...IN_FORCE]);
    expect(await stepsOf({ half: "prepare" })).toEqual(["authority", ...PREPARED]);
    expect(await stepsOf({ half: "switch" })).toEqual(IN_FORCE);
  });

  it.each(["authority", ...PREPARED, ...IN_FORCE])("after %s is finished by the same command", async (at) => {
    const [before, filesBefore] = [await allStart(), untouched()];
    await interrupt({}, at);
    await allStart();
    // each member also starts with the certificate that it has used so far
    for (const [of, id] of MEMBERS.entries()) await started(id, ca(), before[of]?.certificate);
    await renew();
    const certificates = (await allStart()).map(({ certificate }) => certificate);
    expect(certificates.filter((one, of) => one === before[of]?.certificate)).toEqual([]);
    expect(untouched()).toEqual(filesBefore);
    expect(MEMBERS.filter((id) => existsSync(pathOf(id, "tls.next.crt")))).toEqual([]);
  });

  it.each(["authority", ...PREPARED])("after %s of the first half is prepared again", async (at) => {
    const before = await allStart();
    await interrupt({ half: "prepare" }, at);
    expect(await allStart()).toMatchObject(before.map(({ certificate }) => ({ certificate })));
    await renew({ half: "prepare" });
    await renew({ half: "switch" });
    await allStart();
  });

  it.each(IN_FORCE.slice(0, -1))("after %s of the second half goes on with what is left", async (at) => {
    await renew({ half: "prepare" });
    const next = MEMBERS.map((id) => textOf(id, "tls.next.crt"));
    await interrupt({ half: "switch" }, at);
    await allStart();
    await renew({ half: "switch" });
    expect((await allStart()).map(({ certificate }) => certificate)).toEqual(next);
  });

  it("in the first half, is not put in force for only some members", async () => {
    await interrupt({ half: "prepare" }, "signer-2 prepared");
    const before = everything();
    await expect(renew({ half: "switch" })).rejects.toThrow(
      "no certificate is prepared for signer-3, orchestrator",
    );
    expect(everything()).toEqual(before);
  });
});

describe("links", () => {
  const bothWays = async (a: TlsIdentity, b: TlsIdentity): Promise<readonly boolean[]> => [
    await linkOpens(a, b),
    await linkOpens(b, a),
  ];

  it("between halves open, in both directions, in any order of restarts", async () => {
    const [first, second] = [await started("signer-1"), await started("signer-2")];
    await renew({ half: "prepare" });
    const prepared = await started("signer-1");
    expect(await bothWays(prepared, second)).toEqual([true, true]);
    const secondPrepared = await started("signer-2");
    await renew({ half: "switch" });
    const switched = await started("signer-1");
    expect(await bothWays(switched, secondPrepared)).toEqual([true, true]);
    expect(await bothWays(switched, await started("signer-2"))).toEqual([true, true]);
    expect(await linkOpens(switched, await started("orchestrator"))).toBe(true);
    // a member that did not read the new ca.crt before the switch has no links with switched members
    expect(await bothWays(switched, second)).toEqual([false, false]);
    expect(await bothWays(first, second)).toEqual([true, true]);
  });

  it("after both at once open between those that were restarted, and between those that were not", async () => {
    const [first, second] = [await started("signer-1"), await started("signer-2")];
    await renew();
    expect(await bothWays(first, second)).toEqual([true, true]);
    expect(await bothWays(await started("signer-1"), second)).toEqual([false, false]);
    expect(await bothWays(await started("signer-1"), await started("signer-2"))).toEqual([true, true]);
  });
});

describe("a member whose folder here has its certificate alone", () => {
  it("is renewed by its certificate: its key and passphrase stay where they are", async () => {
    const { key, certificate } = await started("signer-2");
    const elsewhere = mkdtempSync(join(tmpdir(), "conclave-elsewhere-"));
    for (const name of ["tls.key", "passphrase.key"])
      writeFileSync(join(elsewhere, name), textOf("signer-2", name));
    rmSync(layout.signer(2), { recursive: true });
    await expect(renew()).rejects.toThrow("there is no certificate of signer-2");
    mkdirSync(layout.signer(2));
    writeFileSync(pathOf("signer-2", "tls.crt"), certificate);
    const renewed = await renew();
    expect(renewed.filter(({ isElsewhere }) => isElsewhere).map(({ id }) => id)).toEqual(["signer-2"]);
    expect(textOf("signer-2", "tls.crt")).not.toBe(certificate);
    for (const name of ["tls.key", "passphrase.key"]) {
      writeFileSync(pathOf("signer-2", name), readFileSync(join(elsewhere, name)));
    }
    expect((await started("signer-2")).key.equals(key)).toBe(true);
  });

  it("is renewed as well where its passphrase alone is elsewhere", async () => {
    const passphrase = textOf("signer-2", "passphrase.key");
    rmSync(pathOf("signer-2", "passphrase.key"));
    await renew();
    writeFileSync(pathOf("signer-2", "passphrase.key"), passphrase);
    await allStart();
  });
});

it("two renewals at once are one, of whichever kind: the other is refused", async () => {
  rmSync(layout.signer(2), { recursive: true });
  const both = await Promise.allSettled([
    renewIdentity(layout.root, "signer-2"),
    renew({ only: ["signer-1", "signer-3", "orchestrator"] }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both.find(({ status }) => status === "rejected")).toMatchObject({
    reason: {
      message: expect.stringContaining("another renew-identity, renew-certificates or roster command runs"),
    },
  });
  expect(existsSync(join(layout.cluster, "renewing"))).toBe(false);
});

describe("INV-9 nothing is written, and the remedy is said,", () => {
  const cases: readonly (readonly [string, () => unknown, Omit<CertificateRenewal, "state">, string])[] = [
    ["without a roster", () => rmSync(layout.roster), {}, "roster.json is missing"],
    ["without authorities", () => rmSync(layout.ca), {}, "ca.crt is missing"],
    [
      "of a member that there is not",
      () => undefined,
      { only: ["signer-1", "signer-4"] },
      "no member signer-4",
    ],
    ["of no member", () => undefined, { only: [] }, "no member is named"],
    [
      "with a passphrase that does not open the key",
      () => writeFileSync(pathOf("signer-3", "passphrase.key"), makePassphrase().reveal()),
      {},
      "The passphrase does not open",
    ],
    [
      "with what is no passphrase",
      () => writeFileSync(pathOf("signer-3", "passphrase.key"), "short"),
      {},
      "32 bytes in hex",
    ],
    ["with a key that is lost", () => rmSync(pathOf("orchestrator", "tls.key")), {}, "has lost its key"],
    [
      "with another's key",
      () => {
        for (const name of ["tls.key", "passphrase.key"])
          writeFileSync(pathOf("signer-1", name), textOf("signer-2", name));
      },
      {},
      "of another key",
    ],
    [
      "with another's certificate",
      () => writeFileSync(pathOf("signer-1", "tls.crt"), textOf("signer-2", "tls.crt")),
      {},
      "tls.crt is not of signer-1",
    ],
    [
      "with what is no certificate",
      () => writeFileSync(pathOf("signer-1", "tls.crt"), "no"),
      {},
      "Not a certificate",
    ],
    [
      "where the certificate of a key that is not here is of no authority that is trusted",
      async () => {
        const { clusterId } = await loadRoster(layout.roster);
        writeFileSync(layout.ca, (await makeCertificateAuthority(clusterId, new Date())).certificate);
        rmSync(pathOf("signer-1", "passphrase.key"));
      },
      {},
      "not signed by the cluster's authority",
    ],
    [
      "where nothing is prepared",
      () => undefined,
      { half: "switch" },
      "no certificate is prepared for signer-1",
    ],
    [
      "where what is prepared is no certificate",
      async () => {
        await renew({ half: "prepare" });
        writeFileSync(pathOf("signer-2", "tls.next.crt"), "no");
      },
      { half: "switch" },
      "prepared for signer-2 cannot be used: Not a certificate",
    ],
    [
      "where the key is of another kind",
      () => {
        const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
        const passphrase = makePassphrase();
        writeFileSync(pathOf("signer-1", "passphrase.key"), passphrase.reveal());
        writeFileSync(pathOf("signer-1", "tls.key"), sealPrivateKey(privateKey, passphrase));
      },
      {},
      "not of the curve P-256",
    ],
  ];

  it.each(cases)("%s", async (_, spoil, request, message) => {
    await spoil();
    const before = everything();
    const refused = renew(request);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(LaunchError);
    expect(everything()).toEqual(before);
  });

  it("in a folder without a cluster", async () => {
    const state = join(layout.root, "elsewhere");
    await expect(renewCertificates({ state })).rejects.toThrow("there is no cluster");
    expect(existsSync(state)).toBe(false);
  });
});
