import { createPublicKey, type KeyObject, randomBytes, randomUUID } from "node:crypto";
import { fail, ok, type Result } from "@conclave/custody";
import {
  type Caller,
  type Database,
  insertUserAction,
  issueActionToken,
  listActiveCredentials,
  markUserActionSigned,
  pruneUserActions,
  readActionToken,
  readUserAction,
  type UserAction,
  useUserAction,
} from "@conclave/platform";
import { assertionHolds, type KeyAssertion } from "./assertion.ts";
import { payloadDigest } from "./payload.ts";

const EXPIRES_AFTER_MS = 300_000;
const CHALLENGE_BYTES = 32;

export interface UserActionsOptions {
  readonly database: Database;
  /** the gateway's token key */
  readonly key: KeyObject;
  readonly clusterId: string;
  readonly now: () => Date;
}

/** The request that an action stands for. */
export interface ActionRequest {
  readonly method: string;
  /** a query is not part of what is signed */
  readonly path: string;
  /** the body's text, empty when there is none */
  readonly payload: string;
}

export interface Challenge {
  readonly challenge: string;
  readonly challengeIdentifier: string;
  readonly credentialIds: readonly string[];
}

/** Signed user actions: a challenge for one request, a token for the signature, one use of the token. */
export interface UserActions {
  /** Challenges the caller to sign a request. */
  begin(caller: Caller, request: ActionRequest): Promise<Result<Challenge>>;
  /** Judges the signature. @returns the token; ChallengeInvalid or UserActionInvalid */
  complete(caller: Caller, challengeIdentifier: string, assertion: KeyAssertion): Promise<Result<string>>;
  /** Uses a token up for a request. @returns UserActionInvalid unless it is for this very request, or UserActionUsed */
  use(caller: Caller, token: string, request: ActionRequest): Promise<Result<undefined>>;
}

export const makeUserActions = (options: UserActionsOptions): UserActions => {
  const verifyKey = createPublicKey(options.key);
  const read = (token: string, kind: "challenge" | "useraction") =>
    readAction(options, verifyKey, token, kind);
  return {
    begin: (caller, request) => begin(options, caller, request),
    complete: async (caller, identifier, assertion) => {
      const action = await read(identifier, "challenge");
      return complete(options, caller, action, assertion);
    },
    use: async (caller, token, request) => use(options, caller, await read(token, "useraction"), request),
  };
};

const begin = async (
  options: UserActionsOptions,
  caller: Caller,
  request: ActionRequest,
): Promise<Result<Challenge>> => {
  const digest = payloadDigest(request.payload);
  if (digest === undefined) return fail("InvalidBody", { field: "userActionPayload" });
  const credentials = await listActiveCredentials(options.database, caller.orgId, caller.userId);
  const expires = new Date(options.now().getTime() + EXPIRES_AFTER_MS);
  const action: UserAction = {
    id: randomUUID(),
    orgId: caller.orgId,
    userId: caller.userId,
    method: request.method,
    path: pathOf(request.path),
    payloadDigest: digest,
    challenge: randomBytes(CHALLENGE_BYTES).toString("base64url"),
    dateExpires: expires.toISOString(),
    dateSigned: undefined,
    dateUsed: undefined,
  };
  await pruneUserActions(options.database);
  await insertUserAction(options.database, action);
  return ok({
    challenge: action.challenge,
    challengeIdentifier: await issueToken(options, action, "challenge"),
    credentialIds: credentials.map(({ id }) => id),
  });
};

const complete = async (
  options: UserActionsOptions,
  caller: Caller,
  action: UserAction | undefined,
  assertion: KeyAssertion,
): Promise<Result<string>> => {
  if (action === undefined || !isOf(action, caller)) return fail("ChallengeInvalid");
  const credentials = await listActiveCredentials(options.database, caller.orgId, caller.userId);
  const credential = credentials.find(({ id }) => id === assertion.credId);
  if (credential === undefined || !assertionHolds(assertion, action.challenge, credential.publicKey)) {
    return fail("UserActionInvalid");
  }
  if (!(await markUserActionSigned(options.database, action.id))) return fail("ChallengeInvalid");
  return ok(await issueToken(options, action, "useraction"));
};

const use = async (
  options: UserActionsOptions,
  caller: Caller,
  action: UserAction | undefined,
  request: ActionRequest,
): Promise<Result<undefined>> => {
  const digest = payloadDigest(request.payload);
  const isForThis =
    action !== undefined &&
    digest !== undefined &&
    isOf(action, caller) &&
    action.method === request.method &&
    action.path === pathOf(request.path) &&
    Buffer.compare(action.payloadDigest, digest) === 0;
  if (!isForThis) return fail("UserActionInvalid");
  return (await useUserAction(options.database, action.id)) ? ok(undefined) : fail("UserActionUsed");
};

const readAction = async (
  { database, clusterId, now }: UserActionsOptions,
  key: KeyObject,
  token: string,
  kind: "challenge" | "useraction",
): Promise<UserAction | undefined> => {
  const id = await readActionToken(key, token, { clusterId, kind, now: now() });
  return id === undefined ? undefined : readUserAction(database, id);
};

const issueToken = (
  { key, clusterId }: UserActionsOptions,
  action: UserAction,
  kind: "challenge" | "useraction",
) => issueActionToken(key, { clusterId, kind, actionId: action.id, expires: new Date(action.dateExpires) });

const isOf = (action: UserAction, caller: Caller): boolean =>
  action.orgId === caller.orgId && action.userId === caller.userId;

const pathOf = (path: string): string => path.split("?", 1)[0] ?? path;
