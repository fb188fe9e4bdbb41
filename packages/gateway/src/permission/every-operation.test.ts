import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FuzzedOperation, operationsOf } from "../fuzz/operations.ts";
import { errorOf } from "../testing/bodies.ts";
import { startWorld, type World } from "../testing/world.ts";

/** Operations by which a person becomes a caller. */
const WITHOUT_TOKEN = [
  "createCredentialChallengeWithCode",
  "createCredentialWithCode",
  "createLoginChallenge",
  "createRecoveryChallenge",
  "createRegistrationChallenge",
  "login",
  "oidcLogin",
  "oidcLoginCredentials",
  "oidcLoginInit",
  "recover",
  "register",
  "registerEndUser",
  "resendRegistrationCode",
  "sendLoginCode",
  "sendRecoveryCode",
  "ssoLogin",
  "ssoLoginInit",
];

/** Operations that every caller may use: about the caller itself, or about no organisation's resources. */
const WITHOUT_PERMISSION = [
  ...WITHOUT_TOKEN,
  "callFunction",
  "createUserActionChallenge",
  "createUserActionSignature",
  "getFees",
  "getPersonalAccessToken",
  "listPersonalAccessTokens",
  "logout",
  "logoutByPost",
  "readContract",
];

let world: World;
let operations: readonly FuzzedOperation[];
beforeAll(async () => {
  world = await startWorld();
  operations = operationsOf((await world.call("GET", "/openapi.json")).body).operations;
});
afterAll(() => world.stop());

/** The operations that do not give this answer to a token without permissions, or to no token. */
const except = async (
  status: number,
  code: string,
  authorize: () => Promise<string>,
): Promise<readonly string[]> => {
  const others: string[] = [];
  for (const { id, method, path } of operations) {
    const body = method === "GET" ? undefined : {};
    const authorization = await authorize();
    const answer = await world.call(method, path.replace(/\{\w+\}/g, "x"), body, { authorization });
    const isRefused = answer.status === status && errorOf(answer.body).details.code === code;
    if (!isRefused) others.push(id);
  }
  return others.sort();
};

describe("every operation", () => {
  it("but those by which somebody becomes a caller needs a token", async () => {
    expect(operations.length).toBeGreaterThan(80);
    expect(await except(401, "TokenMissing", async () => "")).toEqual(WITHOUT_TOKEN.toSorted());
  });

  it("but those about the caller itself needs a permission, before anything else of the request is looked at", async () => {
    // one token for each operation, as logging out ends it
    const authorize = async () => `Bearer ${(await world.tokenOf([])).token}`;
    expect(await except(403, "PermissionMissing", authorize)).toEqual(WITHOUT_PERMISSION.toSorted());
  });
});
