import { SAMPLE_ACCOUNT, SAMPLE_SHORT_ACCOUNT } from "@conclave/custody";
import { SAMPLE_IDS } from "./vocabulary/ids.ts";
import { WANTED } from "./wanted.ts";

const ID = SAMPLE_IDS;

/** Where the newest of what an example's id stands for is found, and which of its properties is its id. */
interface Place {
  /** a path, which may hold the id of another example */
  readonly list: string;
  /** the same of those that are a key's and no wallet's, where there are such */
  readonly listOfKey?: string;
  /** within each item of the list, and within the answer of who makes or reads one */
  readonly property: string;
  /** other answers name one too, or a thing whose id begins alike: it is seen where its list stands, and nowhere else */
  readonly isInPlace?: true;
  /** somebody who may call: the user of a request was made or read on this page, and is not the first one */
  readonly isPerson?: true;
}

/** Resources of a wallet or a key come before these, which are then its own. */
const PLACES: Readonly<Record<string, Place>> = {
  [ID.transferId]: { list: `/wallets/${ID.walletId}/transfers?limit=1`, property: "id" },
  [ID.transactionId]: { list: `/wallets/${ID.walletId}/transactions?limit=1`, property: "id" },
  [ID.signatureId]: {
    list: `/wallets/${ID.walletId}/signatures?limit=1`,
    listOfKey: `/keys/${ID.keyId}/signatures?limit=1`,
    property: "id",
  },
  [ID.walletId]: { list: "/wallets?limit=500", property: "id" },
  [ID.keyId]: { list: "/keys?limit=500", property: "id" },
  [ID.policyId]: { list: "/v2/policies?limit=1", property: "id" },
  [ID.approvalId]: { list: "/v2/policy-approvals?limit=1", property: "id" },
  [ID.permissionId]: { list: "/permissions?limit=1", property: "id" },
  [ID.webhookId]: { list: "/webhooks?limit=1", property: "id", isInPlace: true },
  [ID.webhookEventId]: { list: `/webhooks/${ID.webhookId}/events?limit=1`, property: "id", isInPlace: true },
  [ID.auditLogId]: { list: "/auth/action/logs?limit=1", property: "id" },
  [ID.userId]: { list: "/auth/users?limit=1", property: "userId", isInPlace: true, isPerson: true },
  [ID.serviceAccountId]: {
    list: "/auth/service-accounts",
    property: "userInfo.userId",
    isInPlace: true,
    isPerson: true,
  },
  [ID.tokenId]: { list: "/auth/pats", property: "tokenId", isInPlace: true, isPerson: true },
  [ID.credentialUuid]: { list: "/auth/credentials", property: "credentialUuid", isInPlace: true },
  [ID.appId]: { list: "/auth/apps", property: "appId", isInPlace: true, isPerson: true },
};

/**
 * The script of the API's page. Where a request holds the id of an example, it puts in the newest thing of that
 * kind, so that examples can be tried as they stand; but not where something ends by it: the caller has to name
 * it. An example of one network or one kind of key gets the newest of those, and bytes that name an account get
 * the wallet's own.
 */
export const PAGE_SCRIPT = `const places = ${JSON.stringify(PLACES)};
const ending = /^DELETE (?!.*\\/tags$)|\\/(abort|archive|cancel|deactivate|decisions|delegate|export)$/;
const account = { bytes32: "${SAMPLE_ACCOUNT}", bytes20: "${SAMPLE_SHORT_ACCOUNT}" };
// what this page has seen of each kind, the newest first
const seen = new Map(Object.keys(places).map((example) => [example, []]));
let examples = [];

const prefixOf = (id) => id.slice(0, id.indexOf("-") + 1);
const idOf = (thing, { property }) => property.split(".").reduce((holder, name) => holder?.[name], thing);
const schemeOf = (thing) => thing.scheme ?? thing.signingKey?.scheme;
const isUnder = (list, path) => {
  const [own] = list.split("?");
  const ofAny = own.replaceAll(/\\/[a-z]+-[a-z0-9]{5}-[^/]+/g, "/[^/]+");
  return new RegExp("^" + ofAny + "(/[^/]+)?(/(de)?activate)?$").test(path);
};
const remember = (thing, path) => {
  for (const [example, place] of Object.entries(places)) {
    const id = idOf(thing, place);
    if (place.isInPlace && !isUnder(place.list, path)) continue;
    if (typeof id === "string" && prefixOf(id) === prefixOf(example)) seen.get(example).unshift(thing);
  }
  // a transfer, a transaction or a signature tells which wallet or key is meant from now on
  if (typeof thing?.walletId === "string") recall("${ID.walletId}", thing.walletId, { network: thing.network });
  else if (typeof thing?.keyId === "string") recall("${ID.keyId}", thing.keyId, {});
};
const recall = (example, id, known) => {
  const things = seen.get(example);
  things.unshift({ ...things.find((each) => each.id === id), ...known, id });
};

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

// what a body is meant for: the same as the example that it has most in common with, where that is one
const wantedBy = (body) => {
  const isShared = (name, value) => name !== "kind" && JSON.stringify(value[name]) === JSON.stringify(body[name]);
  // what is changed counts nothing, and what is left out speaks against it
  const likeness = ({ value }) =>
    value.kind !== body.kind
      ? 0
      : Object.keys(value).reduce((sum, name) => sum + (name in body ? Number(isShared(name, value)) : -1), 0);
  const most = Math.max(1, ...examples.map(likeness));
  const meant = new Set(examples.filter((each) => likeness(each) === most).map(({ wanted }) => JSON.stringify(wanted)));
  return meant.size === 1 ? JSON.parse([...meant][0]) : {};
};

const ask = async (path, request) => {
  const answer = await fetch(path, { headers: { authorization: request.headers.Authorization } });
  return answer.ok ? answer.json() : {};
};

// keys that have a wallet on the network already take no second one there
const takenOn = async (network, request) => {
  const { items = [] } = await ask("/wallets?limit=500", request);
  return items.filter((each) => each.network === network).map((each) => each.signingKey.id);
};

// where nothing is found the example stays, and the answer says that it is not there
const find = async (example, request, wanted) => {
  const place = places[example];
  const isOfKey = place.listOfKey !== undefined && new URL(request.url, location.href).pathname.startsWith("/keys/");
  const taken = example === "${ID.keyId}" && wanted.forNetwork ? await takenOn(wanted.forNetwork, request) : [];
  const fits = (thing) =>
    (!wanted.network || !prefixOf(example).startsWith("wa-") || thing.network === wanted.network) &&
    (!wanted.scheme || !/^(wa|key)-/.test(example) || schemeOf(thing) === wanted.scheme) &&
    (place.listOfKey === undefined || (thing.walletId === undefined) === isOfKey) &&
    !taken.includes(thing.id);
  const known = seen.get(example).find(fits);
  if (known || (place.isPerson && request.method === "PUT")) return known;
  const { items = [] } = await ask(await withOwn(isOfKey ? place.listOfKey : place.list, request, wanted), request);
  seen.get(example).push(...items);
  return items.find(fits);
};

const withOwn = async (text, request, wanted, own = new Map()) => {
  let result = text;
  for (const [example, place] of Object.entries(places)) {
    if (!result.includes(example)) continue;
    if (!own.has(example)) {
      const thing = await find(example, request, wanted);
      if (thing) own.set(example, idOf(thing, place));
      if (thing?.walletId) own.set("${ID.walletId}", thing.walletId);
      else if (thing?.keyId) own.set("${ID.keyId}", thing.keyId);
    }
    result = result.replaceAll(example, own.get(example) ?? example);
  }
  return result;
};

// the bytes of an address, as a number in the digits of its alphabet
const inHex = (text, digits) =>
  [...text].reduce((sum, each) => sum * BigInt(digits.length) + BigInt(digits.indexOf(each)), 0n);
const base58 = (text, digits) => inHex(text, digits).toString(16).padStart(50, "0").slice(2, 42);
const accountOf = ({ network, address, signingKey }) => {
  if (network.startsWith("Tron")) return base58(address, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");
  if (network.startsWith("Xrp")) return base58(address, "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz");
  if (!network.startsWith("Bitcoin")) return signingKey.publicKey;
  // four bits beside the output key, and six characters that check it
  return (inHex(address.slice(4, -6), "qpzry9x8gf2tvdw0s3jn54khce6mua7l") >> 4n).toString(16).padStart(64, "0");
};

// bytes that name the account of an example name the one of the wallet in the address
const withOwnAccount = async (text, request) => {
  if (!text.includes(account.bytes20)) return text;
  const wallet = await ask(new URL(request.url, location.href).pathname.split("/", 3).join("/"), request);
  if (!wallet.address) return text;
  const own = accountOf(wallet);
  return text.replaceAll(own.length === 64 ? account.bytes32 : account.bytes20, own);
};

const withOwnThings = async (request) => {
  const body = typeof request.body === "string" ? parsed(request.body) : {};
  const wanted = { ...wantedBy(body), forNetwork: body.network };
  const own = new Map();
  request.url = await withOwn(request.url, request, wanted, own);
  if (typeof request.body !== "string") return;
  request.body = await withOwnAccount(await withOwn(request.body, request, wanted, own), request);
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
    await withOwnThings(request);
    return request;
  },
  responseInterceptor: (response) => {
    if (response.ok && response.url?.endsWith("/openapi.json")) examples = wantedIn(response.body ?? JSON.parse(response.text));
    else if (response.ok) remember(response.body ?? response.obj, new URL(response.url, location.href).pathname);
    return response;
  },
});

const wantedIn = ({ paths }) =>
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ requestBody }) => Object.values(requestBody?.content["application/json"]?.examples ?? {}))
    .flatMap(({ value, ["${WANTED}"]: wanted }) => (wanted ? [{ value, wanted }] : []));
`;
