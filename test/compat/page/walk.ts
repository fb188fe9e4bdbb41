import type { Documented } from "./documented.ts";
import { isEnding, type Person } from "./person.ts";

/** The page's login, and other actions around it. */
export interface Around {
  /** logs the page in as the administrator, as the service account, or with a token that the page has shown */
  authorize(who: "administrator" | "service" | "end user"): Promise<void>;
  /** holds the development chain's blocks back while a transaction waits */
  holdingBlocks(work: () => Promise<void>): Promise<void>;
}

const FIRST = [
  "createWebhook",
  "createWallet",
  "createKey",
  "createUser",
  "createDelegatedRegistrationChallenge",
  "createServiceAccount",
  "createPersonalAccessToken",
  "createApplication",
  "createPermission",
  "createAssignment",
  "transferAsset",
  "broadcastTransaction",
  "generateKeySignature",
  "generateSignature",
  "delegatedLogin",
];
/** Operations with their own part of the walk. */
const WAITING = ["speedUpTransfer", "cancelTransfer", "speedUpTransaction", "cancelTransaction"];
const JUDGING = [
  "createPolicy",
  "getPolicy",
  "updatePolicy",
  "deleteAssignment",
  "getApproval",
  "listApprovals",
  "createApprovalDecision",
];
const ABORTING = ["abortTransfer", "abortTransaction"];
const MAKING_MANY = ["bulkCreateWallets", "getBulkWalletJob", "listBulkWalletJobWallets"];
const LEAVING = ["logout", "logoutByPost"];
const APART = [...FIRST, ...WAITING, ...JUDGING, ...ABORTING, ...MAKING_MANY, ...LEAVING];

const COIN = "Evm: 0.001 of the native coin";
const PAYMENT = "Evm: a payment, with all that is left out filled in";

/** Replaces waiting transactions: a transfer and a transaction, each sped up once and cancelled once. */
const waiting = async (person: Person, { holdingBlocks }: Around): Promise<void> => {
  for (const then of ["speedUpTransfer", "cancelTransfer"])
    await holdingBlocks(async () => {
      await person.tryOut("transferAsset", [COIN]);
      await person.tryUntil("getTransfer", "Broadcasted");
      await person.tryOut(then);
    });
  for (const then of ["speedUpTransaction", "cancelTransaction"])
    await holdingBlocks(async () => {
      await person.tryOut("broadcastTransaction", [PAYMENT]);
      await person.tryUntil("getTransaction", "Broadcasted");
      await person.tryOut(then);
    });
};

/**
 * Policies and approvals: the first policy is changed before the next ones guard all further changes, so that approvers are
 * asked.
 */
const judging = async (person: Person, around: Around, policies: readonly string[]): Promise<void> => {
  await person.tryOut("createPolicy", policies.slice(0, 1));
  await person.tryOut("getPolicy");
  await person.tryOut("updatePolicy");
  await person.tryOut("createPolicy", policies.slice(1));
  // an assigned permission is revoked; assigning it again is denied
  for (const [change, decision] of [
    ["deleteAssignment", "approve"],
    ["createAssignment", "deny"],
  ] as const) {
    await around.authorize("service");
    await person.tryOut(change);
    await around.authorize("administrator");
    await person.tryOut("listApprovals");
    await person.tryOut("getApproval");
    await person.tryOut("createApprovalDecision", [decision]);
  }
};

/** A job that creates wallets, which are listed once it has ended. */
const makingMany = async (person: Person): Promise<void> => {
  await person.tryOut("bulkCreateWallets");
  await person.tryUntil("getBulkWalletJob", "Completed");
  await person.tryOut("listBulkWalletJobWallets");
};

/** Aborts requests that wait for a policy: the policies hold back those of tagged wallets. */
const aborting = async (person: Person): Promise<void> => {
  await person.tryOut("createWallet", ["Evm: a wallet"]);
  await person.tryOut("tagWallet");
  await person.tryOut("transferAsset", [COIN]);
  await person.tryOut("abortTransfer");
  await person.tryOut("broadcastTransaction", [PAYMENT]);
  await person.tryOut("abortTransaction");
};

/**
 * Order of the operations that end something: a wallet is delegated before its owner is deactivated, and an owner is
 * deactivated before it is archived.
 */
const ENDS = [/delegate/i, /deactivate/i, /export/i, /^delete(?!Key)/i, /archive/i, /^deleteKey/];
const endRank = (operationId: string): number => ENDS.findIndex((pattern) => pattern.test(operationId));

const ending = async (person: Person, operations: readonly Documented[]): Promise<void> => {
  const ends = operations.filter((each) => isEnding(each) && !APART.includes(each.operationId));
  const sorted = ends.toSorted((one, other) => endRank(one.operationId) - endRank(other.operationId));
  for (const { operationId } of sorted) {
    if (operationId === "delegateWallet")
      await person.tryOut("createWallet", ["that becomes an end user's later"]);
    if (operationId === "delegateKey") await person.tryOut("createKey", ["that becomes an end user's later"]);
    await person.tryOut(operationId);
  }
};

const leaving = async (person: Person, { authorize }: Around): Promise<void> => {
  for (const way of LEAVING) {
    await authorize("administrator");
    await person.tryOut("delegatedLogin");
    await authorize("end user");
    await person.tryOut(way);
  }
};

/** Tries every operation of the page with each example, in a sensible order for a person. */
export const walk = async (
  person: Person,
  operations: readonly Documented[],
  around: Around,
): Promise<void> => {
  await around.authorize("administrator");
  for (const operationId of FIRST) await person.tryOut(operationId);
  for (const operation of operations)
    if (!APART.includes(operation.operationId) && !isEnding(operation))
      await person.tryOut(operation.operationId);
  await makingMany(person);
  await waiting(person, around);
  const policies = operations.find(({ operationId }) => operationId === "createPolicy")?.examples ?? [];
  await judging(person, around, policies);
  await aborting(person);
  await leaving(person, around);
  await around.authorize("administrator");
  await ending(person, operations);
};
