import { expect, it } from "vitest";
import { revokesRights } from "./revoking-operations.ts";

it.each([
  ["PUT", "/auth/users/us-1/deactivate", true],
  ["DELETE", "/auth/service-accounts/us-1", true],
  ["PUT", "/auth/credentials/deactivate", true],
  ["DELETE", "/auth/credentials/cr-1", true],
  ["DELETE", "/auth/service-accounts/credentials/cr-1", true],
  ["DELETE", "/auth/user-groups/ug-1", true],
  ["DELETE", "/auth/user-groups/ug-1/members", true],
  ["PUT", "/permissions/pm-1/archive", true],
  ["DELETE", "/permissions/pm-1/assignments/as-1", true],
  ["POST", "/auth/action/init", true],
  ["POST", "/auth/action", true],
  ["PUT", "/auth/users/us-1/activate", false],
  ["POST", "/permissions/pm-1/assignments", false],
  ["POST", "/auth/user-groups/ug-1/members", false],
  ["GET", "/auth/users/us-1", false],
  ["DELETE", "/v2/policies/plc-1", false],
])("whether %s %s takes a right away: %s", (method, path, expected) => {
  expect(revokesRights(method, path)).toBe(expected);
});
