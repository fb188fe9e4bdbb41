import { makeLogger } from "@conclave/platform/logger";
import { processWorld } from "@conclave/platform/world";
import { Secret } from "@conclave/threshold";
import { expect, test } from "vitest";
import { openRecords } from "./records.ts";
import { startSigner } from "./signer.ts";
import { provision, settingsOf } from "./testing/cluster.ts";

/** A signer's error about a store in which its auxiliary information is this text. */
const refusals = async (stored: string) => {
  const settings = await settingsOf(await provision(2, 2), 1);
  const opened = await openRecords(
    settings.vaultFolder,
    settings.passphrase,
    settings.identity.identityKey,
    settings.machine.reader,
  );
  if (!opened.ok) throw new Error(opened.problem.message);
  await opened.value.vault.put("auxiliary/current", new Secret(new Uint8Array(Buffer.from(stored))));
  await opened.value.vault.close();
  const begin = () =>
    startSigner(settings, {
      world: processWorld,
      log: makeLogger({ name: "signer-1", level: "silent" }),
      failed: (error) => expect.fail(String(error)),
    });
  // the refused signer closes the store, so that a signer of the newer version can open it
  return [await begin(), await begin()];
};

test("a store in which a newer version wrote what this one cannot read is refused, with the remedy", async () => {
  const problem = {
    code: "StoreNewer",
    message: "This version cannot read auxiliary/current in the store: a newer one wrote it.",
  };
  expect(await refusals(JSON.stringify({ version: 9 }))).toMatchObject([
    { ok: false, problem },
    { ok: false, problem },
  ]);
});

test.each([
  ["of our own version", JSON.stringify({ version: 1, auxiliary: "damaged" })],
  ["without a version", "{}"],
  ["that is no JSON", '{"version":1,'],
])("a record %s that cannot be read may be damaged, and both are said", async (_, stored) => {
  const message = expect.stringMatching(/auxiliary\/current .* damaged .* or a newer version wrote it/);
  const [refused] = await refusals(stored);
  expect(refused).toMatchObject({ ok: false, problem: { code: "StoreNewer", message } });
});
