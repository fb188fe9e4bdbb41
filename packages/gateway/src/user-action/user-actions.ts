import { auditLogIdSchema, fail, isoNow, ok, type Result, type World } from "@conclave/custody";
import {
  type ActionSignature,
  type ActionTokenKind,
  type Caller,
  type Connection,
  type Credential,
  type Database,
  insertAuditLog,
  insertUserAction,
  markUserActionSigned,
  readUserAction,
  type UserAction,
  useUserAction,
} from "@conclave/platform";
import { judgeFactors, type SignInFactors } from "../credential/factors.ts";
import { signingCredentials } from "../credential/signing-credentials.ts";
import type { ActionTokens } from "./action-tokens.ts";
import { type ActionRequest, isOf, judgeAction, type Read } from "./judge-action.ts";
import { payloadDigest } from "./payload.ts";

const EXPIRES_AFTER_MS = 300_000;
const CHALLENGE_BYTES = 32;

export interface UserActionsOptions {
  readonly database: Database;
  readonly tokens: ActionTokens;
  readonly world: World;
}

export interface Challenge {
  readonly challenge: string;
  readonly challengeIdentifier: string;
  /** credentials that may sign it */
  readonly credentials: readonly Credential[];
}

/** Signed user actions: a challenge for one request, a token for the signature, one use of the token. */
export interface UserActions {
  /** Gives the caller a challenge to sign a request. */
  begin(caller: Caller, request: ActionRequest): Promise<Result<Challenge>>;
  /** Judges the signatures. @returns the token; ChallengeInvalid or UserActionInvalid */
  complete(caller: Caller, challengeIdentifier: string, factors: SignInFactors): Promise<Result<string>>;
  /**
   * Uses a token up for a request, and records who signed it with which credential.
   * @param username of the caller, for the record
   * @returns UserActionInvalid unless it is for exactly this request, with the difference when it is the caller's own;
   * or UserActionUsed
   */
  use(caller: Caller, username: string, token: string, request: ActionRequest): Promise<Result<undefined>>;
}

export const makeUserActions = (options: UserActionsOptions): UserActions => ({
  begin: (caller, request) => begin(options, caller, request),
  complete: async (caller, identifier, factors) => {
    return complete(options, caller, await readAction(options, identifier, "challenge"), factors);
  },
  use: async (caller, username, token, request) => {
    const read = await readAction(options, token, "useraction");
    return use(options, caller, { read, token, username }, request);
  },
});

const begin = async (
  options: UserActionsOptions,
  caller: Caller,
  request: ActionRequest,
): Promise<Result<Challenge>> => {
  const digest = payloadDigest(request.payload);
  if (digest === undefined) return fail("InvalidBody", { field: "userActionPayload" });
  const credentials = await signingCredentials(options.database, caller);
  const expires = new Date(options.world.nowMs() + EXPIRES_AFTER_MS);
  const action: UserAction = {
    id: options.world.freshUuid(),
    orgId: caller.orgId,
    userId: caller.userId,
    tokenId: caller.tokenId,
    method: request.method,
    path: pathOf(request.path),
    payloadDigest: digest,
    challenge: Buffer.from(options.world.entropy(CHALLENGE_BYTES)).toString("base64url"),
    dateExpires: expires.toISOString(),
    dateSigned: undefined,
    dateUsed: undefined,
    signature: undefined,
  };
  await insertUserAction(options.database, action);
  return ok({
    challenge: action.challenge,
    challengeIdentifier: await options.tokens.issue(action, "challenge"),
    credentials,
  });
};

const complete = async (
  options: UserActionsOptions,
  caller: Caller,
  read: Read | undefined,
  factors: SignInFactors,
): Promise<Result<string>> => {
  const invalid = fail("ChallengeInvalid", { startAgain: "POST /auth/action/init" });
  if (read === undefined || read.hasExpired) return invalid;
  const { action } = read;
  if (!isOf(action, caller) || action.dateSigned !== undefined) return invalid;
  const credentials = await signingCredentials(options.database, caller);
  const proof = await judgeFactors(options.database, credentials, factors, action.challenge);
  if (proof === undefined) return fail("UserActionInvalid", { differs: [{ what: "signature" }] });
  if (!(await markUserActionSigned(options.database, action.id, proof))) return invalid;
  return ok(await options.tokens.issue(action, "useraction"));
};

/** The action that a request's token names, and the facts for the record. */
interface Presented {
  readonly read: Read | undefined;
  readonly token: string;
  readonly username: string;
}

const use = async (
  options: UserActionsOptions,
  caller: Caller,
  presented: Presented,
  request: ActionRequest,
): Promise<Result<undefined>> => {
  const judged = judgeAction(
    presented.read,
    caller,
    { ...request, path: pathOf(request.path) },
    new Date(options.world.nowMs()),
  );
  if (!judged.ok) return judged;
  const { action, signature } = judged.value;
  return options.database.transaction(async (connection) => {
    const credential = await standing(connection, caller, signature);
    if (credential === undefined) {
      return fail("UserActionInvalid", { differs: [{ what: "credential", signed: signature.credentialId }] });
    }
    if (!(await useUserAction(connection, action.id))) return fail("UserActionUsed");
    await insertAuditLog(connection, {
      id: options.world.freshId(auditLogIdSchema, "al"),
      orgId: action.orgId,
      userId: action.userId,
      username: presented.username,
      tokenId: action.tokenId,
      method: action.method,
      path: action.path,
      payloadDigest: action.payloadDigest,
      actionToken: presented.token,
      credentialId: credential.id,
      credentialKind: credential.kind,
      publicKey: credential.publicKey,
      secondCredentialId: signature.secondCredentialId,
      assertion: signature.assertion,
      datePerformed: isoNow(options.world),
    });
    return ok(undefined);
  });
};

/** The credential that signed, if it and the second one, if any, are still active. */
const standing = async (
  connection: Connection,
  caller: Caller,
  { credentialId, secondCredentialId }: ActionSignature,
): Promise<Credential | undefined> => {
  const credentials = await signingCredentials(connection, caller);
  const find = (id: string) => credentials.find((credential) => credential.id === id);
  if (secondCredentialId !== undefined && find(secondCredentialId) === undefined) return undefined;
  return find(credentialId);
};

const readAction = async (
  { database, tokens }: UserActionsOptions,
  token: string,
  kind: ActionTokenKind,
): Promise<Read | undefined> => {
  const named = await tokens.read(token, kind);
  const action = named === undefined ? undefined : await readUserAction(database, named.id);
  return action === undefined ? undefined : { action, hasExpired: named?.hasExpired === true };
};

const pathOf = (path: string): string => path.split("?", 1)[0] ?? path;
