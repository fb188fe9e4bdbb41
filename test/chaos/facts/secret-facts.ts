import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "@conclave/testbed";
import { FolderSearch } from "../../integration/folder-search.ts";
import {
  formsOf,
  type KnownSecret,
  passphraseSecret,
  privateKeySecret,
} from "../../integration/known-secrets.ts";
import type { LeakFact } from "./cluster-facts.ts";

/** The private keys and passphrases of the cluster's members. */
const memberSecrets = async ({ layout, description }: Cluster): Promise<readonly KnownSecret[]> => {
  const signers = description.signers.map(({ id, index }) => [id, layout.signer(index)] as const);
  const members = [...signers, ["orchestrator", layout.orchestrator] as const];
  return [
    ...(await Promise.all(signers.map(([name, folder]) => privateKeySecret(name, folder, "identity.key")))),
    ...(await Promise.all(members.map(([name, folder]) => privateKeySecret(name, folder, "tls.key")))),
    ...(await Promise.all(members.map(([name, folder]) => passphraseSecret(name, folder)))),
    await passphraseSecret("gateway", layout.gateway),
    await privateKeySecret("gateway", layout.gateway, "authority.key"),
    await privateKeySecret("gateway", layout.gateway, "token.key"),
  ];
};

/** Secrets used as text: tokens and passwords. */
const textSecrets = ({ layout, description }: Cluster): readonly (readonly [string, string])[] => {
  const fileIn = (...path: readonly string[]): string => readFileSync(join(...path), "utf8").trim();
  return [
    ["the developer's token", description.developer.token],
    ["the service account's token", description.developer.serviceAccount.token],
    ["the key of webhooks", fileIn(layout.gateway, "webhook.key")],
    ["the database's password", fileIn(layout.postgres, "password")],
    ["the orchestrators' database password", fileIn(layout.orchestrator, "database.password")],
    ["the token of the bus", fileIn(layout.nats, "token")],
  ];
};

/** The names of the texts in which a secret occurs. */
const placesOf = (texts: ReadonlyMap<string, Buffer>, needles: readonly Buffer[]): readonly string[] =>
  [...texts]
    .filter(([, content]) => needles.some((needle) => content.includes(needle)))
    .map(([name]) => `the table ${name}`);

/**
 * Searches all logs and a dump of the database for every known secret.
 * @param keys whole keys, which no process ever holds
 */
export const findLeaks = async (
  cluster: Cluster,
  dump: ReadonlyMap<string, Buffer>,
  known: { readonly secrets: readonly KnownSecret[]; readonly keys: readonly KnownSecret[] },
): Promise<readonly LeakFact[]> => {
  const logs = new FolderSearch(cluster.layout.logs);
  const look = (secret: string, isKey: boolean, needles: readonly Buffer[]): readonly LeakFact[] => {
    const places = [...logs.holding(needles), ...placesOf(dump, needles)];
    return places.length === 0 ? [] : [{ secret, isKey, places }];
  };
  const secrets = [...known.secrets, ...(await memberSecrets(cluster))];
  return [
    ...known.keys.flatMap((key) => look(key.name, true, formsOf(key))),
    ...secrets.flatMap((secret) => look(secret.name, false, formsOf(secret))),
    ...textSecrets(cluster).flatMap(([name, words]) => look(name, false, [Buffer.from(words)])),
  ];
};
