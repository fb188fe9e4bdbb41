import { createContext, runInContext } from "node:vm";
import { SAMPLE_ACCOUNT, SAMPLE_SHORT_ACCOUNT } from "@conclave/custody";
import { expect, it } from "vitest";
import { z } from "zod";
import { PAGE_SCRIPT } from "./page-script.ts";
import { SAMPLE_IDS } from "./vocabulary/ids.ts";
import { WANTED, type Wanted } from "./wanted.ts";

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
  solana: "wa-sol00-sol00-sol0000000000000",
  tron: "wa-tron0-tron0-tron000000000000",
  taproot: "wa-tap00-tap00-tap0000000000000",
  user: "us-own00-own00-own0000000000000",
  transfer: "xfr-own00-own00-own0000000000000",
  key: "key-own00-own00-own0000000000000",
  ecdsa: "key-ecd00-ecd00-ecd0000000000000",
  free: "key-fre00-fre00-fre0000000000000",
  signature: "sig-own00-own00-own0000000000000",
  credential: "cr-own00-own00-own0000000000000",
  webhook: "wh-own00-own00-own0000000000000",
  attempt: "wh-att00-att00-att0000000000000",
  token: "to-own00-own00-own0000000000000",
};
/** The bytes of accounts: of the address, decoded by its SDK, or of the key. */
const BYTES = {
  solana: "34eda90038f95086b35fbfb0190b08e19f93315d8a828848af2045b8f770fd1f",
  tron: "eb997c42aa6a3def5b8b49137fd58d1442ffecb4",
  taproot: "dfa7a53c19f605c0adaa79419f094e4400370a5534eddd01ce51fae51e2637a1",
};
const SOLANA = {
  id: OWN.solana,
  network: "SolanaDevnet",
  address: "4ZcPWgWwXTShdKAfbEqFPFTeWbXPhpsHzGP2Ea2ctMkA",
  signingKey: { id: OWN.key, scheme: "EdDSA", publicKey: BYTES.solana },
};
const TRON = {
  id: OWN.tron,
  network: "TronNile",
  address: "TXSwfVSWjskd4G8V5Z85D6YptNpkcZvSr5",
  signingKey: { id: OWN.ecdsa, scheme: "ECDSA", publicKey: "02" },
};
const TAPROOT = {
  id: OWN.taproot,
  network: "BitcoinSignet",
  address: "tb1pm7n620qe7czuptd209qe7z2wgsqrwzj4xnka6qww28aw283xx7ss2zhww6",
  signingKey: { id: "key-tap00", scheme: "Schnorr", publicKey: "03" },
};
const WALLETS = [
  { id: OWN.wallet, network: "KeyECDSA", signingKey: { id: OWN.ecdsa } },
  SOLANA,
  TRON,
  TAPROOT,
];
const LISTED: Readonly<Record<string, readonly unknown[]>> = {
  "/wallets?limit=500": WALLETS,
  "/keys?limit=500": [
    { id: "key-edd00-edd00-edd0000000000000", scheme: "EdDSA" },
    { id: OWN.ecdsa, scheme: "ECDSA" },
    { id: OWN.free, scheme: "ECDSA" },
  ],
  "/auth/users?limit=1": [{ userId: OWN.user }],
  "/auth/credentials": [{ credentialUuid: OWN.credential }],
};
const READ: Readonly<Record<string, unknown>> = Object.fromEntries(
  [SOLANA, TRON, TAPROOT].map((wallet) => [`/wallets/${wallet.id}`, wallet]),
);

const PAYMENT = { kind: "Native", to: "6TcyBfPdBt1kjsvDZLzmBFnuMaLWiTaAt4RjUr9VA5YD", amount: "1000000" };
const HASH = { kind: "Hash", hash: "2b" };
const SPEC = {
  paths: {
    "/keys/{keyId}/signatures": { post: bodies(HASH, { scheme: "ECDSA" }) },
    "/keys": { post: bodies({ ...HASH, taprootMerkleRoot: "" }, { scheme: "Schnorr" }) },
    "/wallets": {
      post: bodies({ network: "KeyECDSA", signingKey: { id: SAMPLE_IDS.keyId } }, { scheme: "ECDSA" }),
    },
    "/wallets/{walletId}/transfers": { post: bodies(PAYMENT, { network: "SolanaDevnet" }) },
  },
};
function bodies(value: unknown, wanted: Wanted) {
  const examples = { shown: { value, [WANTED]: wanted } };
  return { requestBody: { content: { "application/json": { examples } } } };
}

/** Runs the page's script, in a page whose service lists wallets, keys and a user. */
const openPage = () => {
  const asked: string[] = [];
  let options: unknown;
  const fetch = async (path: string) => {
    asked.push(path);
    return { ok: true, json: async () => READ[path] ?? { items: LISTED[path] ?? [] } };
  };
  const location = { href: "http://localhost:8080/docs" };
  const page = { fetch, URL, location, pagePlugin: undefined, SwaggerUIBundle: keep };
  function keep(given: unknown): void {
    options = given;
  }
  runInContext(PAGE_SCRIPT, createContext(page));
  const { requestInterceptor, responseInterceptor } = interceptorsSchema.parse(options);
  responseInterceptor({ ok: true, url: "http://localhost:8080/openapi.json", text: JSON.stringify(SPEC) });
  const send = (method: string, path: string, body?: string, headers = { Authorization: "Bearer t" }) =>
    requestInterceptor({
      method,
      url: `http://localhost:8080${path}`,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  const hear = (body: unknown, path = "/wallets") =>
    responseInterceptor({ ok: true, url: `http://localhost:8080${path}`, body });
  return { asked, send, hear };
};
const { walletId, transferId, userId } = SAMPLE_IDS;

it("puts the newest of its kind in the place of an example's id, in path and body, and asks for it once", async () => {
  const { asked, send } = openPage();
  expect((await send("GET", `/wallets/${walletId}`)).url).toBe(`http://localhost:8080/wallets/${OWN.wallet}`);
  expect((await send("POST", "/v2/policies", JSON.stringify({ in: [walletId] }))).body).toBe(
    JSON.stringify({ in: [OWN.wallet] }),
  );
  expect(asked).toEqual(["/wallets?limit=500"]);
});

it("goes on with what the page has seen last, and with the wallet that this is of", async () => {
  const { send, hear } = openPage();
  hear({ id: OWN.transfer, walletId: OWN.other });
  const { url } = await send("GET", `/wallets/${walletId}/transfers/${transferId}`);
  expect(url).toBe(`http://localhost:8080/wallets/${OWN.other}/transfers/${OWN.transfer}`);
});

it.each([
  ["as it is shown", PAYMENT],
  ["with another amount", { ...PAYMENT, amount: "5" }],
])("sends an example of one network from the newest wallet there, %s", async (_, body) => {
  const { send } = openPage();
  const { url } = await send("POST", `/wallets/${walletId}/transfers`, JSON.stringify(body));
  expect(url).toBe(`http://localhost:8080/wallets/${OWN.solana}/transfers`);
});

it("takes the newest wallet of all for what is of no example", async () => {
  const { send } = openPage();
  const body = JSON.stringify({ kind: "Native", to: "somebody", amount: "7" });
  const { url } = await send("POST", `/wallets/${walletId}/transfers`, body);
  expect(url).toBe(`http://localhost:8080/wallets/${OWN.wallet}/transfers`);
});

it("tells an example from another one that holds more", async () => {
  const { send } = openPage();
  const { url } = await send("POST", `/keys/${SAMPLE_IDS.keyId}/signatures`, JSON.stringify(HASH));
  expect(url).toBe(`http://localhost:8080/keys/${OWN.ecdsa}/signatures`);
});

it("makes a wallet on the newest key of the scheme that has none on the network", async () => {
  const { send } = openPage();
  const body = JSON.stringify({ network: "KeyECDSA", signingKey: { id: SAMPLE_IDS.keyId } });
  expect((await send("POST", "/wallets", body)).body).toContain(OWN.free);
});

it.each([
  ["a key of its own", OWN.solana, SAMPLE_ACCOUNT, BYTES.solana],
  ["an address of base 58", OWN.tron, SAMPLE_SHORT_ACCOUNT, BYTES.tron],
  ["a Taproot address", OWN.taproot, SAMPLE_ACCOUNT, BYTES.taproot],
])("puts the wallet's own account into bytes that name one, by %s", async (_, id, sample, own) => {
  const { send } = openPage();
  const bytes = (of: string) => JSON.stringify({ kind: "Transaction", transaction: `0x01${of}02` });
  expect((await send("POST", `/wallets/${id}/signatures`, bytes(sample))).body).toBe(bytes(own));
});

it("sends what is no JSON as it is", async () => {
  const { send } = openPage();
  expect((await send("POST", "/wallets", "{")).body).toBe("{");
});

it("takes a token for the newest one where tokens are made, and not where one signed", async () => {
  const { send, hear } = openPage();
  const path = `/auth/pats/${SAMPLE_IDS.tokenId}`;
  hear({ id: "al-own00-own00-own0000000000000", tokenId: OWN.token }, "/auth/action/logs/al-1");
  expect((await send("PUT", path)).url).toContain(path);
  hear({ tokenId: OWN.token }, "/auth/pats");
  expect((await send("PUT", path)).url).toContain(OWN.token);
});

it("tells a webhook from an attempt to deliver, whose id begins alike", async () => {
  const { send, hear } = openPage();
  const { webhookId, webhookEventId } = SAMPLE_IDS;
  hear({ id: OWN.webhook }, "/webhooks");
  hear({ id: OWN.attempt }, `/webhooks/${OWN.webhook}/events/${OWN.attempt}`);
  const { url } = await send("GET", `/webhooks/${webhookId}/events/${webhookEventId}`);
  expect(url).toBe(`http://localhost:8080/webhooks/${OWN.webhook}/events/${OWN.attempt}`);
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
  const path = `/permissions/${SAMPLE_IDS.permissionId}`;
  expect((await send("GET", path)).url).toBe(`http://localhost:8080${path}`);
  expect((await openPage().send("GET", path, undefined, { Authorization: "" })).url).toContain(path);
  expect(asked).toEqual(["/permissions?limit=1"]);
});
