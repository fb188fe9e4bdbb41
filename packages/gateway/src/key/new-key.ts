import {
  type AuthorisedKey,
  allowWithoutPolicies,
  type CreatingKey,
  fail,
  type KeyScheme,
  keyIdSchema,
  ok,
  type Result,
  type UserId,
} from "@conclave/custody";
import { type Caller, type Connection, readUser } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { type RecordedCaller, requesterOf } from "../people/requester.ts";
import type { Viewer } from "../people/viewer.ts";

/** The fields of a request that determine the owner of a new key. */
export interface KeyOwnership {
  readonly delegateTo?: UserId | undefined;
  readonly delayDelegation?: boolean | undefined;
}

/** A new key for the signers to make, authorised but not stored yet. */
export const newKey = (
  { authority, threshold, now, world }: Pick<Dependencies, "authority" | "threshold" | "now" | "world">,
  caller: RecordedCaller,
  scheme: KeyScheme,
  options: {
    readonly name?: string | undefined;
    readonly delegatedTo: UserId | undefined;
    readonly isDelegable: boolean;
  },
): CreatingKey => {
  const date = now().toISOString();
  const id = world.freshId(keyIdSchema, "key");
  return {
    id,
    orgId: caller.orgId,
    name: options.name,
    scheme,
    origin: "generated",
    requester: requesterOf(caller),
    authorisation: authority(authorisedKey(scheme, { id, orgId: caller.orgId, threshold, date })),
    isDelegable: options.isDelegable,
    delegatedTo: options.delegatedTo,
    dateCreated: date,
    status: "Creating",
  };
};

const authorisedKey = (
  scheme: KeyScheme,
  facts: Pick<CreatingKey, "id" | "orgId"> & { readonly threshold: number; readonly date: string },
): AuthorisedKey => {
  const common = {
    version: 1,
    kind: "key",
    orgId: facts.orgId,
    keyId: facts.id,
    threshold: facts.threshold,
    policy: allowWithoutPolicies(facts.date),
    dateRequested: facts.date,
  } as const;
  return scheme === "FROST-Ed25519"
    ? { ...common, scheme, curve: "ed25519" }
    : { ...common, scheme, curve: "secp256k1" };
};

/** Whether keys may be delegated to a user; DelegateUnknown unless it is an active end user of the organisation. */
export const judgeDelegate = async (
  connection: Connection,
  caller: Caller,
  userId: UserId,
): Promise<Result<UserId>> => {
  const user = await readUser(connection, caller.orgId, userId);
  return user?.kind === "EndUser" && user.isActive
    ? ok(user.id)
    : fail("DelegateUnknown", { userId, orgId: caller.orgId });
};

/**
 * The owner of a new key: the end user that the request names, or that makes it; otherwise the organisation.
 * @returns DelegateUnknown, also when an end user names another one
 */
export const ownerOfNewKey = async (
  connection: Connection,
  caller: Viewer,
  { delegateTo }: KeyOwnership,
): Promise<Result<UserId | undefined>> => {
  const own = caller.isEndUser === true ? caller.userId : undefined;
  if (delegateTo === undefined || delegateTo === own) return ok(own);
  return own === undefined
    ? judgeDelegate(connection, caller, delegateTo)
    : fail("DelegateUnknown", { userId: delegateTo, orgId: caller.orgId });
};
