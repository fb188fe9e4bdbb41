import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadIdentity, loadPassphrase, loadRoster, loadTls } from "@conclave/platform";
import { beforeEach, expect, it } from "vitest";
import { type StateLayout, stateLayout } from "../state/layout.ts";
import { provisionFiles } from "./files.ts";
import { renewIdentity } from "./renew-identity.ts";

let layout: StateLayout;

beforeEach(async () => {
  const state = mkdtempSync(join(tmpdir(), "conclave-renew-"));
  await provisionFiles({ state, signers: 3, threshold: 2, rpcUrl: "http://anvil:8545", signerPort: 7000 });
  layout = stateLayout(state);
});

/** Whether what lies in a signer's folder opens, belongs together, and is what the roster says. */
const isSigner = async (index: number): Promise<boolean> => {
  const folder = layout.signer(index);
  const textOf = (name: string) => readFileSync(join(folder, name), "utf8");
  const { clusterId, signers } = await loadRoster(layout.roster);
  const passphrase = await loadPassphrase({ keyFile: join(folder, "passphrase.key") });
  if (!passphrase.ok) return false;
  const files = {
    authority: readFileSync(layout.ca, "utf8"),
    certificate: textOf("tls.crt"),
    key: textOf("tls.key"),
  };
  const tls = loadTls(files, clusterId, passphrase.value);
  const identity = loadIdentity(textOf("identity.key"), passphrase.value);
  if (!tls.ok || !identity.ok) return false;
  const key = Buffer.from(identity.value.identityKey).toString("hex");
  return key === signers[index - 1]?.identityKey;
};

it("a signer that lost its folder starts again under another identity, and so do the others", async () => {
  const before = await loadRoster(layout.roster);
  rmSync(layout.signer(2), { recursive: true });
  expect(await isSigner(2)).toBe(false);
  await renewIdentity(layout.root, "signer-2");
  const after = await loadRoster(layout.roster);
  const [first, lost, third] = before.signers;
  expect(after).toMatchObject({
    ...before,
    signers: [first, { id: "signer-2", address: lost?.address }, third],
  });
  expect(after.signers[1]?.identityKey).not.toBe(lost?.identityKey);
  expect(await Promise.all([1, 2, 3].map(isSigner))).toEqual([true, true, true]);
});

it("one that has its keys or its store is left alone", async () => {
  const files = () => [layout.roster, layout.ca].map((file) => readFileSync(file, "utf8"));
  const before = files();
  await expect(renewIdentity(layout.root, "signer-2")).rejects.toThrow("identity.key in");
  rmSync(layout.signer(2), { recursive: true });
  mkdirSync(join(layout.signer(2), "vault"), { recursive: true });
  await expect(renewIdentity(layout.root, "signer-2")).rejects.toThrow("vault in");
  expect(files()).toEqual(before);
});

it("INV-9 a signer that there is not, and a folder without a cluster, are refused", async () => {
  await expect(renewIdentity(layout.root, "signer-4")).rejects.toThrow("there is no signer signer-4");
  await expect(renewIdentity(join(layout.root, "elsewhere"), "signer-1")).rejects.toThrow(
    "there is no cluster",
  );
});
