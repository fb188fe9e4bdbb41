import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import clients from "../../../../test/vectors/client-operations.json" with { type: "json" };
import { errorOf } from "../testing/bodies.ts";
import { startWorld, type World } from "../testing/world.ts";
import { UNSERVED } from "./unserved.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const SOME_ID = "x-00000-00000-0000000000000000";
const WITHOUT_TOKEN = { authorization: "" };
const codeOf = ({ status, body }: { readonly status: number; readonly body: unknown }) => [
  status,
  errorOf(body).details.code,
];

/**
 * Parses `wallets.get_wallet GET /wallets/{walletId}`: the method, the path with ids, and the name in the vendor's
 * interface.
 */
const readLine = (line: string) => {
  const [operation = "", method = "", path = ""] = line.split(" ");
  const name = (operation.split(".")[1] ?? "").replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { name, method, path: path.replace(/\{\w+\}/g, SOME_ID) };
};

/** Every operation of every client, with its names in them. */
const asked = () => {
  const names = new Map<string, Set<string>>();
  for (const { name, method, path } of Object.values(clients).flat().map(readLine)) {
    const request = `${method} ${path}`;
    names.set(request, (names.get(request) ?? new Set()).add(name));
  }
  return [...names].map(([request, its]) => ({ request, its }));
};

/**
 * The answers of a served operation: a token or a body is missing; with a token, a resource or a signed action may be
 * missing.
 */
const SERVED: Readonly<Record<"without a token" | "with a token", readonly number[]>> = {
  "without a token": [400, 401],
  "with a token": [200, 400, 403],
};

describe("an operation of a client library", () => {
  it.each(UNSERVED.flatMap(({ reason, operations }) => operations.map((each) => [...each, reason] as const)))(
    "%s is not served, and the answer says why, to everybody: %s %s",
    async (operation, method, path, reason) => {
      const request = path.replace(/\{\w+\}/g, SOME_ID);
      for (const headers of [WITHOUT_TOKEN, {}]) {
        const { status, body } = await world.call(method, request, undefined, headers);
        expect([status, errorOf(body)]).toMatchObject([
          501,
          { message: reason, details: { code: "OperationNotServed", operation, reason } },
        ]);
      }
    },
  );

  it.each([
    ["without a token", WITHOUT_TOKEN],
    ["with a token", {}],
  ] as const)(
    "is served, or answers 501 by its name, for every one of client libraries, %s",
    async (how, headers) => {
      const wrong: unknown[] = [];
      for (const { request, its } of asked()) {
        const [method = "", path = ""] = request.split(" ");
        // logging out would end the token of the other requests
        const sent = path === "/auth/logout" ? WITHOUT_TOKEN : headers;
        const { status, body } = await world.call(method, path, undefined, sent);
        const { operation, reason } =
          status < 400 ? { operation: undefined, reason: undefined } : errorOf(body).details;
        const isNamed = status === 501 && its.has(z.string().parse(operation)) && reason !== "";
        const expected = path === "/auth/logout" ? [400, 401] : SERVED[how];
        if (!isNamed && !expected.includes(status)) wrong.push([request, status, operation]);
      }
      expect(wrong).toEqual([]);
    },
  );

  it("that is not served has no body in its answer to HEAD", async () => {
    const answer = await world.raw("/vaults", { method: "HEAD" });
    expect([answer.status, await answer.text()]).toEqual([501, ""]);
  });

  it.each([
    ["OPTIONS", "/vaults", "GET, HEAD, POST"],
    ["PATCH", `/vaults/${SOME_ID}`, "GET, HEAD, PUT"],
    ["GET", "/auth/users/invite", "POST"],
    ["DELETE", "/wallets/bulk-create", "GET, HEAD, POST"],
  ])("that is not served says which methods its path takes: %s %s", async (method, path, allowed) => {
    const answer = await world.call(method, path);
    expect([...codeOf(answer), answer.headers.get("allow")]).toEqual([405, "MethodNotAllowed", allowed]);
  });

  it.each(["/vaults/", "/wallets/bulk-create/", "//vaults", "/VAULTS", "/v2/vaults"])(
    "is not at another path: GET %s",
    async (path) => {
      expect(codeOf(await world.call("GET", path))).toEqual([404, "NotFound"]);
    },
  );

  it.each([
    "/vaults?status=Open&limit=-1&limit=x&%00=%ff",
    "/vaults/..%2f..%2fwallets",
    "/vaults/%F0%9F%94%91",
    `/vaults/${"9".repeat(4_000)}`,
  ])("is refused for what it is, whatever its ids and queries hold: GET %.40s", async (path) => {
    expect(codeOf(await world.call("GET", path))).toEqual([501, "OperationNotServed"]);
  });

  it.each([
    ["/payins", "no JSON", "text/plain"],
    [
      "/key-stores/ks-1/key-harvest/output",
      '--x\r\ncontent-disposition: form-data; name="file"\r\n',
      "multipart/form-data; boundary=x",
    ],
    ["/tenant/orgs", "[".repeat(100_000), "application/json"],
  ])("is refused before its body is read: POST %s", async (path, body, type) => {
    expect(codeOf(await world.call("POST", path, body, { "content-type": type }))).toEqual([
      501,
      "OperationNotServed",
    ]);
  });
});
