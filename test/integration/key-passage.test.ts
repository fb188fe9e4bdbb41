import { type KeyObject, randomBytes, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  KEY_ATTEMPT_MS,
  KEY_EXPORT_ATTEMPT_MS,
  openKeyCoordinator,
  openKeyExportCoordinator,
  openSigningCoordinator,
  ownClockOf,
  SIGNING_ATTEMPT_MS,
  stepKeyCoordinator,
  stepKeyExportCoordinator,
  stepSigningCoordinator,
} from "@conclave/cluster";
import {
  allowWithoutPolicies,
  authorisedImportSchema,
  organisationIdSchema,
  type SchemeSignature,
  type SignedAuthorisation,
} from "@conclave/custody";
import { readExport, readImport } from "@conclave/gateway";
import { exportedShares } from "@conclave/orchestrator";
import {
  activateKeyImport,
  loadPassphrase,
  loadRoster,
  loadSigningKey,
  membersOf,
  type Roster,
  signersListing,
} from "@conclave/platform";
import {
  coordinate,
  type Machine,
  SharedStandings,
  Signers,
  type WithStandings,
} from "@conclave/platform/coordination";
import { processWorld } from "@conclave/platform/world";
import type { Cluster, CustodyApi, RawAnswer } from "@conclave/testbed";
import { computeAddress, recoverAddress, SigningKey, Transaction } from "ethers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { KeyReceiver, randomScalar, shardKey } from "../../examples/key-client.ts";
import { freshReceiver } from "./funded-wallet.ts";
import { PATIENCE_MS } from "./patience.ts";
import { addOrganisation, asGateway } from "./second-organisation.ts";
import { credentialOf, type SigningCredential, sendSigned } from "./signed-request.ts";
import { SignerAccess } from "./signer-access.ts";
import { startCluster } from "./throw-away-cluster.ts";

const CHAIN_ID = 11_155_111;
const date = new Date().toISOString();
const policy = allowWithoutPolicies(date);
const idOf = (prefix: string): string => `${prefix}-aaaaa-bbbbb-${randomBytes(8).toString("hex")}`;
const [keyId, orgId] = [idOf("key"), idOf("or")];
const entropy = (length: number): Uint8Array => new Uint8Array(randomBytes(length));
const clock = ownClockOf(processWorld);

const secret = randomScalar();
const ownKey = new SigningKey(`0x${secret.toString(16).padStart(64, "0")}`);
const receiver = new KeyReceiver();

let cluster: Cluster;
let access: SignerAccess;
let signers: Signers;
let roster: Roster;
let authority: KeyObject;

beforeAll(async () => {
  cluster = await startCluster({ signers: 4, threshold: 3, keyImport: "allowed", keyExport: "allowed" });
  roster = await loadRoster(cluster.layout.roster);
  access = await SignerAccess.open(cluster);
  signers = new Signers(
    processWorld,
    roster,
    roster.signers.map(({ id }) => access.client(id)),
  );
  signers.start();
  const passphrase = await loadPassphrase({ keyFile: join(cluster.layout.gateway, "passphrase.key") });
  if (!passphrase.ok) throw new Error(passphrase.problem.message);
  const key = loadSigningKey(
    readFileSync(join(cluster.layout.gateway, "authority.key"), "utf8"),
    passphrase.value,
  );
  authority = key.ok ? key.value : expect.fail(key.problem.message);
});
afterAll(async () => {
  signers?.close();
  await cluster?.stop();
});

const authorise = (request: object): SignedAuthorisation => {
  const payload = Buffer.from(
    JSON.stringify({ version: 1, orgId, keyId, policy, dateRequested: date, ...request }),
  );
  return { payload, signature: sign(null, payload, authority) };
};

/** Runs a coordinator to its result, as the orchestrator does. */
const run = async <State extends WithStandings, Value>(machine: Machine<State, Value>): Promise<Value> => {
  const outcome = await coordinate(processWorld, new SharedStandings(), machine, signers, {
    fault: ({ verdict }) => expect.fail(verdict.check),
  }).outcome;
  return outcome.kind === "done" ? outcome.value : expect.fail(JSON.stringify(outcome));
};

const importKey = () => {
  const [listed] = signersListing(roster).clusters;
  const read = readImport(roster, shardKey(secret, listed?.signers ?? []));
  const { terms, envelopes } = read.ok ? read.value : expect.fail(JSON.stringify(read.problem));
  const authorisation = authorise({ kind: "key-import", requestId: idOf("kim"), ...terms });
  authorisedImportSchema.parse(JSON.parse(Buffer.from(authorisation.payload).toString()));
  const brought = { envelopes, threshold: roster.threshold, taken: new Map() };
  const config = {
    roster: membersOf(roster),
    keyId,
    authorisation,
    brought,
    entropy,
    attemptMs: KEY_ATTEMPT_MS,
    ...clock,
    yields: true,
  };
  return run({
    open: (known, nowMs) => openKeyCoordinator(config, { ...known, held: new Map() }, nowMs),
    step: stepKeyCoordinator,
  });
};

const scalar = (value: bigint): string => `0x${value.toString(16).padStart(64, "0")}`;

const ethersSignature = ({ r, s, recovery }: Extract<SchemeSignature, { readonly scheme: "CGGMP24" }>) => ({
  r: scalar(r),
  s: scalar(s),
  yParity: recovery,
});

/** Has any three signers sign a payment, which ethers parses to find the sender. */
const payment = async (): Promise<Transaction> => {
  const to = freshReceiver();
  const transaction = Transaction.from({
    type: 2,
    chainId: CHAIN_ID,
    nonce: 0,
    to,
    value: 7n,
    gasLimit: 21_000n,
    maxFeePerGas: 10n ** 9n,
    maxPriorityFeePerGas: 1n,
  });
  const authorisation = authorise({
    kind: "transfer",
    requestId: idOf("xfr"),
    walletId: idOf("wa"),
    network: "EthereumSepolia",
    transfer: { kind: "Native", to: to.toLowerCase(), amount: "7" },
  });
  const config = {
    roster: membersOf(roster),
    threshold: roster.threshold,
    keyId,
    authorisation,
    unsigned: Buffer.from(transaction.unsignedSerialized.slice(2), "hex"),
    dead: undefined,
    schemes: ["CGGMP24"] as const,
    verify: ([signature]: readonly SchemeSignature[]) =>
      signature?.scheme === "CGGMP24" &&
      recoverAddress(transaction.unsignedHash, ethersSignature(signature)) === computeAddress(ownKey),
    entropy,
    attemptMs: SIGNING_ATTEMPT_MS,
    ...clock,
  };
  const { signatures } = await run({
    open: (known, nowMs) => openSigningCoordinator(config, known, nowMs),
    step: stepSigningCoordinator,
  });
  const [signature] = signatures;
  if (signature?.scheme !== "CGGMP24") throw new Error("the transaction is not signed");
  transaction.signature = ethersSignature(signature);
  return transaction;
};

const exportKey = () => {
  const supportedSchemes = [{ protocol: "CGGMP24", curve: "secp256k1" }];
  const read = readExport("CGGMP24", { encryptionKey: receiver.encryptionKey, supportedSchemes });
  const terms = read.ok ? read.value : expect.fail(JSON.stringify(read.problem));
  const authorisation = authorise({ kind: "key-export", requestId: idOf("kex"), ...terms });
  const attemptMs = KEY_EXPORT_ATTEMPT_MS;
  const { threshold } = roster;
  const order = { keyId, authorisation, threshold, attemptMs };
  const config = { ...order, roster: membersOf(roster), entropy, ...clock };
  return run({
    open: (known, nowMs) => openKeyExportCoordinator(config, known, nowMs),
    step: stepKeyExportCoordinator,
  });
};

const standing = async () =>
  [...(await access.holdings()).values()].map((keys) => {
    const key = keys.find((each) => each.keyId === keyId);
    return [key?.state, key?.isImported, key?.isExported];
  });

describe("a key that a client brings", () => {
  it("becomes a key of the cluster, whose public key is the client's", async () => {
    await expect.poll(() => signers.live().length).toBe(4);
    const { publicKey } = await importKey();
    expect(`0x${Buffer.from(publicKey).toString("hex")}`).toBe(ownKey.compressedPublicKey);
    expect(await standing()).toEqual(Array.from({ length: 4 }, () => ["active", true, false]));
  });

  it("signs a payment from the client's own address", async () => {
    expect((await payment()).from).toBe(computeAddress(ownKey));
  });

  it("is the client's again when it is handed out, from any three envelopes, also while a signer is away", async () => {
    await cluster.kill("signer-2");
    await expect.poll(() => signers.live().length).toBe(3);
    // a stream may break on a busy machine; the client then asks again
    const { envelopes, publicKey } = await vi.waitFor(exportKey, { timeout: PATIENCE_MS, interval: 500 });
    expect(`0x${Buffer.from(publicKey).toString("hex")}`).toBe(ownKey.compressedPublicKey);
    const shares = exportedShares(roster, envelopes);
    expect(shares).toHaveLength(3);
    expect(receiver.keyFrom(shares.map(({ encryptedKeyShare }) => encryptedKeyShare))).toBe(secret);
  });

  it("says at every signer whether it left, also after a restart", async () => {
    await cluster.kill("signer-3");
    await Promise.all(["signer-2", "signer-3"].map((id) => cluster.restart(id)));
    await expect
      .poll(standing, { timeout: PATIENCE_MS })
      .toEqual([true, false, true, true].map((isExported) => ["active", true, isExported]));
  });
});

describe("INV-11 the envelopes of one organisation's import, sent again by another that saw them", () => {
  const expectRefused = (answer: RawAnswer) =>
    expect(answer).toMatchObject({
      status: 409,
      body: {
        error: {
          message: "These encrypted shares were used before.",
          details: { code: "KeyImportEnvelopesUsed", signer: expect.stringMatching(/^signer-[1-4]$/) },
        },
      },
    });
  interface Signing {
    readonly api: CustodyApi;
    readonly credential: SigningCredential;
  }
  /** Signs requests as the development organisation's administrator. */
  const ownSigning = (): Signing => {
    const { id, keyFile } = cluster.description.developer.credential;
    return { api: cluster.api, credential: credentialOf(id, readFileSync(keyFile, "utf8")) };
  };
  const imports = ({ api, credential }: Signing, path: string, body: unknown) =>
    sendSigned(api, credential, path, body);
  /**
   * Has the development organisation import a new key, and gives the key's id, its secret and the request that
   * made it. A signer that was just restarted may not answer the orchestrator yet: the client then brings
   * another key.
   */
  const imported = () =>
    vi.waitFor(
      async () => {
        const [listing] = signersListing(roster).clusters;
        const ownScalar = randomScalar();
        const body = shardKey(ownScalar, listing?.signers ?? []);
        const made = await imports(ownSigning(), "/keys/import", body);
        expect(made).toMatchObject({ status: 200, body: { imported: true } });
        const { id } = z.object({ id: z.string() }).parse(made.body);
        return { id, ownScalar, body };
      },
      { timeout: PATIENCE_MS, interval: 500 },
    );
  const listed = async (api: CustodyApi) => (await api.send("GET", "/keys")).body;

  it("make no key there, whatever order and words they come in, and none after the key was deleted", async () => {
    await expect.poll(() => signers.live().length, { timeout: PATIENCE_MS }).toBe(4);
    const thief = await addOrganisation(cluster);
    const database = asGateway(cluster);
    for (const orgId of [organisationIdSchema.parse(cluster.description.developer.orgId), thief.orgId])
      await activateKeyImport(database, orgId, true);
    await database.close();
    const { id, body } = await imported();

    expectRefused(await imports(thief, "/keys/import", body));
    const encryptedKeyShares = [...body.encryptedKeyShares].reverse();
    const words = { protocol: "CGGMP21", encryptedKeyShares };
    expectRefused(await imports(thief, "/keys/import", { ...body, ...words, name: "mine" }));
    const wallet = { ...body, network: cluster.description.chain.network };
    expectRefused(await imports(thief, "/wallets/import", wallet));
    expect(await listed(thief.api)).toMatchObject({ items: [] });

    expect(await cluster.api.send("DELETE", `/keys/${id}`)).toMatchObject({ status: 200 });
    expectRefused(await imports(thief, "/keys/import", body));
    await Promise.all([1, 2, 3, 4].map((index) => cluster.kill(`signer-${index}`)));
    await Promise.all([1, 2, 3, 4].map((index) => cluster.restart(`signer-${index}`)));
    await expect
      .poll(async () => (await imports(thief, "/keys/import", body)).status, { timeout: PATIENCE_MS })
      .toBe(409);
    expectRefused(await imports(thief, "/keys/import", body));
  });

  it("come again from their own organisation only when the client encrypts them again", async () => {
    const own = ownSigning();
    const { id, ownScalar, body } = await imported();
    const [listing] = signersListing(roster).clusters;
    const again = shardKey(ownScalar, listing?.signers ?? []);
    expectRefused(await imports(own, "/keys/import", body));
    expect(await imports(own, "/keys/import", again)).toMatchObject({
      status: 409,
      body: { error: { details: { code: "KeyImportDuplicate", duplicate: { id } } } },
    });
  });
});
