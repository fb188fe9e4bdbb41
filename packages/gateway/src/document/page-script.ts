import { SAMPLE_IDS } from "./vocabulary/ids.ts";

const ID = SAMPLE_IDS;

/** Where the newest of what an example's id stands for is found, and which of its properties is its id. */
interface Place {
  /** a path, which may hold the id of another example */
  readonly list: string;
  /** the same of those that are a key's and no wallet's, where there are such */
  readonly listOfKey?: string;
  /** within each item of the list, and within the answer of who makes or reads one */
  readonly property: string;
  /** somebody who may call: whom a request changes was made or read on this page, and is not whoever comes first */
  readonly isPerson?: true;
}

const PLACES: Readonly<Record<string, Place>> = {
  [ID.walletId]: { list: "/wallets?limit=1", property: "id" },
  [ID.keyId]: { list: "/keys?limit=1", property: "id" },
  [ID.transferId]: { list: `/wallets/${ID.walletId}/transfers?limit=1`, property: "id" },
  [ID.transactionId]: { list: `/wallets/${ID.walletId}/transactions?limit=1`, property: "id" },
  [ID.signatureId]: {
    list: `/wallets/${ID.walletId}/signatures?limit=1`,
    listOfKey: `/keys/${ID.keyId}/signatures?limit=1`,
    property: "id",
  },
  [ID.policyId]: { list: "/v2/policies?limit=1", property: "id" },
  [ID.approvalId]: { list: "/v2/policy-approvals?limit=1", property: "id" },
  [ID.permissionId]: { list: "/permissions?limit=1", property: "id" },
  [ID.webhookId]: { list: "/webhooks?limit=1", property: "id" },
  [ID.webhookEventId]: { list: `/webhooks/${ID.webhookId}/events?limit=1`, property: "id" },
  [ID.auditLogId]: { list: "/auth/action/logs?limit=1", property: "id" },
  [ID.userId]: { list: "/auth/users?limit=1", property: "userId", isPerson: true },
  [ID.serviceAccountId]: { list: "/auth/service-accounts", property: "userInfo.userId", isPerson: true },
  [ID.tokenId]: { list: "/auth/pats", property: "tokenId", isPerson: true },
  [ID.credentialUuid]: { list: "/auth/credentials", property: "credentialUuid" },
  [ID.appId]: { list: "/auth/apps", property: "appId", isPerson: true },
};

/**
 * What the page of the API runs. Where a request holds the id of an example, it puts in the newest thing of that kind, so that
 * examples can be tried as they stand; but not where something ends by it: whoever ends a thing names it.
 */
export const PAGE_SCRIPT = `const places = ${JSON.stringify(PLACES)};
const ending = /^DELETE (?!.*\\/tags$)|\\/(abort|archive|cancel|deactivate|decisions|delegate|export)$/;
const newest = new Map();

const prefixOf = (id) => id.slice(0, id.indexOf("-") + 1);
const nameOf = (example, isOfKey) => (isOfKey ? "of a key: " : "") + example;
const remember = (thing) => {
  for (const [example, { property, listOfKey }] of Object.entries(places)) {
    const id = property.split(".").reduce((holder, name) => holder?.[name], thing);
    if (typeof id !== "string" || prefixOf(id) !== prefixOf(example)) continue;
    const isOfKey = listOfKey !== undefined && thing.walletId === undefined;
    newest.set(nameOf(example, isOfKey), id);
    if (isOfKey && typeof thing.keyId === "string") newest.set("${ID.keyId}", thing.keyId);
  }
  // a transfer, a transaction or a signature tells which wallet is meant from now on
  if (typeof thing?.walletId === "string") newest.set("${ID.walletId}", thing.walletId);
};

// where nothing is listed the example stays, and the answer says that it is not there
const withOwnIds = async (text, request) => {
  let result = text;
  for (const [example, { list, listOfKey, isPerson }] of Object.entries(places)) {
    if (!result.includes(example)) continue;
    const isOfKey = listOfKey !== undefined && text.includes("/keys/");
    const name = nameOf(example, isOfKey);
    if (!newest.has(name) && !(isPerson && request.method === "PUT")) {
      const headers = { authorization: request.headers.Authorization };
      const answer = await fetch(await withOwnIds(isOfKey ? listOfKey : list, request), { headers });
      if (answer.ok) remember((await answer.json()).items[0]);
    }
    result = result.replaceAll(example, newest.get(name) ?? example);
  }
  return result;
};

SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#page",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
  filter: true,
  persistAuthorization: true,
  // nothing is asked of another host: the page works offline
  validatorUrl: null,
  requestInterceptor: async (request) => {
    const { pathname } = new URL(request.url, location.href);
    if (request.loadSpec || !request.headers?.Authorization) return request;
    if (ending.test(request.method + " " + pathname)) return request;
    request.url = await withOwnIds(request.url, request);
    if (typeof request.body === "string") request.body = await withOwnIds(request.body, request);
    return request;
  },
  responseInterceptor: (response) => {
    if (response.ok) remember(response.body ?? response.obj);
    return response;
  },
});
`;
