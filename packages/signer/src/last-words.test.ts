import { ERRORS } from "@conclave/custody";
import { makeLogger } from "@conclave/platform/logger";
import { sourceSearch, sourceWorker } from "@conclave/platform/testing";
import { AlteredStore, openTable } from "@conclave/platform/vault";
import { processWorld } from "@conclave/platform/world";
import { Secret } from "@conclave/threshold";
import { expect, test } from "vitest";
import { logLastWords } from "./last-words.ts";
import { openRecords } from "./records.ts";
import { startSigner } from "./signer.ts";
import { provision, settingsOf } from "./testing/cluster.ts";

const listening = () => {
  const lines: unknown[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { lines, log: makeLogger({ name: "signer-1", level: "fatal", destination }) };
};

const REMEDY = expect.stringContaining(ERRORS.StoreAltered.remedy);

test("a store that was altered is named with its entry and the remedy, also below what a write made of it", () => {
  const { lines, log } = listening();
  const altered = new AlteredStore("record/request/1");
  logLastWords(log, altered);
  logLastWords(log, new Error("the store could not be written", { cause: altered }));
  const said = { code: "StoreAltered", entry: "record/request/1", msg: REMEDY };
  expect(lines).toMatchObject([said, said]);
});

test("any other failure is reported as it is", () => {
  const { lines, log } = listening();
  logLastWords(log, new Error("the disk is full"));
  expect(lines).toMatchObject([{ msg: "the signer cannot go on", err: { message: "the disk is full" } }]);
  expect(lines).not.toMatchObject([{ code: expect.anything() }]);
});

test("INV-4 a signer whose store lost an entry that no start reads ends, and says what helps", async () => {
  const settings = await settingsOf(await provision(2, 2), 1);
  const { vaultFolder, passphrase, identity, machine } = settings;
  const opened = await openRecords(vaultFolder, passphrase, identity.identityKey, machine.reader);
  if (!opened.ok) throw new Error(opened.problem.message);
  await opened.value.vault.put("session/ab", new Secret(new Uint8Array(8)));
  await opened.value.vault.close();
  const table = await openTable(vaultFolder);
  if (!table.ok) throw new Error(table.problem.message);
  await table.value.del("record/session/ab", { sync: true });
  await table.value.close();
  const { lines, log } = listening();
  const options = { world: processWorld, log, workerEntry: sourceWorker(), searchEntry: sourceSearch() };
  let started: Awaited<ReturnType<typeof startSigner>> | undefined;
  await new Promise<void>((failed, refused) => {
    startSigner(settings, { ...options, failed: () => failed() }).then((result) => {
      started = result;
    }, refused);
  });
  await expect.poll(() => started?.ok).toBe(true);
  if (started?.ok === true) await started.value.stop();
  expect(lines).toContainEqual(expect.objectContaining({ code: "StoreAltered", msg: REMEDY }));
});
