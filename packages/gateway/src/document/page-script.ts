import { SAMPLE_ACCOUNT, SAMPLE_SHORT_ACCOUNT } from "@conclave/custody";
import { SAMPLE_IDS } from "./vocabulary/ids.ts";
import { WANTED } from "./wanted.ts";

const ID = SAMPLE_IDS;

/** Where the page finds the newest entity that an example's id stands for, and which property has its id. */
interface Place {
  /** a path, which may contain the id of another example */
  readonly list: string;
  /** the path for entities of a key instead of a wallet, if there is one */
  readonly listOfKey?: string;
  /** the id's property, in each item of the list, and in an answer that makes or reads an entity */
  readonly property: string;
  /** other answers have such a property, too, or entities with a similar id: only answers at the list's own path count */
  readonly isInPlace?: true;
  /** a user who may make calls: only one that was made or read on this page is used, never simply the first of the list */
  readonly isPerson?: true;
}

/** Entities of a wallet or a key come before these, which then belong to it. */
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
  [ID.addressWatchId]: { list: "/address-watches?limit=1", property: "id" },
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
 * The script of the API's page. It replaces each example id in a request by the newest entity of that kind, so that
 * examples can be tried unchanged; but not in requests that end something, for which the caller has to name the entity.
 * An example of one network or one kind of key gets the newest wallet or key of that sort, and bytes that name an
 * account get the wallet's own.
 */
export const PAGE_SCRIPT = `const places = ${JSON.stringify(PLACES)};
const ending = /^DELETE (?!.*\\/tags$)|\\/(abort|archive|cancel|deactivate|decisions|delegate|export)$/;
const account = { bytes32: "${SAMPLE_ACCOUNT}", bytes20: "${SAMPLE_SHORT_ACCOUNT}" };
// the entities of each kind that this page has seen, the newest first
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
  // a transfer, a transaction or a signature also determines the wallet or key from now on
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

// the kind of entity that a body wants: that of the example that is most similar to it, if any is
const wantedBy = (body) => {
  const isShared = (name, value) => name !== "kind" && JSON.stringify(value[name]) === JSON.stringify(body[name]);
  // changed members do not count, and missing ones count against the example
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

// keys that already have a wallet on the network, where they cannot get a second one
const takenOn = async (network, request) => {
  const { items = [] } = await ask("/wallets?limit=500", request);
  return items.filter((each) => each.network === network).map((each) => each.signingKey.id);
};

// if none is found the example stays, and the service answers that it does not exist
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
  // the output key, without four other bits and the six characters of the checksum
  return (inHex(address.slice(4, -6), "qpzry9x8gf2tvdw0s3jn54khce6mua7l") >> 4n).toString(16).padStart(64, "0");
};

// replaces the account of an example in bytes by that of the wallet in the request's path
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
  docExpansion: "none",
  filter: true,
  plugins: [pagePlugin],
  syntaxHighlight: { theme: "monokai" },
  persistAuthorization: true,
  // the page calls no other host, so it works offline
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
