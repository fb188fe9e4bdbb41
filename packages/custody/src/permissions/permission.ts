import type { Operation } from "./operations.ts";

/** The permission that an organisation's first user gets: every operation, now and later, and nobody can change it. */
export const FULL_ADMIN_NAME = "DfnsFullAdminAccess";

/** The permission that end users get: operations on their own resources, and none on the organisation's. */
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

/** Names that the service gives its own permissions, in every organisation: nobody takes them for others. */
export const isReservedName = (name: string): boolean => name === FULL_ADMIN_NAME || name === END_USER_NAME;

/**
 * The changeable parts of a permission: of one that the service made for end users its operations, of the
 * administrators' nothing, of an organisation's own everything.
 *
 * @param isManaged whether the service made it
 */
export const changeableOf = (isManaged: boolean, name: string): "everything" | "operations" | "nothing" => {
  if (!isManaged) return "everything";
  return name === END_USER_NAME ? "operations" : "nothing";
};

/**
 * The permission that an operation of the API requires: this very operation, or any one of these (both
 * generations have names for it).
 */
export type Need = Operation | { readonly anyOf: readonly [Operation, ...Operation[]] };

/** The grant of an identity: everything, or the operations that its permissions list. */
export type Grant =
  | { readonly kind: "everything" }
  | { readonly kind: "listed"; readonly operations: ReadonlySet<string> };

/**
 * The first need that a grant does not cover, as the operation to name in the refusal; undefined when it covers all.
 */
export const missingOperation = (grant: Grant, needs: readonly Need[]): Operation | undefined => {
  if (grant.kind === "everything") return undefined;
  for (const need of needs) {
    const alternatives: readonly [Operation, ...Operation[]] = typeof need === "string" ? [need] : need.anyOf;
    if (!alternatives.some((operation) => grant.operations.has(operation))) return alternatives[0];
  }
  return undefined;
};

/** The intersection of two grants: a token is never worth more than its user. */
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
