import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import {
  importDecryptionKeyOf,
  importEncryptionKeyOf,
  type PartyIndex,
  partyIndex,
  Secret,
} from "@conclave/threshold";
import { describe, expect, test } from "vitest";
import { makeCertificateAuthority, makeLeaf } from "./authority.ts";
import { loadIdentity, loadSigningKey, makeIdentity } from "./identity.ts";
import { loadPassphrase, makePassphrase } from "./passphrase.ts";
import { openPrivateKey } from "./private-key.ts";
import { roleOf } from "./role.ts";
import { loadTls, warnOfCertificateEnd } from "./tls.ts";

const CLUSTER = "first-light";
const NOW = new Date("2026-01-02T03:04:05Z");
const passphrase = makePassphrase();

const party = (index: number): PartyIndex => {
  const known = partyIndex(index);
  if (known === undefined) throw new RangeError("no party index");
  return known;
};

const signer = (index: number) => ({ kind: "signer", index: party(index) }) as const;

const problemOf = (result: { readonly ok: boolean; readonly problem?: { readonly code: string } }) =>
  result.ok ? "ok" : result.problem?.code;

describe("certificates", () => {
  test("a leaf carries its role and opens with its passphrase", async () => {
    const authority = await makeCertificateAuthority(CLUSTER, NOW);
    const leaf = await makeLeaf(authority, { role: signer(3), passphrase, now: NOW });
    const tls = loadTls({ ...leaf, authority: authority.certificate }, CLUSTER, passphrase);
    expect(tls).toMatchObject({
      ok: true,
      value: { role: { kind: "signer", index: 3 }, clusterId: CLUSTER },
    });
  });

  test("a leaf is signed by its authority, for both ends of a link, and is no authority itself", async () => {
    const authority = await makeCertificateAuthority(CLUSTER, NOW);
    const leaf = await makeLeaf(authority, {
      role: { kind: "orchestrator" },
      passphrase,
      now: NOW,
      hosts: ["a.test"],
    });
    const certificate = new X509Certificate(leaf.certificate);
    expect(certificate.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
    expect(certificate.subjectAltName).toBe(
      `DNS:localhost, IP Address:127.0.0.1, DNS:a.test, URI:conclave://${CLUSTER}/orchestrator`,
    );
  });

  test.each([
    [730, []],
    [61, []],
    [59, ["2026-03-02"]],
    [-1, ["2026-01-01"]],
  ])("a starting process warns of one that ends within 60 days: %s", async (days, dates) => {
    const authority = await makeCertificateAuthority(CLUSTER, NOW);
    const leaf = await makeLeaf(authority, { role: signer(1), passphrase, now: NOW, days });
    const tls = loadTls({ ...leaf, authority: authority.certificate }, CLUSTER, passphrase);
    if (!tls.ok) throw new Error(tls.problem.message);
    const warned: string[] = [];
    warnOfCertificateEnd(tls.value, NOW.getTime(), { warn: (_, message) => warned.push(message) });
    expect(warned).toEqual(
      dates.map((date) => expect.stringMatching(`ends on ${date}: .*conclave renew-certificates`)),
    );
  });

  test("a private key on disk shows nothing in clear and a wrong passphrase is a refusal (INV-10)", async () => {
    const authority = await makeCertificateAuthority(CLUSTER, NOW);
    const leaf = await makeLeaf(authority, { role: signer(1), passphrase, now: NOW });
    expect(leaf.key).toContain("BEGIN ENCRYPTED PRIVATE KEY");
    expect(problemOf(openPrivateKey(leaf.key, makePassphrase()))).toBe("PassphraseWrong");
  });

  test("a private key that lies in clear is refused", () => {
    expect(problemOf(openPrivateKey("-----BEGIN PRIVATE KEY-----\n", passphrase))).toBe("PassphraseWrong");
  });

  test("a leaf may be signed by any of the authorities that the cluster names", async () => {
    const [first, later] = [
      await makeCertificateAuthority(CLUSTER, NOW),
      await makeCertificateAuthority(CLUSTER, NOW),
    ];
    const authority = `${first.certificate}\n${later.certificate}\n`;
    for (const by of [first, later]) {
      const leaf = await makeLeaf(by, { role: signer(1), passphrase, now: NOW });
      expect(problemOf(loadTls({ ...leaf, authority }, CLUSTER, passphrase))).toBe("ok");
    }
  });

  test("a certificate of another authority, key or cluster is refused", async () => {
    const [ours, theirs] = [
      await makeCertificateAuthority(CLUSTER, NOW),
      await makeCertificateAuthority(CLUSTER, NOW),
    ];
    const leaf = await makeLeaf(ours, { role: signer(1), passphrase, now: NOW });
    const other = await makeLeaf(ours, { role: signer(1), passphrase, now: NOW });
    const authority = ours.certificate;
    expect(problemOf(loadTls({ ...leaf, authority: theirs.certificate }, CLUSTER, passphrase))).toBe(
      "CertificateInvalid",
    );
    expect(problemOf(loadTls({ ...leaf, authority, key: other.key }, CLUSTER, passphrase))).toBe(
      "CertificateInvalid",
    );
    expect(problemOf(loadTls({ ...leaf, authority }, "elsewhere", passphrase))).toBe("CertificateInvalid");
    expect(problemOf(loadTls({ ...leaf, authority: "no" }, CLUSTER, passphrase))).toBe("CertificateInvalid");
  });
});

describe("roles", () => {
  test.each([
    ["URI:conclave://c/orchestrator", { kind: "orchestrator" }],
    ["DNS:localhost, URI:conclave://c/signer/12", { kind: "signer", index: 12 }],
    ["URI:conclave://c/signer/0", undefined],
    ["URI:conclave://c/signer/01", undefined],
    ["URI:conclave://c/signer/65", undefined],
    ["URI:conclave://c/signer/1/x", undefined],
    ["URI:conclave://d/signer/1", undefined],
    ["URI:conclave://c/signer/1, URI:conclave://c/signer/2", undefined],
    ["DNS:conclave://c/signer/1", undefined],
    ["", undefined],
  ])("%s", (subjectaltname, role) => {
    expect(roleOf({ subjectaltname }, "c")).toEqual(role);
  });
});

describe("identities", () => {
  test("an identity opens to the public keys that it was made with", () => {
    const identity = makeIdentity(passphrase);
    const { identityKey, encryptionKey, importKey } = identity;
    expect(importKey).toHaveLength(34);
    expect(loadIdentity(identity.key, passphrase)).toMatchObject({
      ok: true,
      value: { identityKey, encryptionKey, importKey },
    });
  });

  test("the import key to which clients encrypt belongs to the key that decrypts", () => {
    for (let at = 0; at < 20; at += 1) {
      const { key, importKey } = makeIdentity(passphrase);
      const loaded = loadIdentity(key, passphrase);
      if (!loaded.ok) throw new Error(loaded.problem.message);
      expect(importKey).toEqual(importEncryptionKeyOf(importDecryptionKeyOf(loaded.value.secrets)));
    }
  });

  test("the two secrets of an identity differ and do not print (INV-10)", () => {
    const loaded = loadIdentity(makeIdentity(passphrase).key, passphrase);
    if (!loaded.ok) throw new Error(loaded.problem.message);
    const { identity, encryption } = loaded.value.secrets.reveal();
    expect(Buffer.from(identity).equals(encryption)).toBe(false);
    expect(inspect(loaded.value.secrets)).not.toContain(Buffer.from(identity).toString("hex").slice(0, 8));
  });

  test("a TLS key is no identity", async () => {
    const authority = await makeCertificateAuthority(CLUSTER, NOW);
    const { key } = await makeLeaf(authority, { role: signer(1), passphrase, now: NOW });
    expect(problemOf(loadSigningKey(key, passphrase))).toBe("PassphraseWrong");
  });
});

describe("the passphrase", () => {
  test("comes from a key file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "conclave-passphrase-"));
    const keyFile = join(folder, "passphrase.key");
    await writeFile(keyFile, `${passphrase.reveal()}\n`);
    const loaded = await loadPassphrase({ keyFile });
    await rm(folder, { recursive: true });
    expect(loaded.ok && loaded.value.reveal()).toBe(passphrase.reveal());
  });

  test.each([
    ["neither", {}],
    ["both", { keyFile: "/nowhere", passphrase: "correct horse battery" }],
    ["a missing file", { keyFile: "/nowhere/passphrase.key" }],
    ["a short one", { passphrase: "short" }],
  ])("%s is refused with a remedy", async (_, source) => {
    expect(problemOf(await loadPassphrase(source))).toBe("PassphraseMissing");
  });

  test("does not print (INV-10)", () => {
    expect(`${new Secret("correct horse battery")}`).toBe("[secret]");
  });
});
