import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  type CertificateAuthority,
  loadIdentity,
  loadPassphrase,
  makeCertificateAuthority,
  makeIdentity,
  makeLeaf,
  makePassphrase,
  makeSigningKey,
  makeWebhookKey,
  type Role,
  type Roster,
} from "@conclave/platform";
import { partyIndex, type Secret } from "@conclave/threshold";

import { LaunchError } from "../launch-error.ts";
import type { StateLayout } from "../state/layout.ts";
import { writePrivate } from "../state/private-file.ts";
import { writePublic } from "../state/replaced-file.ts";
import { hostsOf } from "./tls-members.ts";

/** The constant part of a cluster's roster; each start sets the addresses. */
export interface ClusterIdentity {
  readonly clusterId: string;
  /** hex */
  readonly authorityKey: string;
  readonly signers: readonly SignerIdentity[];
  /** former identities of its signers */
  readonly renewals?: Roster["renewals"];
  /** changes of its members and its threshold */
  readonly changes?: Roster["changes"];
  /** the change that is under way */
  readonly change?: Roster["change"];
}

export interface SignerIdentity {
  readonly index: number;
  readonly id: string;
  /** hex */
  readonly identityKey: string;
  /** hex */
  readonly encryptionKey: string;
  /** hex; absent for signers that an older version, without import of keys, provisioned */
  readonly importKey?: string | undefined;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const makeFolder = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
};

/** Empties a folder, but keeps the folder itself, because it may be a mounted volume. */
const emptyFolder = (folder: string): void => {
  makeFolder(folder);
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
};

const giveKeyFile = (folder: string): Secret<string> => {
  makeFolder(folder);
  const passphrase = makePassphrase();
  writePrivate(join(folder, "passphrase.key"), passphrase.reveal());
  return passphrase;
};

const giveCertificate = async (
  authority: CertificateAuthority,
  folder: string,
  role: Role,
  passphrase: Secret<string>,
): Promise<void> => {
  const leaf = await makeLeaf(authority, { role, passphrase, now: new Date(), hosts: hostsOf(role) });
  writePublic(join(folder, "tls.crt"), leaf.certificate);
  writePrivate(join(folder, "tls.key"), leaf.key);
};

/**
 * Makes a signer's keys, and a certificate signed by this authority, in its folder. @returns its roster entry without the
 * address
 */
export const makeSigner = async (
  layout: StateLayout,
  authority: CertificateAuthority,
  number: number,
): Promise<SignerIdentity> => {
  const index = partyIndex(number);
  if (index === undefined) throw new Error(`${number} is no party index`);
  const folder = layout.signer(number);
  const passphrase = giveKeyFile(folder);
  await giveCertificate(authority, folder, { kind: "signer", index }, passphrase);
  const identity = makeIdentity(passphrase);
  writePrivate(join(folder, "identity.key"), identity.key);
  return {
    index: number,
    id: `signer-${number}`,
    identityKey: hex(identity.identityKey),
    encryptionKey: hex(identity.encryptionKey),
    importKey: hex(identity.importKey),
  };
};

/**
 * Derives the key to which clients encrypt a signer's shares from the identity in its folder; undefined if the folder has
 * none.
 */
const importKeyOf = async (layout: StateLayout, index: number): Promise<string | undefined> => {
  const folder = layout.signer(index);
  const file = join(folder, "identity.key");
  if (!existsSync(file)) return undefined;
  const passphrase = await loadPassphrase({ keyFile: join(folder, "passphrase.key") });
  const identity = passphrase.ok ? loadIdentity(readFileSync(file, "utf8"), passphrase.value) : undefined;
  return identity?.ok === true ? hex(identity.value.importKey) : undefined;
};

/**
 * Adds the import key of every signer to a cluster of an older version, if all its identities are in this folder;
 * otherwise returns the cluster unchanged. The keys are derived from the identities, so nothing new has to be stored.
 */
export const withImportKeys = async (
  layout: StateLayout,
  identity: ClusterIdentity,
): Promise<ClusterIdentity> => {
  if (identity.signers.every(({ importKey }) => importKey !== undefined)) return identity;
  const signers = await Promise.all(
    identity.signers.map(async (signer) => ({
      ...signer,
      importKey: await importKeyOf(layout, signer.index),
    })),
  );
  return signers.every(({ importKey }) => importKey !== undefined) ? { ...identity, signers } : identity;
};

const makeGateway = (layout: StateLayout): string => {
  const passphrase = giveKeyFile(layout.gateway);
  const authority = makeSigningKey(passphrase);
  writePrivate(join(layout.gateway, "authority.key"), authority.key);
  writePrivate(join(layout.gateway, "token.key"), makeSigningKey(passphrase).key);
  return hex(authority.publicKey);
};

/**
 * Writes the key of webhook secrets for gateway and orchestrator. An existing key is kept, because stored secrets are
 * encrypted with it.
 */
export const giveWebhookKey = (layout: StateLayout): void => {
  const files = [layout.gateway, layout.orchestrator].map((folder) => join(folder, "webhook.key"));
  const kept = files.find((file) => existsSync(file));
  const key = kept === undefined ? makeWebhookKey().reveal() : readFileSync(kept, "utf8");
  for (const file of files) if (!existsSync(file)) writePrivate(file, key);
};

/** Refuses to overwrite a signer that has run: its folder has the only copy of its shares. */
const refuseToForget = (layout: StateLayout, members: readonly string[]): void => {
  const holding = members.filter((folder) => existsSync(join(folder, "vault")));
  if (holding.length === 0) return;
  throw new LaunchError(
    `${layout.roster} is missing, and ${holding.join(", ")} may hold shares of keys`,
    "Restore the folder of the roster from its backup; or empty those folders if no key in them is of use any more.",
  );
};

/**
 * Makes all keys and certificates of a new cluster. The certificate authority's key is not stored, so nobody can use it
 * later to add a member or to impersonate one. Rejects with a LaunchError, and touches nothing, if a signer's folder may
 * hold shares of keys.
 */
export const makeIdentities = async (layout: StateLayout, signers: number): Promise<ClusterIdentity> => {
  const numbers = Array.from({ length: signers }, (_, position) => position + 1);
  const members = numbers.map((number) => layout.signer(number));
  refuseToForget(layout, members);
  for (const folder of [layout.gateway, layout.orchestrator, layout.cluster, ...members]) emptyFolder(folder);
  const clusterId = `cluster-${randomBytes(6).toString("hex")}`;
  const authority = await makeCertificateAuthority(clusterId, new Date());
  writePublic(layout.ca, authority.certificate);
  await giveCertificate(
    authority,
    layout.orchestrator,
    { kind: "orchestrator" },
    giveKeyFile(layout.orchestrator),
  );
  return {
    clusterId,
    authorityKey: makeGateway(layout),
    signers: await Promise.all(numbers.map((number) => makeSigner(layout, authority, number))),
  };
};
