import type { Need } from "@conclave/custody";

/** The section of an operation on the API's page, by its path: the first pattern that matches. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^\/wallets\/.*\/(transfers)/, "Transfers"],
  [/^\/wallets\/.*\/(transactions)/, "Transactions"],
  [/\/signatures/, "Signatures"],
  [/\/(import|export)$|^\/signers/, "Import and export"],
  [/^\/wallets/, "Wallets"],
  [/^\/key/, "Keys"],
  [/^\/networks/, "Networks"],
  [/^\/v2\/policies/, "Policies"],
  [/^\/v2\/policy-approvals/, "Approvals"],
  [/^\/webhooks/, "Webhooks"],
  [/^\/permissions/, "Permissions"],
  [/^\/orgs/, "Organisation"],
  [/^\/auth\/action/, "User actions"],
  [/^\/auth\/apps/, "Applications"],
  [/^\/auth\/credentials/, "Credentials"],
  [/^\/auth\/(pats|service-accounts)/, "Service accounts and tokens"],
  [/^\/auth\/(users|user-groups)/, "Users"],
  [/^\/auth/, "Login and registration"],
];

/** The sections of the page, in order. */
export const TAGS = PLACES.map(([, name]) => ({ name }));

/** The section of an operation. */
export const tagOf = (path: string): string =>
  PLACES.find(([pattern]) => pattern.test(path))?.[1] ?? "Others";

/** The permissions that an operation requires, in a sentence. */
export const describeNeeds = (needs: readonly Need[]): string => {
  if (needs.length === 0) return "Needs a token, and no permission.";
  const each = needs.map((need) =>
    typeof need === "string" ? `\`${need}\`` : need.anyOf.map((name) => `\`${name}\``).join(" or "),
  );
  return `Needs ${each.join(", and ")}.`;
};
