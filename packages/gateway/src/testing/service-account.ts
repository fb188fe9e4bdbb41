import { credentialUuidSchema } from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { z } from "zod";
import { makeActor } from "./signed-actions.ts";
import { type ClientKey, makeClientKey } from "./signers.ts";
import type { Answer, World } from "./world.ts";

export const SERVICE_ACCOUNT_CREDENTIALS = "/auth/service-accounts/credentials";

const madeSchema = z.looseObject({
  userInfo: z.looseObject({ userId: z.string() }),
  accessTokens: z.tuple([z.looseObject({ accessToken: z.string(), credId: z.string() })]),
});
const credentialSchema = z.looseObject({ credentialId: z.string(), credentialUuid: z.string() });
const OWN_KEYS = ["Auth:Creds:Create", "Auth:Creds:Read", "Auth:Creds:Update"];

/** A service account of a world, which signs its requests. */
export interface ServiceAccount {
  readonly userId: string;
  readonly token: string;
  /** its first key */
  readonly key: ClientKey;
  readonly act: (method: string, path: string, body?: unknown, key?: ClientKey) => Promise<Answer>;
  /** Adds a key to its own. @param signer signs that; the first key by default */
  readonly add: (signer?: ClientKey) => Promise<{ readonly key: ClientKey; readonly uuid: string }>;
}

/** Makes a service account with these operations, by default those on its own keys. */
export const makeServiceAccount = async (
  world: World,
  operations: readonly string[] = OWN_KEYS,
): Promise<ServiceAccount> => {
  const { publicKey, ...rest } = makeClientKey();
  const name = freshId(credentialUuidSchema, "cr");
  const permission = await world.call("POST", "/permissions", { name, operations });
  const { id: permissionId } = z.looseObject({ id: z.string() }).parse(permission.body);
  const made = await world.call("POST", "/auth/service-accounts", { name, publicKey, permissionId });
  const { userInfo, accessTokens } = madeSchema.parse(made.body);
  const [{ accessToken: token, credId }] = accessTokens;
  const first = { publicKey, ...rest, credId };
  const actor = makeActor(world);
  const act: ServiceAccount["act"] = (method, path, body, key = first) =>
    actor.act({ method, path, ...(body === undefined ? {} : { body }) }, key, token);
  const add: ServiceAccount["add"] = async (signer = first) => {
    const key = makeClientKey();
    const body = { publicKey: key.publicKey, name: "next" };
    const answer = await act("POST", SERVICE_ACCOUNT_CREDENTIALS, body, signer);
    const { credentialId, credentialUuid } = credentialSchema.parse(answer.body);
    return { key: { ...key, credId: credentialId }, uuid: credentialUuid };
  };
  return { userId: userInfo.userId, token, key: first, act, add };
};
