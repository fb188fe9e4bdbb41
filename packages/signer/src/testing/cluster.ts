import { sign } from "node:crypto";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AuthorisedKey,
  type AuthorisedMessage,
  type AuthorisedTransfer,
  allowWithoutPolicies,
  keyIdSchema,
  organisationIdSchema,
  type SignedAuthorisation,
  signatureIdSchema,
  transferIdSchema,
  walletIdSchema,
} from "@conclave/custody";
import {
  type CertificateAuthority,
  freshId,
  loadSigningKey,
  loadTls,
  makeCertificateAuthority,
  makeIdentity,
  makeLeaf,
  makeLogger,
  makePassphrase,
  makeSigningKey,
  type Role,
  type TlsIdentity,
} from "@conclave/platform";
import { freePort, sourceSearch, sourceWorker } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { partyIndex } from "@conclave/threshold";
import { loadSettings, type SignerSettings } from "../config.ts";
import { type RunningSigner, startSigner } from "../signer.ts";

export const CLUSTER_ID = "test-cluster";
export const NETWORK = {
  network: "EthereumSepolia",
  chainId: 11_155_111,
  feeCap: "100000000000000000",
} as const;

const passphrase = makePassphrase();

/** A party's index that a test knows to be one. */
export const party = (index: number) => {
  const known = partyIndex(index);
  if (known === undefined) throw new RangeError(`${index} is no party index`);
  return known;
};

const must = <T>(
  result:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly problem: { readonly message: string } },
): T => {
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
};

/** A cluster's files in a temporary folder, and what only the authority and the orchestrator hold. */
export interface TestCluster {
  readonly folder: string;
  readonly authority: CertificateAuthority;
  readonly addresses: readonly string[];
  readonly environment: (index: number) => Record<string, string>;
  readonly member: (role: Role) => Promise<TlsIdentity>;
  readonly authorise: (
    content: AuthorisedKey | AuthorisedMessage | AuthorisedTransfer,
  ) => SignedAuthorisation;
}

const writeSigner = async (folder: string, authority: CertificateAuthority, index: number) => {
  const own = join(folder, `signer-${index}`);
  await mkdir(own, { recursive: true });
  const leaf = await makeLeaf(authority, {
    role: { kind: "signer", index: party(index) },
    passphrase,
    now: new Date(),
  });
  const identity = makeIdentity(passphrase);
  await writeFile(join(own, "tls.crt"), leaf.certificate);
  await writeFile(join(own, "tls.key"), leaf.key);
  await writeFile(join(own, "identity.key"), identity.key);
  await writeFile(join(own, "passphrase.key"), passphrase.reveal());
  return {
    index,
    id: `signer-${index}`,
    address: `127.0.0.1:${await freePort()}`,
    identityKey: Buffer.from(identity.identityKey).toString("hex"),
    encryptionKey: Buffer.from(identity.encryptionKey).toString("hex"),
  };
};

/** Writes the files of a cluster with reduced parameters: total signers, threshold of them sign. */
export const provision = async (total: number, threshold: number): Promise<TestCluster> => {
  const folder = await mkdtemp(join(tmpdir(), "conclave-signer-"));
  const authority = await makeCertificateAuthority(CLUSTER_ID, new Date());
  const authorityKey = makeSigningKey(passphrase);
  const signers = [];
  for (let index = 1; index <= total; index++) signers.push(await writeSigner(folder, authority, index));
  const roster = {
    clusterId: CLUSTER_ID,
    parameters: "INSECURE-TEST",
    threshold,
    authorityKey: Buffer.from(authorityKey.publicKey).toString("hex"),
    signers,
  };
  const networks = [{ ...NETWORK, family: "Evm", rpcUrl: "http://127.0.0.1:8545", confirmations: 1 }];
  await writeFile(join(folder, "roster.json"), JSON.stringify(roster));
  await writeFile(join(folder, "networks.json"), JSON.stringify(networks));
  await writeFile(join(folder, "ca.crt"), authority.certificate);
  const signingKey = must(loadSigningKey(authorityKey.key, passphrase));
  return {
    folder,
    authority,
    addresses: signers.map(({ address }) => address),
    environment: (index) => ({
      CONCLAVE_ROSTER: join(folder, "roster.json"),
      CONCLAVE_NETWORKS: join(folder, "networks.json"),
      CONCLAVE_CA: join(folder, "ca.crt"),
      CONCLAVE_SIGNER_INDEX: String(index),
      CONCLAVE_SIGNER_DIR: join(folder, `signer-${index}`),
      CONCLAVE_KEY_FILE: join(folder, `signer-${index}`, "passphrase.key"),
      CONCLAVE_LOG_LEVEL: "warn",
      CONCLAVE_INSECURE_TEST_PARAMETERS: "1",
    }),
    member: async (role) => {
      const leaf = await makeLeaf(authority, { role, passphrase, now: new Date() });
      return must(loadTls({ ...leaf, authority: authority.certificate }, CLUSTER_ID, passphrase));
    },
    authorise: (content) => {
      const payload = Buffer.from(JSON.stringify(content));
      return { payload, signature: sign(null, payload, signingKey) };
    },
  };
};

export const settingsOf = async (cluster: TestCluster, index: number): Promise<SignerSettings> =>
  must(await loadSettings(cluster.environment(index)));

/** Starts one signer in this process, with real workers, links and store. */
export const startMember = async (
  cluster: TestCluster,
  index: number,
  log = makeLogger({ name: `signer-${index}`, level: "warn" }),
): Promise<RunningSigner> =>
  must(
    await startSigner(await settingsOf(cluster, index), {
      world: processWorld,
      log,
      failed: (error) => {
        throw new Error("a signer failed", { cause: error });
      },
      workerEntry: sourceWorker(),
      searchEntry: sourceSearch(),
    }),
  );

/** A key request as the gateway would authorise it. */
export const keyRequest = (threshold: number): AuthorisedKey => ({
  version: 1,
  kind: "key",
  orgId: freshId(organisationIdSchema, "or"),
  keyId: freshId(keyIdSchema, "key"),
  curve: "secp256k1",
  scheme: "ECDSA",
  threshold,
  policy: allowWithoutPolicies(new Date().toISOString()),
  dateRequested: new Date().toISOString(),
});

/** An Ed25519 key request as the authority would sign it. */
export const ed25519KeyRequest = (threshold: number): AuthorisedKey => ({
  ...keyRequest(threshold),
  curve: "ed25519",
  scheme: "FROST-Ed25519",
});

/** A message for such a key. */
export const messageRequest = ({ orgId, keyId }: AuthorisedKey, message: Uint8Array): AuthorisedMessage => ({
  version: 1,
  kind: "message",
  requestId: freshId(signatureIdSchema, "sig"),
  orgId,
  keyId,
  scheme: "FROST-Ed25519",
  message: Buffer.from(message).toString("hex"),
  policy: allowWithoutPolicies(new Date().toISOString()),
  dateRequested: new Date().toISOString(),
});

/** A transfer of 1 wei with the key of a request. */
export const transferRequest = (key: AuthorisedKey): AuthorisedTransfer => ({
  version: 2,
  kind: "transfer",
  requestId: freshId(transferIdSchema, "xfr"),
  orgId: key.orgId,
  walletId: freshId(walletIdSchema, "wa"),
  keyId: key.keyId,
  cosigners: [],
  network: NETWORK.network,
  transfer: { kind: "Native", to: `0x${"ab".repeat(20)}`, amount: "1" },
  policy: allowWithoutPolicies(new Date().toISOString()),
  dateRequested: new Date().toISOString(),
});
