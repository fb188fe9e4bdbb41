import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ClientCredential } from "../client-credential.ts";
import type { CompatWorld } from "../compat-world.ts";
import type { PythonAccess, PythonClient } from "./python-client.ts";

const challengeSchema = z.looseObject({ challenge: z.string(), challengeIdentifier: z.string() });
const credentialSchema = z.looseObject({ credentialId: z.string(), credentialUuid: z.string() });
const listSchema = z.looseObject({ items: z.array(credentialSchema) });
const serviceAccountSchema = z.looseObject({
  userInfo: z.looseObject({ userId: z.string() }),
  accessTokens: z.tuple([z.looseObject({ accessToken: z.string(), credId: z.string() })]),
});
const permissionsSchema = z.looseObject({
  items: z.array(z.looseObject({ id: z.string(), name: z.string() })),
});

/** A key in PEM, both halves. */
const makeKey = (): { readonly publicKey: string; readonly privateKey: string } =>
  generateKeyPairSync("ed25519", {
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });

/** Tests operations on credentials that no generation of the npm library has. */
export const pythonCredentials = (world: () => CompatWorld, python: () => PythonClient): void => {
  const administrator = (): PythonAccess => {
    const { api, developer } = world().cluster.description;
    const { token, credential } = developer;
    return {
      baseUrl: api.url,
      token,
      credential: { id: credential.id, privateKey: readFileSync(credential.keyFile, "utf8") },
    };
  };
  /** The result of an operation. @throws the client's exception */
  const value = async (
    access: PythonAccess,
    operation: string,
    named: Readonly<Record<string, unknown>>,
  ): Promise<unknown> => {
    const answer = await python().call(access, operation, named);
    if ("message" in answer) throw new Error(`${operation}: ${answer.status} ${answer.message}`);
    return answer.value;
  };
  const listed = async (access: PythonAccess): Promise<readonly string[]> =>
    listSchema
      .parse(await value(access, "auth.list_credentials", {}))
      .items.map(({ credentialUuid }) => credentialUuid);

  describe("the Python client from PyPI, on credentials", () => {
    it("deletes one of the administrator's", async () => {
      const key = new ClientCredential();
      const begun = challengeSchema.parse(
        await value(administrator(), "auth.create_credential_challenge", { body: { kind: "Key" } }),
      );
      const { challengeIdentifier } = begun;
      const credentialInfo = key.attest(begun.challenge);
      const body = { challengeIdentifier, credentialName: "shelf", credentialKind: "Key", credentialInfo };
      const made = await value(administrator(), "auth.create_credential", { body });
      const { credentialUuid } = credentialSchema.parse(made);
      await value(administrator(), "auth.delete_credential", { credential_uuid: credentialUuid });
      expect(await listed(administrator())).not.toContain(credentialUuid);
    });

    it("changes the key of a service account: adds the next one, signs with it, deletes the first one", async () => {
      const { items } = permissionsSchema.parse(
        await value(administrator(), "permissions.list_permissions", {}),
      );
      const permissionId = items.find(({ name }) => name === "DfnsFullAdminAccess")?.id;
      const [first, next] = [makeKey(), makeKey()];
      const body = { name: "rotating", publicKey: first.publicKey, permissionId, daysValid: 1 };
      const made = serviceAccountSchema.parse(
        await value(administrator(), "auth.create_service_account", { body }),
      );
      const [{ accessToken: token, credId }] = made.accessTokens;
      const { baseUrl } = administrator();
      const by = (id: string, { privateKey }: typeof first) => ({
        baseUrl,
        token,
        credential: { id, privateKey },
      });
      const one = by(credId, first);
      const added = credentialSchema.parse(
        await value(one, "auth.create_service_account_credential", { body: { publicKey: next.publicKey } }),
      );
      const [firstUuid] = await listed(one);
      const other = by(added.credentialId, next);
      await value(other, "auth.delete_service_account_credential", { credential_uuid: firstUuid });
      expect(await listed(other)).toEqual([added.credentialUuid]);
    });
  });
};
