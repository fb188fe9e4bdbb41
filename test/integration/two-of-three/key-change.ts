import { execFile } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type ApiWallet, repositoryRoot } from "@conclave/testbed";
import { Transaction } from "ethers";
import { beforeAll, describe, expect, it } from "vitest";
import { freshReceiver, makeFundedWallet } from "../funded-wallet.ts";
import { recordsOf } from "../known-secrets.ts";
import { PATIENCE_MS } from "../patience.ts";
import { SignerAccess } from "../signer-access.ts";
import { cluster } from "./shared-two-of-three.ts";

let wallet: ApiWallet;

const confirmed = async (): Promise<Transaction> => {
  const asked = await cluster.api.transfer(wallet.id, { kind: "Native", to: freshReceiver(), amount: "1" });
  const { txHash } = await cluster.api.confirmed(asked, PATIENCE_MS);
  if (txHash === undefined) throw new Error("a confirmed transfer has a hash");
  return Transaction.from(await cluster.chain.rawTransaction(txHash));
};

/** An operator's command, and its output. */
const conclave = async (...words: readonly string[]): Promise<string> => {
  const main = join(repositoryRoot(), "packages/cli/dist/main.js");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [main, ...words, "--state", cluster.layout.root],
    { timeout: PATIENCE_MS },
  );
  return stdout;
};

/** The epochs of the wallet's key and of the auxiliary information at each signer; 0 if absent. */
const epochs = async () => {
  const signers = await SignerAccess.open(cluster);
  try {
    const holdings = await signers.holdings();
    return [...(await signers.statuses())].map(([id, { auxiliaryEpoch }]) => {
      const held = holdings.get(id) ?? [];
      const key = held.find(({ keyId, state }) => keyId === wallet.signingKey.id && state === "active");
      return { id, key: key?.epoch ?? 0, auxiliary: auxiliaryEpoch };
    });
  } finally {
    signers.close();
  }
};

/**
 * Expects all signers in one epoch of the key, and in one of the auxiliary information, which the orchestrator may renew as
 * well.
 */
const expectEpoch = async (key: number, auxiliaryMin: number): Promise<void> => {
  const held = await epochs();
  expect(held.map((signer) => signer.key)).toEqual([key, key, key]);
  const auxiliary = new Set(held.map((signer) => signer.auxiliary));
  expect(auxiliary.size).toBe(1);
  expect(Math.min(...auxiliary)).toBeGreaterThanOrEqual(auxiliaryMin);
};

/** Path of a copy of signer-3's disk from before any refresh. */
const diskBefore = (): string => join(cluster.layout.root, "disk-before");

/** Tests of operators' work with shares of keys, and with signers that lost their shares. */
export const keyChange = (): void => {
  describe("shares that change", () => {
    beforeAll(async () => {
      wallet = await makeFundedWallet(cluster);
      await cluster.kill("signer-3");
      cpSync(cluster.layout.signer(3), diskBefore(), { recursive: true });
      await cluster.restart("signer-3");
    });

    describe("an operator's refresh", () => {
      it("gives every signer new shares and new auxiliary information, under transfers that go on", async () => {
        await expectEpoch(1, 1);
        const during = confirmed();
        expect(await conclave("refresh")).toMatch(/done: 1 key refreshed\n$/);
        await expectEpoch(2, 2);
        expect((await during).from).toBe(wallet.address);
        expect((await confirmed()).from).toBe(wallet.address);
      });

      it("says so and changes nothing while a signer is away", async () => {
        await cluster.kill("signer-3");
        await expect(conclave("refresh")).rejects.toThrow(/signer-3 to answer/);
        await cluster.restart("signer-3");
        expect((await epochs()).map(({ key }) => key)).toEqual([2, 2, 2]);
      });

      it("makes a copy of a signer's disk useless: the passphrase and the present keys of records do not open the old share", async () => {
        await cluster.kill("signer-3");
        const key = `key/${wallet.signingKey.id}`;
        const before = await recordsOf(diskBefore());
        expect(before.map(({ record }) => record)).toContain(key);
        const present = join(cluster.layout.signer(3), "vault");
        const isKeys = (file: string): boolean => file.startsWith("group-keys");
        const old = join(diskBefore(), "vault");
        for (const file of readdirSync(old).filter(isKeys)) rmSync(join(old, file));
        for (const file of readdirSync(present).filter(isKeys)) cpSync(join(present, file), join(old, file));
        await expect(recordsOf(diskBefore())).rejects.toThrow(/lack the key of the record (key|auxiliary)\//);
        await cluster.restart("signer-3");
        expect((await epochs()).map((signer) => signer.key)).toEqual([2, 2, 2]);
      });
    });

    describe("a signer that lost its disk", () => {
      it("has its keys again after an operator's reprovision, and signs when it is needed", async () => {
        await cluster.kill("signer-2");
        rmSync(join(cluster.layout.signer(2), "vault"), { recursive: true });
        await cluster.restart("signer-2");
        expect((await epochs()).map(({ key }) => key)).toEqual([2, 0, 2]);
        expect(await conclave("reprovision", "signer-2")).toMatch(/done: signer-2 was given 1 key\n$/);
        await expectEpoch(3, 3);
        await cluster.kill("signer-1");
        expect((await confirmed()).from).toBe(wallet.address);
        await cluster.restart("signer-1");
        await cluster.ready();
      });
    });
  });
};
