import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigurationError, loadRoster, openDatabase } from "@conclave/platform";
import { freshDatabase } from "@conclave/platform/testing";
import { LaunchError } from "@conclave/testbed/launch";
import { expect, it } from "vitest";
import { z } from "zod";
import { launchErrorOf } from "./launch-error-of.ts";

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail("it should fail"),
    (error: unknown) => error,
  );

const refusedBy = async (change: (url: URL) => void): Promise<unknown> => {
  const url = new URL(await freshDatabase());
  change(url);
  const database = openDatabase({ url: url.href, name: "cli-test" });
  const failure = await failureOf(database.rows(z.unknown(), "select 1"));
  await database.close();
  return failure;
};

it("INV-9 a login that is refused, and a database that is away, are reported with a remedy, and no password", async () => {
  const refused = await launchErrorOf(
    await refusedBy((url) => {
      url.pathname = "/nowhere";
    }),
  );
  expect(refused.message).toMatch(/refuses the login .*check DATABASE_URL/);
  const away = await launchErrorOf(
    await refusedBy((url) => {
      url.port = "1";
      url.password = "hidden";
    }),
  );
  expect([away.message, away.remedy].join(" ")).toMatch(/^the database does not answer .*DATABASE_URL/);
  expect(JSON.stringify(away)).not.toContain("hidden");
});

it("INV-9 files that are missing are named", async () => {
  const roster = await launchErrorOf(await failureOf(loadRoster("/nowhere/roster.json")));
  expect(roster.message).toContain("/nowhere/roster.json");
  expect(roster.code).toBe("RosterInvalid");
  const raw = Object.assign(new Error("ENOENT: no such file"), { code: "ENOENT", path: "/state/tls.crt" });
  expect((await launchErrorOf(raw)).message).toContain("/state/tls.crt");
});

it("a roster that is none, or was changed, is refused in one sentence with its code, and a remedy", async () => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-roster-"));
  try {
    const file = join(folder, "roster.json");
    for (const text of ["{", "{}", JSON.stringify({ "\u001b[2J": 1 })]) {
      writeFileSync(file, text);
      const { message, remedy, code } = await launchErrorOf(await failureOf(loadRoster(file)));
      expect([code, remedy]).toEqual(["RosterInvalid", expect.stringMatching(/^Name the roster .*\.$/)]);
      expect(message).toMatch(/^the cluster's roster in .+$/);
      expect(["\n", "\u001b"].filter((each) => message.includes(each))).toEqual([]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("settings that are wrong keep their own words, and a LaunchError stays what it is", async () => {
  const wrong = await launchErrorOf(new ConfigurationError("no such thing"));
  expect([wrong.message, wrong.code]).toEqual(["no such thing", undefined]);
  const known = new LaunchError("no cluster", "Start one.");
  expect(await launchErrorOf(known)).toBe(known);
});

it("a defect of ours is thrown on, with its stack", async () => {
  const defect = new TypeError("undefined is no function");
  await expect(launchErrorOf(defect)).rejects.toBe(defect);
});
