import type { EditedFile } from "../../edit.ts";

const GATEWAY = "packages/gateway/src";
const PLATFORM = "packages/platform/src";

/** Logins at an identity provider: who is vouched for, and how often an answer serves. */
export const LOGIN_EDITS: readonly EditedFile[] = [
  {
    path: `${PLATFORM}/identity-provider/provider.ts`,
    tests: [`${PLATFORM}/identity-provider/provider.test.ts`],
    edits: [
      {
        weakens: "an email address counts only once the identity provider has verified it",
        find: 'claims?.["email_verified"] !== true',
        put: "claims === undefined",
      },
      {
        weakens: "an ID token has the claims that the operator requires",
        find: "claims?.[name] !== requiredClaims[name]",
        put: "claims === undefined",
      },
    ],
  },
  {
    path: `${GATEWAY}/login/identity-provider/provider-login.ts`,
    tests: [`${GATEWAY}/login/identity-provider/provider-login.test.ts`],
    edits: [
      {
        weakens: "the state of a login at an identity provider serves once",
        find: "if (!(await spendChallenge(dependencies.database, pending.id, pending.dateExpires))) {",
        put: 'if (pending.id === "") {',
      },
      {
        weakens: "an identity provider vouches for employees only",
        find: 'found?.kind !== "CustomerEmployee"',
        put: "found === undefined",
      },
    ],
  },
];
