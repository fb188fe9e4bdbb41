import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ApiWallet, type Cluster, forgetState } from "@conclave/testbed";
import { lagrangeAtZero, ORDER, SECP256K1 } from "@conclave/threshold";
import { computeAddress, Transaction } from "ethers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FolderSearch, readableByOthers } from "./folder-search.ts";
import { freshReceiver, makeFundedWallet } from "./funded-wallet.ts";
import {
  formsOf,
  type KnownSecret,
  passphraseSecret,
  privateKeySecret,
  scalarSecret,
  shareSecret,
  signerSecrets,
} from "./known-secrets.ts";
import { PATIENCE_MS } from "./patience.ts";
import { SignerAccess } from "./signer-access.ts";
import { startCluster, stateFolder } from "./throw-away-cluster.ts";

const INDICES = [1, 2, 3];
const THRESHOLD = 2;

const state = stateFolder();
const start = (): Promise<Cluster> =>
  startCluster({
    state,
    signers: INDICES.length,
    threshold: THRESHOLD,
    disposable: false,
    logLevel: "debug",
  });

let cluster: Cluster;
let wallet: ApiWallet;
let before: Awaited<ReturnType<typeof holdings>>;

const pay = async (): Promise<Transaction> => {
  const asked = await cluster.api.transfer(wallet.id, { kind: "Native", to: freshReceiver(), amount: "1" });
  const { txHash } = await cluster.api.confirmed(asked, PATIENCE_MS);
  if (txHash === undefined) throw new Error("a confirmed transfer has a hash");
  return Transaction.from(await cluster.chain.rawTransaction(txHash));
};

/** The keys and auxiliary information of every signer. */
const holdings = async (of: Cluster) => {
  const signers = await SignerAccess.open(of);
  try {
    const statuses = await signers.statuses();
    const auxiliary = [...statuses].map(([id, { auxiliaryEpoch, auxiliaryDigest }]) => ({
      id,
      epoch: auxiliaryEpoch,
      digest: Buffer.from(auxiliaryDigest).toString("hex"),
    }));
    return { auxiliary, keys: await signers.keys() };
  } finally {
    signers.close();
  }
};

beforeAll(async () => {
  cluster = await start();
  wallet = await makeFundedWallet(cluster);
  await pay();
  before = await holdings(cluster);
  await cluster.stop();
});
afterAll(async () => {
  await cluster?.stop();
  forgetState(state);
});

describe("a cluster that is stopped", () => {
  it("has ended all its processes", () => {
    expect(cluster.status().filter(({ state: now }) => now !== "exited")).toEqual([]);
  });

  it("INV-10 has no secret on its disk but sealed, and none in a log", async () => {
    const { layout } = cluster;
    const members: readonly (readonly [string, string])[] = [
      ...INDICES.map((index) => [`signer-${index}`, layout.signer(index)] as const),
      ["gateway", layout.gateway],
      ["orchestrator", layout.orchestrator],
    ];
    const held = await Promise.all(INDICES.map((index) => signerSecrets(layout, index)));
    const secrets: readonly KnownSecret[] = [
      ...(await Promise.all(
        INDICES.map((index) => privateKeySecret(`signer-${index}`, layout.signer(index), "identity.key")),
      )),
      ...(await Promise.all(
        members
          .filter(([name]) => name !== "gateway")
          .map(([name, folder]) => privateKeySecret(name, folder, "tls.key")),
      )),
      await privateKeySecret("gateway", layout.gateway, "authority.key"),
      await privateKeySecret("gateway", layout.gateway, "token.key"),
      ...held.flatMap(({ shares, auxiliary }) => [...shares.map(shareSecret), ...auxiliary]),
    ];
    const folder = new FolderSearch(layout.root);
    const leaks = secrets
      .map((secret) => ({ secret: secret.name, files: folder.holding(formsOf(secret)) }))
      .filter(({ files }) => files.length > 0);
    expect(secrets).toHaveLength(3 + 4 + 2 + 3 * (1 + 4));
    expect(leaks).toEqual([]);
    for (const [name, home] of members) {
      // proves that the search works: it finds the key file, and nothing else
      const secret = await passphraseSecret(name, home);
      expect(folder.holding(formsOf(secret))).toEqual([join(name, "passphrase.key")]);
    }
  });

  it("INV-1 has the wallet's key in shares only: any two of three give it, and it is written nowhere", async () => {
    const held = await Promise.all([1, 3].map((index) => signerSecrets(cluster.layout, index)));
    const shares = held.flatMap((signer) =>
      signer.shares.filter(({ info }) => info.keyId === wallet.signingKey.id),
    );
    const coefficients = lagrangeAtZero(SECP256K1, [1, 3]);
    const key =
      shares.reduce((sum, share, at) => sum + share.secretShare.reveal() * (coefficients[at] ?? 0n), 0n) %
      ORDER;
    expect(computeAddress(`0x${key.toString(16).padStart(64, "0")}`)).toBe(wallet.address);
    const folder = new FolderSearch(cluster.layout.root);
    expect(folder.holding(formsOf(scalarSecret("the wallet's key", key)))).toEqual([]);
  });

  it("INV-10 keeps no private key in clear, but those of the development user and its service account", () => {
    const folder = new FolderSearch(cluster.layout.root);
    const clear = ["BEGIN PRIVATE KEY", "BEGIN EC PRIVATE KEY", "BEGIN RSA PRIVATE KEY"];
    expect(folder.holding(clear.map((text) => Buffer.from(text)))).toEqual([
      "developer/credential.pem",
      "developer/service-account.pem",
    ]);
  });

  it("INV-10 has no bearer token, database password, bus token or key of webhooks in a log", () => {
    const { layout, description } = cluster;
    const given = [
      description.developer.token,
      description.developer.serviceAccount.token,
      readFileSync(join(layout.gateway, "webhook.key"), "utf8").trim(),
      readFileSync(join(layout.postgres, "password"), "utf8").trim(),
      readFileSync(join(layout.orchestrator, "database.password"), "utf8").trim(),
      readFileSync(join(layout.nats, "token"), "utf8").trim(),
    ];
    const logs = new FolderSearch(layout.logs);
    expect(given.flatMap((secret) => logs.holding([Buffer.from(secret)]))).toEqual([]);
    // proves that the search works
    expect(logs.holding([Buffer.from(wallet.signingKey.id)])).toContain("orchestrator.log");
  });

  it("INV-10 lets nobody but its owner read what its members keep", () => {
    const { layout } = cluster;
    const homes = [...INDICES.map((index) => layout.signer(index)), layout.gateway, layout.orchestrator];
    const secretFiles = homes.flatMap(readableByOthers).filter((file) => file.endsWith(".key"));
    expect(secretFiles).toEqual([]);
    expect(readableByOthers(layout.logs)).toEqual([]);
  });
});

describe("a signer that is started with another key file", () => {
  it("INV-10 does not start, and says that the passphrase is wrong", async () => {
    const file = join(cluster.layout.signer(3), "passphrase.key");
    const right = readFileSync(file, "utf8");
    writeFileSync(file, randomBytes(32).toString("hex"));
    try {
      await expect(start()).rejects.toThrow(/signer-3 ended with code [1-9][\s\S]*passphrase/);
    } finally {
      writeFileSync(file, right);
    }
  });
});

describe("a cluster that is started again", () => {
  beforeAll(async () => {
    cluster = await start();
  });

  it("has kept its keys and auxiliary information, and made none anew", async () => {
    expect(before.auxiliary.map(({ epoch }) => epoch)).toEqual([1, 1, 1]);
    expect(await holdings(cluster)).toEqual(before);
  });

  it("shows the wallet and its transfers as before", async () => {
    const shown = await cluster.api.send("GET", `/wallets/${wallet.id}`);
    expect(shown).toMatchObject({ status: 200, body: { address: wallet.address, status: "Active" } });
    const listed = await cluster.api.send("GET", `/wallets/${wallet.id}/transfers`);
    expect(listed).toMatchObject({ status: 200, body: { items: [{ status: "Confirmed" }] } });
  });

  it("signs with the wallet's key, under the next account nonce", async () => {
    const { from, nonce } = await pay();
    expect({ from, nonce }).toEqual({ from: wallet.address, nonce: 1 });
  });
});
