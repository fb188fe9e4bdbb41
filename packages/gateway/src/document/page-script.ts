import { SAMPLE_IDS } from "./vocabulary/ids.ts";

const ID = SAMPLE_IDS;

/** Where the newest of what an example's id stands for is found; a path may hold the id of another example. */
const LISTS: Readonly<Record<string, string>> = {
  [ID.walletId]: "/wallets?limit=1",
  [ID.keyId]: "/keys?limit=1",
  [ID.transferId]: `/wallets/${ID.walletId}/transfers?limit=1`,
  [ID.transactionId]: `/wallets/${ID.walletId}/transactions?limit=1`,
  [ID.signatureId]: `/wallets/${ID.walletId}/signatures?limit=1`,
  [ID.policyId]: "/v2/policies?limit=1",
  [ID.approvalId]: "/v2/policy-approvals?limit=1",
  [ID.permissionId]: "/permissions?limit=1",
  [ID.webhookId]: "/webhooks?limit=1",
  [ID.webhookEventId]: `/webhooks/${ID.webhookId}/events?limit=1`,
};

/**
 * What the page of the API runs. Where a request holds the id of an example, it puts in the newest thing of that kind, so that
 * examples can be tried as they stand; but not where something ends by it: whoever ends a thing names it.
 */
export const PAGE_SCRIPT = `const lists = ${JSON.stringify(LISTS)};
const ending = /^DELETE |\\/(abort|archive|cancel|deactivate|decisions|delegate|export)$/;
const newest = new Map();

const prefixOf = (id) => id.slice(0, id.indexOf("-") + 1);
const remember = (thing) => {
  if (typeof thing?.id !== "string") return;
  const example = Object.keys(lists).find((each) => prefixOf(each) === prefixOf(thing.id));
  if (example === undefined) return;
  newest.set(example, thing.id);
  if (typeof thing.walletId === "string") newest.set("${ID.walletId}", thing.walletId);
};

// where nothing is listed the example stays, and the answer says that it is not there
const withOwnIds = async (text, headers) => {
  let result = text;
  for (const [example, list] of Object.entries(lists)) {
    if (!result.includes(example)) continue;
    if (!newest.has(example)) {
      const answer = await fetch(await withOwnIds(list, headers), { headers });
      if (answer.ok) remember((await answer.json()).items[0]);
    }
    result = result.replaceAll(example, newest.get(example) ?? example);
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
    const authorization = request.headers?.Authorization;
    if (request.loadSpec || authorization === undefined || ending.test(request.method + " " + pathname)) return request;
    // of transfers and the like first: they tell which wallet is meant
    request.url = await withOwnIds(request.url, { authorization });
    if (typeof request.body === "string") request.body = await withOwnIds(request.body, { authorization });
    return request;
  },
  responseInterceptor: (response) => {
    if (response.ok) remember(response.body ?? response.obj);
    return response;
  },
});
`;
