import type { Operation } from "./operations.ts";

/** The permission of an organisation's first user: all operations, future ones too. Nobody can change it. */
export const FULL_ADMIN_NAME = "DfnsFullAdminAccess";

/** The permission of end users: operations on their own resources, and none on the organisation's. */
export const END_USER_NAME = "DfnsDefaultEndUserAccess";
export const END_USER_OPERATIONS: readonly Operation[] = [
  "Auth:Action:Sign",
  "Auth:Creds:Create",
  "Auth:Creds:Read",
  "Auth:Creds:Update",
  "Keys:Read",
  "Keys:Signatures:Create",
  "Keys:Signatures:Read",
  "Wallets:BroadcastTransaction",
  "Wallets:GenerateSignature",
  "Wallets:Read",
  "Wallets:ReadSignature",
  "Wallets:ReadTransaction",
  "Wallets:ReadTransfer",
  "Wallets:Transactions:Create",
  "Wallets:Transactions:Read",
  "Wallets:TransferAsset",
  "Wallets:Transfers:Create",
  "Wallets:Transfers:Read",
];

/** Names of permissions that the service makes in every organisation: callers cannot use them for their own. */
export const isReservedName = (name: string): boolean => name === FULL_ADMIN_NAME || name === END_USER_NAME;

/**
 * The changeable parts of a permission: everything of an organisation's own, the operations of the end users'
 * permission, and nothing of the administrators'.
 *
 * @param isManaged whether the service made it
 */
export const changeableOf = (isManaged: boolean, name: string): "everything" | "operations" | "nothing" => {
  if (!isManaged) return "everything";
  return name === END_USER_NAME ? "operations" : "nothing";
};

/**
 * The permission that an operation of the API requires: this operation, or any one of these, where older and
 * newer client libraries name it differently.
 */
export type Need = Operation | { readonly anyOf: readonly [Operation, ...Operation[]] };

/** The grant of an identity: everything, or the operations that its permissions list. */
export type Grant =
  | { readonly kind: "everything" }
  | { readonly kind: "listed"; readonly operations: ReadonlySet<string> };

/**
 * Finds the first need that a grant does not cover, as the operation to name in the refusal; undefined if it
 * covers all.
 */
export const missingOperation = (grant: Grant, needs: readonly Need[]): Operation | undefined => {
  if (grant.kind === "everything") return undefined;
  for (const need of needs) {
    const alternatives: readonly [Operation, ...Operation[]] = typeof need === "string" ? [need] : need.anyOf;
    if (!alternatives.some((operation) => grant.operations.has(operation))) return alternatives[0];
  }
  return undefined;
};

/** The intersection of two grants: a token never has more rights than its user. */
export const narrow = (grant: Grant, to: Grant): Grant => {
  if (to.kind === "everything") return grant;
  if (grant.kind === "everything") return to;
  return {
    kind: "listed",
    operations: new Set([...to.operations].filter((each) => grant.operations.has(each))),
  };
};

/** The union of two grants. */
export const widen = (grant: Grant, by: Grant): Grant =>
  grant.kind === "everything" || by.kind === "everything"
    ? { kind: "everything" }
    : { kind: "listed", operations: new Set([...grant.operations, ...by.operations]) };
