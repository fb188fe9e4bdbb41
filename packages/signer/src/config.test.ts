import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  authorisedBitcoin,
  BITCOIN_RECIPIENT,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  coinsOf,
  encodeSamplePsbt,
  inputOf,
  outputTo,
  samplePsbt,
} from "@conclave/chains/testing";
import { makePassphrase } from "@conclave/platform/certificates";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadSettings, parametersOf } from "./config.ts";
import { openRecords } from "./records.ts";
import { provision, settingsOf, type TestCluster } from "./testing/cluster.ts";

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await provision(3, 2);
});
afterAll(() => rm(cluster.folder, { recursive: true }));

const codeOf = async (changes: Record<string, string>, index = 1): Promise<string> => {
  const settings = await loadSettings({ ...cluster.environment(index), ...changes });
  return settings.ok ? "ok" : settings.problem.code;
};

describe("the security level", () => {
  test.each([
    ["CGGMP24-128", false, "production", true],
    ["CGGMP24-128", true, "production", true],
    ["INSECURE-TEST", true, undefined, true],
    ["INSECURE-TEST", true, "test", true],
    ["INSECURE-TEST", false, undefined, false],
    ["INSECURE-TEST", true, "production", false],
  ] as const)(
    "%s, allowed by variable: %s, NODE_ENV %s: accepted %s",
    (name, allowed, nodeEnvironment, accepted) => {
      const parameters = parametersOf(name, allowed, nodeEnvironment);
      expect(parameters.ok ? parameters.value.name : "refused").toBe(accepted ? name : "refused");
    },
  );
});

describe("settings", () => {
  test("name the other signers as peers and themselves not", async () => {
    const { peers, listen, id } = await settingsOf(cluster, 2);
    expect(peers.map(({ index }) => index)).toEqual([1, 3]);
    expect([id, listen]).toEqual(["signer-2", cluster.addresses[1]]);
  });

  test("show no secret when they are printed (INV-10)", async () => {
    const settings = await settingsOf(cluster, 1);
    const passphrase = settings.passphrase.reveal();
    expect(
      JSON.stringify(settings, (_, value) => (typeof value === "bigint" ? String(value) : value)),
    ).not.toContain(passphrase);
  });

  test("let keys neither come nor go unless the operator says so, each for itself", async () => {
    const permitted = async (changes: Record<string, string>) => {
      const settings = await loadSettings({ ...cluster.environment(1), ...changes });
      return settings.ok ? [settings.value.machine.keyImport, settings.value.machine.keyExport] : [];
    };
    expect(await permitted({})).toEqual(["refused", "refused"]);
    expect(await permitted({ CONCLAVE_KEY_IMPORT: "allowed" })).toEqual(["allowed", "refused"]);
    expect(await permitted({ CONCLAVE_KEY_EXPORT: "allowed" })).toEqual(["refused", "allowed"]);
    await expect(permitted({ CONCLAVE_KEY_EXPORT: "yes" })).rejects.toThrow("CONCLAVE_KEY_EXPORT");
  });

  test("name the date by which the store's marks of time are mended, or none", async () => {
    const dated = async (changes: Record<string, string>) => {
      const settings = await loadSettings({ ...cluster.environment(1), ...changes });
      return settings.ok ? settings.value.machine.mendedAtMs : undefined;
    };
    expect(await dated({})).toBeUndefined();
    expect(await dated({ CONCLAVE_MEND_CLOCK_MARKS: "" })).toBeUndefined();
    expect(await dated({ CONCLAVE_MEND_CLOCK_MARKS: "2026-11-27T10:00:00Z" })).toBe(
      Date.UTC(2026, 10, 27, 10),
    );
    await expect(dated({ CONCLAVE_MEND_CLOCK_MARKS: "now" })).rejects.toThrow("CONCLAVE_MEND_CLOCK_MARKS");
  });

  test("name the evidence whose quarantine is lifted, or none", async () => {
    const lifted = async (digests?: string) => {
      const changes = digests === undefined ? {} : { CONCLAVE_LIFT_QUARANTINE: digests };
      const settings = await loadSettings({ ...cluster.environment(1), ...changes });
      return settings.ok ? settings.value.machine.liftedEvidence : undefined;
    };
    const [one, other] = ["ab".repeat(32), "cd".repeat(32)];
    expect(await lifted()).toBeUndefined();
    expect(await lifted("")).toBeUndefined();
    expect(await lifted(one)).toEqual([one]);
    expect(await lifted(`${one},${other}`)).toEqual([one, other]);
    for (const wrong of ["all", one.slice(1), `${one} ${other}`, `${one},`]) {
      await expect(lifted(wrong)).rejects.toThrow("CONCLAVE_LIFT_QUARANTINE");
    }
  });

  test("keep the reading of a large transaction, which is signed in parts", async () => {
    const networks = join(cluster.folder, "bitcoin.json");
    await writeFile(networks, JSON.stringify([BITCOIN_SIGNET]));
    const settings = await loadSettings({ ...cluster.environment(1), CONCLAVE_NETWORKS: networks });
    if (!settings.ok) expect.fail(settings.problem.message);
    const { reader } = settings.value.machine;
    const coins = coinsOf(Array.from({ length: 200 }, () => 1_000n));
    const outputs = [outputTo(BITCOIN_RECIPIENT, 120_000n), outputTo(BITCOIN_SENDER, 60_000n)];
    const unsigned = encodeSamplePsbt(samplePsbt({ inputs: coins.map((coin) => inputOf(coin)), outputs }));
    const read = () => reader.read(BITCOIN_SIGNET.network, unsigned, authorisedBitcoin());
    const [first, second] = [read(), read()];
    if (!first.ok || !second.ok) expect.fail("it is not read");
    expect(second.value).toBe(first.value);
  });

  test("refuse reduced parameters without the variable that allows them", async () => {
    expect(await codeOf({ CONCLAVE_INSECURE_TEST_PARAMETERS: "0" })).toBe("ConfigurationInvalid");
  });

  test("refuse a wrong key file", async () => {
    const other = join(cluster.folder, "other.key");
    await writeFile(other, "ab".repeat(32));
    expect(await codeOf({ CONCLAVE_KEY_FILE: other })).toBe("PassphraseWrong");
  });

  test("refuse a passphrase beside a key file", async () => {
    expect(await codeOf({ CONCLAVE_PASSPHRASE: "correct horse battery" })).toBe("PassphraseMissing");
  });

  test("refuse the folder of another signer, by its certificate", async () => {
    expect(await codeOf({ CONCLAVE_SIGNER_DIR: join(cluster.folder, "signer-2") })).toBe(
      "CertificateInvalid",
    );
  });

  test("refuse an identity that the roster does not know", async () => {
    const mixed = join(cluster.folder, "mixed");
    await cp(join(cluster.folder, "signer-1"), mixed, { recursive: true });
    await writeFile(
      join(mixed, "identity.key"),
      await readFile(join(cluster.folder, "signer-2", "identity.key")),
    );
    expect(await codeOf({ CONCLAVE_SIGNER_DIR: mixed })).toBe("ConfigurationInvalid");
  });

  test("refuse an index that is not in the roster", async () => {
    expect(await codeOf({ CONCLAVE_SIGNER_INDEX: "4" })).toBe("ConfigurationInvalid");
  });

  test("name the variable that is missing", async () => {
    await expect(loadSettings({})).rejects.toThrow("CONCLAVE_ROSTER");
  });
});

describe("the store of a signer", () => {
  test("is refused under another passphrase, and free afterwards for the right one", async () => {
    const { passphrase, machine, identity } = await settingsOf(cluster, 1);
    const key = identity.identityKey;
    const folder = join(cluster.folder, "vault-test");
    const first = await openRecords(folder, passphrase, key, machine.reader);
    if (first.ok) await first.value.vault.close();
    const wrong = await openRecords(folder, makePassphrase(), key, machine.reader);
    expect(wrong.ok ? "ok" : wrong.problem.code).toBe("PassphraseWrong");
    const again = await openRecords(folder, passphrase, key, machine.reader);
    expect(again.ok).toBe(true);
    if (again.ok) await again.value.vault.close();
  });

  test("belongs to its identity: another signer's refuses it, and it stays as it was", async () => {
    const { passphrase, machine, identity } = await settingsOf(cluster, 1);
    const other = (await settingsOf(cluster, 2)).identity;
    const folder = join(cluster.folder, "vault-owned");
    for (const [key, code] of [
      [identity.identityKey, "ok"],
      [other.identityKey, "StoreOfAnother"],
      [identity.identityKey, "ok"],
    ] as const) {
      const opened = await openRecords(folder, passphrase, key, machine.reader);
      expect(opened.ok ? "ok" : opened.problem.code).toBe(code);
      if (opened.ok) await opened.value.vault.close();
    }
  });
});
