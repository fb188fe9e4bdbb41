import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
} from "@conclave/platform";
import { partyIndex, type Secret } from "@conclave/threshold";

import type { StateLayout } from "../state/layout.ts";
import { writePrivate } from "../state/private-file.ts";

/** The part of a roster that stays the same for the life of a cluster; addresses are given at each start. */
export interface ClusterIdentity {
  readonly clusterId: string;
  /** hex */
  readonly authorityKey: string;
  readonly signers: readonly SignerIdentity[];
}

export interface SignerIdentity {
  readonly index: number;
  readonly id: string;
  /** hex */
  readonly identityKey: string;
  /** hex */
  readonly encryptionKey: string;
  /** hex; signers that were provisioned before keys could be imported have none */
  readonly importKey?: string | undefined;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const makeFolder = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
};

/** Empties a folder and keeps the folder itself: it may be a mounted volume. */
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
  // in a network of containers a signer is reached by its id
  const hosts = role.kind === "signer" ? [`signer-${role.index}`] : [];
  const leaf = await makeLeaf(authority, { role, passphrase, now: new Date(), hosts });
  writeFileSync(join(folder, "tls.crt"), leaf.certificate);
  writePrivate(join(folder, "tls.key"), leaf.key);
};

const makeSigner = async (
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

/** The key to which clients encrypt shares for a signer, of the identity that lies in its folder; undefined when none does. */
const importKeyOf = async (layout: StateLayout, index: number): Promise<string | undefined> => {
  const folder = layout.signer(index);
  const file = join(folder, "identity.key");
  if (!existsSync(file)) return undefined;
  const passphrase = await loadPassphrase({ keyFile: join(folder, "passphrase.key") });
  const identity = passphrase.ok ? loadIdentity(readFileSync(file, "utf8"), passphrase.value) : undefined;
  return identity?.ok === true ? hex(identity.value.importKey) : undefined;
};

/**
 * The cluster with an import key for every signer, when it was made before there were any and all identities lie here;
 * otherwise as it is. The keys follow from the identities, so nothing new has to be kept.
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

/** The key of webhooks' secrets, for the two that need it. One that is there stays: what it sealed must open again. */
export const giveWebhookKey = (layout: StateLayout): void => {
  const files = [layout.gateway, layout.orchestrator].map((folder) => join(folder, "webhook.key"));
  const kept = files.find((file) => existsSync(file));
  const key = kept === undefined ? makeWebhookKey().reveal() : readFileSync(kept, "utf8");
  for (const file of files) if (!existsSync(file)) writePrivate(file, key);
};

/**
 * Makes every key and certificate of a new cluster. The certificate authority's key is not kept: nobody can add a
 * member later, or take a member's place.
 */
export const makeIdentities = async (layout: StateLayout, signers: number): Promise<ClusterIdentity> => {
  const numbers = Array.from({ length: signers }, (_, position) => position + 1);
  const members = numbers.map((number) => layout.signer(number));
  for (const folder of [layout.gateway, layout.orchestrator, layout.cluster, ...members]) emptyFolder(folder);
  const clusterId = `cluster-${randomBytes(6).toString("hex")}`;
  const authority = await makeCertificateAuthority(clusterId, new Date());
  writeFileSync(layout.ca, authority.certificate);
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
