import { credentialUuidSchema } from "@conclave/custody";
import { type Caller, callerSchema, freshId, insertCredential } from "@conclave/platform";
import { z } from "zod";
import { type ClientKey, keyFactor, makeClientKey } from "./signers.ts";
import type { Answer, World } from "./world.ts";

/** A request to sign. */
export interface Signed {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const listedSchema = z.array(z.looseObject({ type: z.literal("public-key"), id: z.string() }));
const challengeSchema = z.looseObject({
  challenge: z.string(),
  challengeIdentifier: z.string(),
  supportedCredentialKinds: z.array(z.looseObject({ kind: z.string() })),
  allowCredentials: z.object({
    key: listedSchema,
    webauthn: listedSchema,
    passwordProtectedKey: listedSchema.optional(),
  }),
});

/** The token of a signed action. */
export const actionOf = (answer: Answer): string =>
  z.object({ userAction: z.string() }).parse(answer.body).userAction;

/** Stores a key as a person's credential. */
export const enterKey = async (
  { database }: Pick<World, "database">,
  { orgId, userId }: Pick<Caller, "orgId" | "userId">,
  { credId, publicKey }: ClientKey,
): Promise<void> => {
  await insertCredential(database, {
    id: credId,
    uuid: freshId(credentialUuidSchema, "cr"),
    kind: "Key",
    orgId,
    userId,
    name: "a key",
    publicKey,
    isActive: true,
    relyingPartyId: "",
    origin: "",
    encryptedPrivateKey: undefined,
    signCount: 0,
    coseKey: undefined,
    tokenId: undefined,
    dateCreated: new Date().toISOString(),
  });
};

/** Signs requests to a world as clients do, as its administrator unless another token is given. */
export const makeActor = (world: World) => {
  const admin = makeClientKey();
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const begin = async ({ method, path, body }: Signed, token = world.token) => {
    const request = {
      userActionPayload: body === undefined ? "" : JSON.stringify(body),
      userActionHttpMethod: method,
      userActionHttpPath: path,
      userActionServerKind: "Api",
    };
    const answer = await world.call("POST", "/auth/action/init", request, bearer(token));
    return challengeSchema.parse(answer.body);
  };
  const finish = (
    challengeIdentifier: string,
    firstFactor: object,
    { secondFactor, token = world.token }: { readonly secondFactor?: object; readonly token?: string } = {},
  ) => {
    const body = {
      challengeIdentifier,
      firstFactor,
      ...(secondFactor === undefined ? {} : { secondFactor }),
    };
    return world.call("POST", "/auth/action", body, bearer(token));
  };
  const send = ({ method, path, body }: Signed, action: string, token = world.token) =>
    world.call(method, path, body, { ...bearer(token), "x-dfns-useraction": action });
  const sign = async (request: Signed, key: ClientKey = admin, token = world.token): Promise<string> => {
    const { challenge, challengeIdentifier, allowCredentials } = await begin(request, token);
    const allowed = allowCredentials.key.map(({ id }) => id);
    if (!allowed.includes(key.credId)) throw new Error(`${key.credId} does not match: ${allowed}`);
    return actionOf(await finish(challengeIdentifier, keyFactor(key, challenge), { token }));
  };
  return {
    /** the administrator's key */
    admin,
    begin,
    finish,
    send,
    /** Gets a challenge for a request and signs it. @returns the token of the signed action, for `send` */
    sign,
    /** Acts as the vendor's client library does: gets a challenge, signs it, and sends the request. */
    act: async (request: Signed, key: ClientKey = admin, token = world.token): Promise<Answer> =>
      send(request, await sign(request, key, token), token),
  };
};
export type Actor = ReturnType<typeof makeActor>;

const claimsSchema = z.looseObject({ "https://custom/app_metadata": callerSchema });

/** The owner of a token, from its claims. */
const holderOf = (token: string): Caller => {
  const payload: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
  return claimsSchema.parse(payload)["https://custom/app_metadata"];
};

/**
 * Calls as `world.call` does, with each request signed by the token's owner, for operations that always need a signed
 * action.
 */
export const signedCaller = async (
  world: World,
  token: string = world.token,
): Promise<(method: string, path: string, body?: unknown) => Promise<Answer>> => {
  const key = makeClientKey();
  await enterKey(world, holderOf(token), key);
  const { act } = makeActor(world);
  return (method, path, body) => act({ method, path, body }, key, token);
};
