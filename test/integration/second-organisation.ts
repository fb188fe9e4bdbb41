import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type OrganisationId, organisationIdSchema, tokenIdSchema, userIdSchema } from "@conclave/custody";
import {
  bootstrapOrganisation,
  freshId,
  issueToken,
  loadPassphrase,
  loadSigningKey,
  openDatabase,
  processWorld,
} from "@conclave/platform";
import { type Cluster, CustodyApi } from "@conclave/testbed";
import type { SigningCredential } from "./signed-request.ts";

const TOKEN_SECONDS = 3_600;

/** The database of a running cluster, with its gateway's login. */
export const asGateway = ({ layout }: Pick<Cluster, "layout">) =>
  openDatabase({ url: readFileSync(layout.databaseUrl, "utf8").trim(), name: "conclave-integration" });

/** Adds an organisation to a running cluster, with an administrator and a signing key, as its operator could. */
export const addOrganisation = async (
  cluster: Cluster,
): Promise<{
  readonly orgId: OrganisationId;
  readonly api: CustodyApi;
  readonly credential: SigningCredential;
}> => {
  const { layout, description } = cluster;
  const orgId = freshId(organisationIdSchema, "or");
  const userId = freshId(userIdSchema, "us");
  const database = asGateway(cluster);
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const credential = { id: `key-of-${userId}`, privateKey };
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const users = [
    { orgId, userId, username: "administrator", credential: { id: credential.id, publicKey: pem } },
  ];
  await bootstrapOrganisation(
    processWorld,
    database,
    { id: orgId, name: "Other" },
    { users, serviceAccounts: [] },
  );
  await database.close();
  const passphrase = await loadPassphrase({ keyFile: join(layout.gateway, "passphrase.key") });
  if (!passphrase.ok) throw new Error(passphrase.problem.message);
  const key = loadSigningKey(readFileSync(join(layout.gateway, "token.key"), "utf8"), passphrase.value);
  if (!key.ok) throw new Error(key.problem.message);
  const token = await issueToken(key.value, {
    clusterId: description.clusterId,
    caller: { orgId, userId, tokenKind: "Token", tokenId: freshId(tokenIdSchema, "to") },
    username: "administrator",
    issuedAt: new Date(),
    lifetimeSeconds: TOKEN_SECONDS,
  });
  return { orgId, api: new CustodyApi(description.api.url, token), credential };
};
