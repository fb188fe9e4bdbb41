import { applicationIdSchema, permissionIdSchema, tokenIdSchema, userIdSchema } from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "../testing/bodies.ts";
import { makeClientKey } from "../testing/signers.ts";
import { type Answer, startWorld, type World } from "../testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const { publicKey } = makeClientKey();
const APP = { name: "shop", relyingPartyId: "shop.example", origin: "https://shop.example" };
const codeOf = (answer: Answer) => [answer.status, errorOf(answer.body).details.code];

describe("INV-9 refused:", () => {
  const us = freshId(userIdSchema, "us");
  const to = freshId(tokenIdSchema, "to");
  const ap = freshId(applicationIdSchema, "ap");
  const pm = freshId(permissionIdSchema, "pm");
  const user = { email: "x@acme.example", kind: "CustomerEmployee" };
  const machine = { name: "m", publicKey };
  const app = { ...APP, kind: "ServerSideApplication", publicKey };
  const junk = "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----";
  it.each<readonly [string, string, string, unknown, number, string]>([
    ["a user without an email", "POST", "/auth/users", { kind: "CustomerEmployee" }, 400, "InvalidBody"],
    ["an email that is none", "POST", "/auth/users", { ...user, email: "x" }, 400, "InvalidBody"],
    ["a user of the vendor's", "POST", "/auth/users", { ...user, kind: "DfnsStaff" }, 400, "InvalidBody"],
    ["an end user by invitation", "POST", "/auth/users", { ...user, kind: "EndUser" }, 400, "InvalidBody"],
    ["single sign-on", "POST", "/auth/users", { ...user, isSSORequired: true }, 400, "InvalidBody"],
    ["an unknown field", "POST", "/auth/users", { ...user, admin: true }, 400, "InvalidBody"],
    ["a kind of users", "GET", "/auth/users?kind=DfnsStaff", undefined, 400, "InvalidParameter"],
    ["an unknown user", "GET", `/auth/users/${us}`, undefined, 404, "UserNotFound"],
    ["an id of another kind", "GET", `/auth/users/${to}`, undefined, 400, "InvalidParameter"],
    ["a change of an unknown user", "PUT", `/auth/users/${us}`, { name: "a" }, 404, "UserNotFound"],
    ["an empty name", "PUT", `/auth/users/${us}`, { name: "" }, 400, "InvalidBody"],
    ["activating an unknown user", "PUT", `/auth/users/${us}/activate`, {}, 404, "UserNotFound"],
    ["archiving an unknown user", "DELETE", `/auth/users/${us}`, {}, 404, "UserNotFound"],
    ["a machine without a key", "POST", "/auth/service-accounts", { name: "m" }, 400, "InvalidBody"],
    [
      "a key that is none",
      "POST",
      "/auth/service-accounts",
      { ...machine, publicKey: "x" },
      400,
      "InvalidBody",
    ],
    [
      "a key of nothing",
      "POST",
      "/auth/service-accounts",
      { ...machine, publicKey: junk },
      400,
      "PublicKeyInvalid",
    ],
    ["no day", "POST", "/auth/service-accounts", { ...machine, daysValid: 0 }, 400, "InvalidBody"],
    ["too many days", "POST", "/auth/service-accounts", { ...machine, daysValid: 731 }, 400, "InvalidBody"],
    [
      "an unknown permission",
      "POST",
      "/auth/service-accounts",
      { ...machine, permissionId: pm },
      404,
      "PermissionNotFound",
    ],
    ["an unknown machine", "GET", `/auth/service-accounts/${us}`, undefined, 404, "ServiceAccountNotFound"],
    [
      "deactivating an unknown machine",
      "PUT",
      `/auth/service-accounts/${us}/deactivate`,
      {},
      404,
      "ServiceAccountNotFound",
    ],
    ["a token without a name", "POST", "/auth/pats", { publicKey }, 400, "InvalidBody"],
    [
      "two lifetimes",
      "POST",
      "/auth/pats",
      { ...machine, daysValid: 1, secondsValid: 1 },
      400,
      "InvalidBody",
    ],
    ["an unknown token", "GET", `/auth/pats/${to}`, undefined, 404, "AccessTokenNotFound"],
    ["a change of an unknown token", "PUT", `/auth/pats/${to}`, {}, 404, "AccessTokenNotFound"],
    ["an application of no kind", "POST", "/auth/apps", { ...app, kind: "App" }, 400, "InvalidBody"],
    [
      "an origin with a path",
      "POST",
      "/auth/apps",
      { ...app, origin: "https://a.example/b" },
      400,
      "InvalidBody",
    ],
    ...["https://a.example\0", "https://a.example\ud800", "https://user@a.example", "https://A.example"].map(
      (origin) =>
        [`the origin ${origin}`, "POST", "/auth/apps", { ...app, origin }, 400, "InvalidBody"] as const,
    ),
    ["an origin in clear", "POST", "/auth/apps", { ...app, origin: "http://a.example" }, 400, "InvalidBody"],
    [
      "a server's without a key",
      "POST",
      "/auth/apps",
      { ...APP, kind: "ServerSideApplication" },
      400,
      "InvalidBody",
    ],
    [
      "a client's with a key",
      "POST",
      "/auth/apps",
      { ...app, kind: "ClientSideApplication" },
      400,
      "InvalidBody",
    ],
    ["an unknown application", "GET", `/auth/apps/${ap}`, undefined, 404, "ApplicationNotFound"],
    ["archiving an unknown application", "DELETE", `/auth/apps/${ap}`, {}, 404, "ApplicationNotFound"],
    [
      "an unknown log",
      "GET",
      "/auth/action/logs/al-00000-00000-0000000000000000",
      undefined,
      404,
      "AuditLogNotFound",
    ],
    ...["startTime=0000-01-01T00:00:00Z", "endTime=9999-12-31T23:59:59-14:00"].map(
      (query) => [query, "GET", `/auth/action/logs?${query}`, undefined, 400, "InvalidParameter"] as const,
    ),
    [
      "a time that is none",
      "GET",
      "/auth/action/logs?startTime=yesterday",
      undefined,
      400,
      "InvalidParameter",
    ],
  ])("%s", async (_, method, path, body, status, code) => {
    expect(codeOf(await world.call(method, path, body))).toEqual([status, code]);
  });
});
