import { createPublicKey, X509Certificate } from "node:crypto";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { certifyKey, makeCertificateAuthority, type Role } from "@conclave/platform";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LaunchError } from "../launch-error.ts";
import { DAY_MS, linkOpens, MEMBERS, ProvisionedMembers } from "./testing/provisioned-members.ts";

let cluster: ProvisionedMembers;

beforeEach(async () => {
  cluster = await ProvisionedMembers.make();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sets the clock of this machine; 0 makes it right again. */
const setClock = (aheadMs: number): void => {
  vi.useRealTimers();
  if (aheadMs !== 0) vi.useFakeTimers({ now: Date.now() + aheadMs, toFake: ["Date"] });
};

const endOf = (id: string): number => Date.parse(new X509Certificate(cluster.textOf(id, "tls.crt")).validTo);
const prepared = (): readonly string[] => MEMBERS.map((id) => cluster.textOf(id, "tls.next.crt"));
const inForce = (): readonly string[] => MEMBERS.map((id) => cluster.textOf(id, "tls.crt"));

describe("an authority that has ended, of which members have their certificates,", () => {
  it("stays in ca.crt: each starts at any step, and the command finishes what it began", async () => {
    setClock(4_015 * DAY_MS);
    await cluster.renew({ half: "prepare" });
    await cluster.allStart();
    await cluster.renew({ half: "switch" });
    await cluster.allStart();
  });

  it("stays in ca.crt when both is done at once", async () => {
    setClock(4_015 * DAY_MS);
    await cluster.renew();
    await cluster.allStart();
  });

  it("stays for those that are not named", async () => {
    setClock(4_015 * DAY_MS);
    await cluster.renew({ only: ["signer-1"] });
    await cluster.allStart();
  });

  it("is dropped once none has", async () => {
    const before = cluster.ca().trim();
    setClock(4_015 * DAY_MS);
    await cluster.renew();
    expect(cluster.ca()).toContain(before);
    await cluster.renew();
    expect(cluster.ca()).not.toContain(before);
    await cluster.allStart();
  });
});

describe("--switch puts nothing in force, and says to prepare again,", () => {
  it.each([
    ["that is not valid yet", 300 * DAY_MS, 0, "is not valid before"],
    ["that ends before what is in force", -700 * DAY_MS, 0, "before the one in force"],
    ["that has ended", 0, 800 * DAY_MS, "has ended"],
  ])("%s", async (_, preparedAtMs, switchedAtMs, message) => {
    const before = inForce();
    setClock(preparedAtMs);
    await cluster.renew({ half: "prepare" });
    setClock(switchedAtMs);
    const refused = cluster.renew({ half: "switch" });
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toMatchObject({ remedy: expect.stringContaining("--prepare") });
    expect(inForce()).toEqual(before);
    await cluster.renew({ half: "prepare" });
    await cluster.renew({ half: "switch" });
    await cluster.allStart();
  });

  it("of more than one renewal", async () => {
    await cluster.renew({ half: "prepare", only: ["signer-1"] });
    await cluster.renew({ half: "prepare", only: ["signer-2", "signer-3", "orchestrator"] });
    const before = inForce();
    const refused = cluster.renew({ half: "switch" });
    await expect(refused).rejects.toThrow("more than one renewal");
    await expect(refused).rejects.toBeInstanceOf(LaunchError);
    expect(inForce()).toEqual(before);
  });
});

describe("both at once", () => {
  it("write nothing where the clock is so far behind that certificates would end earlier", async () => {
    const [before, ca] = [inForce(), cluster.ca()];
    setClock(-700 * DAY_MS);
    await expect(cluster.renew()).rejects.toThrow("before the one in force");
    expect([inForce(), cluster.ca()]).toEqual([before, ca]);
  });

  it("do so where it was set back by less than a day", async () => {
    setClock(DAY_MS / 2);
    await cluster.renew();
    setClock(0);
    await cluster.renew();
    expect(endOf("signer-1")).toBeLessThan(Date.now() + 731 * DAY_MS);
  });
});

it("a turn of a command that crashed while the clock was ahead ends", async () => {
  const turn = join(cluster.layout.cluster, "renewing");
  writeFileSync(turn, "a crash left it");
  const ahead = new Date(Date.now() + 300 * DAY_MS);
  utimesSync(turn, ahead, ahead);
  await cluster.renew({ half: "prepare" });
});

describe("--prepare given again", () => {
  it("leaves what was prepared, because processes may have been restarted for it", async () => {
    const first = await cluster.renew({ half: "prepare" });
    expect(first.map(({ isMadeBefore }) => isMadeBefore)).toEqual(MEMBERS.map(() => false));
    const [before, ca] = [prepared(), cluster.ca()];
    const restarted = await cluster.started("signer-2");
    const again = await cluster.renew({ half: "prepare" });
    expect(again).toEqual(first.map((member) => ({ ...member, isMadeBefore: true })));
    expect([prepared(), cluster.ca()]).toEqual([before, ca]);
    await cluster.renew({ half: "switch" });
    expect(await linkOpens(restarted, await cluster.started("signer-1"))).toBe(true);
  });

  it("leaves it also if it was given for some of them, and both at once put it in force", async () => {
    await cluster.renew({ half: "prepare" });
    const before = prepared();
    await cluster.renew({ half: "prepare", only: ["signer-3"] });
    expect(prepared()).toEqual(before);
    await cluster.renew();
    expect(inForce()).toEqual(before);
  });

  it.each<readonly [string, () => unknown]>([
    ["where it was interrupted", () => cluster.interrupt({ half: "prepare" }, "signer-2 prepared")],
    [
      "where it was prepared long ago",
      async () => {
        setClock(-20 * DAY_MS);
        await cluster.renew({ half: "prepare" });
        setClock(0);
      },
    ],
    [
      "where it is not valid yet",
      async () => {
        setClock(DAY_MS);
        await cluster.renew({ half: "prepare" });
        setClock(0);
      },
    ],
    [
      "where ca.crt has not its authority",
      async () => {
        const before = cluster.ca();
        await cluster.renew({ half: "prepare" });
        writeFileSync(cluster.layout.ca, before);
      },
    ],
    [
      "where it is of more than one",
      async () => {
        await cluster.renew({ half: "prepare", only: ["signer-1"] });
        await cluster.renew({ half: "prepare", only: ["signer-2", "signer-3", "orchestrator"] });
      },
    ],
    [
      "where it is of another key",
      async () => {
        await cluster.renew({ half: "prepare" });
        const { clusterId, key } = await cluster.started("signer-1");
        const authority = await makeCertificateAuthority(clusterId, new Date());
        writeFileSync(cluster.layout.ca, `${cluster.ca()}${authority.certificate}\n`);
        const role: Role = { kind: "orchestrator" };
        const other = await certifyKey(authority, { role, now: new Date() }, createPublicKey(key));
        writeFileSync(cluster.pathOf("orchestrator", "tls.next.crt"), other);
      },
    ],
  ])("makes all anew %s", async (_, leave) => {
    await leave();
    const made = await cluster.renew({ half: "prepare" });
    expect(made.map(({ isMadeBefore }) => isMadeBefore)).toEqual(MEMBERS.map(() => false));
    await cluster.renew({ half: "switch" });
    await cluster.allStart();
  });
});
