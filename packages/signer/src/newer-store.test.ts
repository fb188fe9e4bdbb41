import { makeLogger } from "@conclave/platform/logger";
import { processWorld } from "@conclave/platform/world";
import { Secret } from "@conclave/threshold";
import { expect, test } from "vitest";
import { openRecords } from "./records.ts";
import { startSigner } from "./signer.ts";
import { provision, settingsOf } from "./testing/cluster.ts";

test("a store in which a newer version wrote what this one cannot read is refused, with the remedy", async () => {
  const settings = await settingsOf(await provision(2, 2), 1);
  const opened = await openRecords(settings.vaultFolder, settings.passphrase, settings.brain.reader);
  if (!opened.ok) throw new Error(opened.problem.message);
  const value = new Secret(new Uint8Array(Buffer.from(JSON.stringify({ version: 9 }))));
  await opened.value.vault.put("auxiliary/current", value);
  await opened.value.vault.close();
  const begin = () =>
    startSigner(settings, {
      world: processWorld,
      log: makeLogger({ name: "signer-1", level: "silent" }),
      failed: (error) => expect.fail(String(error)),
    });
  const refusal = { code: "StoreNewer", message: expect.stringContaining("auxiliary/current") };
  expect(await begin()).toMatchObject({ ok: false, problem: refusal });
  // it lets go of the store: a signer of that version may start
  expect(await begin()).toMatchObject({ ok: false, problem: refusal });
});
