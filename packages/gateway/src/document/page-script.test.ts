import { createContext, runInContext } from "node:vm";
import { expect, it } from "vitest";
import { z } from "zod";
import { PAGE_SCRIPT } from "./page-script.ts";
import { SAMPLE_IDS } from "./vocabulary/ids.ts";

interface PageRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}
const interceptorsSchema = z.object({
  requestInterceptor: z.custom<(request: PageRequest) => Promise<PageRequest>>(),
  responseInterceptor: z.custom<(response: unknown) => unknown>(),
});

const OWN = {
  wallet: "wa-own00-own00-own0000000000000",
  other: "wa-othr0-othr0-othr000000000000",
  user: "us-own00-own00-own0000000000000",
  transfer: "xfr-own00-own00-own0000000000000",
  key: "key-own00-own00-own0000000000000",
  signature: "sig-own00-own00-own0000000000000",
  credential: "cr-own00-own00-own0000000000000",
};
const LISTED: Readonly<Record<string, unknown>> = {
  "/wallets?limit=1": { id: OWN.wallet },
  "/auth/users?limit=1": { userId: OWN.user },
  "/auth/credentials": { credentialUuid: OWN.credential },
};

/** The page's script, in a page whose service lists a wallet and a user. */
const openPage = () => {
  const asked: string[] = [];
  let options: unknown;
  const fetch = async (path: string) => {
    asked.push(path);
    const item = LISTED[path];
    return { ok: true, json: async () => ({ items: item === undefined ? [] : [item] }) };
  };
  const page = { fetch, URL, location: { href: "http://localhost:8080/docs" }, SwaggerUIBundle: keep };
  function keep(given: unknown): void {
    options = given;
  }
  runInContext(PAGE_SCRIPT, createContext(page));
  const { requestInterceptor, responseInterceptor } = interceptorsSchema.parse(options);
  const send = (method: string, path: string, body?: string, headers = { Authorization: "Bearer t" }) =>
    requestInterceptor({
      method,
      url: `http://localhost:8080${path}`,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  return { asked, send, hear: (body: unknown) => responseInterceptor({ ok: true, body }) };
};
const { walletId, transferId, userId } = SAMPLE_IDS;

it("puts the newest of its kind in the place of an example's id, in path and body, and asks for it once", async () => {
  const { asked, send } = openPage();
  expect((await send("GET", `/wallets/${walletId}`)).url).toBe(`http://localhost:8080/wallets/${OWN.wallet}`);
  expect((await send("POST", "/v2/policies", JSON.stringify({ in: [walletId] }))).body).toBe(
    JSON.stringify({ in: [OWN.wallet] }),
  );
  expect(asked).toEqual(["/wallets?limit=1"]);
});

it("goes on with what the page has seen last, and with the wallet that this is of", async () => {
  const { send, hear } = openPage();
  hear({ id: OWN.transfer, walletId: OWN.other });
  const { url } = await send("GET", `/wallets/${walletId}/transfers/${transferId}`);
  expect(url).toBe(`http://localhost:8080/wallets/${OWN.other}/transfers/${OWN.transfer}`);
});

it("takes a key's signatures for no wallet's, and goes on with the key that they are of", async () => {
  const { send, hear } = openPage();
  const { keyId, signatureId } = SAMPLE_IDS;
  hear({ id: OWN.signature, keyId: OWN.key });
  const ofKey = await send("GET", `/keys/${keyId}/signatures/${signatureId}`);
  expect(ofKey.url).toBe(`http://localhost:8080/keys/${OWN.key}/signatures/${OWN.signature}`);
  const ofWallet = await send("GET", `/wallets/${walletId}/signatures/${signatureId}`);
  expect(ofWallet.url).toBe(`http://localhost:8080/wallets/${OWN.wallet}/signatures/${signatureId}`);
});

it("lets one's own newest credential sign again, and ends none by itself", async () => {
  const { send } = openPage();
  const body = JSON.stringify({ credentialUuid: SAMPLE_IDS.credentialUuid });
  expect((await send("PUT", "/auth/credentials/activate", body)).body).toContain(OWN.credential);
  expect((await send("PUT", "/auth/credentials/deactivate", body)).body).toBe(body);
});

it.each([
  ["DELETE", `/wallets/${walletId}`],
  ["PUT", `/auth/users/${userId}/deactivate`],
  ["POST", `/wallets/${walletId}/delegate`],
  ["PUT", `/auth/users/${userId}`],
])("aims at nobody and nothing by itself with %s %s", async (method, path) => {
  const { asked, send } = openPage();
  expect((await send(method, path)).url).toBe(`http://localhost:8080${path}`);
  expect(asked).toEqual([]);
});

it("leaves the example where there is nothing, and every request without a token", async () => {
  const { asked, send } = openPage();
  const path = `/keys/${SAMPLE_IDS.keyId}`;
  expect((await send("GET", path)).url).toBe(`http://localhost:8080${path}`);
  expect((await openPage().send("GET", path, undefined, { Authorization: "" })).url).toContain(path);
  expect(asked).toEqual(["/keys?limit=1"]);
});
