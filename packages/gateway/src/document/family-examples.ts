import type { FamilyRegistry } from "@conclave/chains";
import { type FamilyExamples, familyOf, type Network, walletNetworks } from "@conclave/custody";
import type { WordOf } from "./describe-schemas.ts";
import { type ApiDocument, type ApiOperation, inline, jsonOf, operationsIn } from "./types.ts";
import { WANTED, type Wanted } from "./wanted.ts";

interface Shown {
  readonly value: unknown;
  readonly description?: string;
  readonly [WANTED]?: Wanted;
}
type Entries = Readonly<Record<string, Shown>>;

const entriesOf = (
  bodies: Readonly<Record<string, unknown>>,
  wanted: Wanted,
  nameOf: (shows: string) => string,
): Entries =>
  Object.fromEntries(
    Object.entries(bodies).map(([shows, value]) => [nameOf(shows), { value, [WANTED]: wanted }]),
  );

const STALE =
  "Comes to nothing as it stands: what it says of a block, a number or a network is of another moment and chain. [The guide](/docs/guides/chains#unsigned-bytes) makes such bytes.";

/** Examples with a caller's own bytes, which this service would not accept unchanged. */
const staleBytes = (family: Family): Entries => {
  const { name, unsigned } = family;
  if (unsigned === undefined) return {};
  return {
    [`form: ${name}: a payment in unsigned bytes`]: {
      value: unsigned,
      description: STALE,
      [WANTED]: wantedToSign(family),
    },
  };
};

type Family = FamilyExamples & { readonly name: string };

/** The operations whose example bodies depend on the family. */
const OF_FAMILY: Readonly<Record<string, (family: Family) => Entries>> = {
  transferAsset: ({ name, network, transfers }) =>
    entriesOf(transfers, { network }, (shows) => `${name}: ${shows}`),
  broadcastTransaction: (family) => ({
    ...entriesOf(family.transactions, { network: family.network }, (shows) => `${family.name}: ${shows}`),
    ...staleBytes(family),
  }),
  generateSignature: (family) => ({
    ...entriesOf(family.signatures, wantedToSign(family), (shows) => `${family.name}: ${shows}`),
    ...(Object.keys(family.signatures).length === 0 ? staleBytes(family) : {}),
  }),
  createWallet: ({ name, network, scheme }) => ({
    [`${name}: a wallet`]: { value: { network } },
    ...(scheme === undefined
      ? {}
      : {
          [`${name}: a wallet with a ${scheme} key`]: {
            value: { network, signingKey: { scheme, curve: "secp256k1" } },
          },
        }),
  }),
};

const wantedToSign = ({ network, scheme }: FamilyExamples): Wanted => ({
  network,
  ...(scheme === undefined ? {} : { scheme }),
});

/** Adds examples of the families of these networks to bodies: each shown example can be sent to this service. */
export const addFamilyExamples = (
  document: ApiDocument,
  families: FamilyRegistry,
  networks: readonly Network[],
): void => {
  const served = [...new Set(networks.map(familyOf))].flatMap((name) => families.find(name) ?? []);
  for (const { operation } of operationsIn(document)) {
    if (operation.requestBody === undefined || "$ref" in operation.requestBody) continue;
    const of = OF_FAMILY[operation.operationId ?? ""];
    const media = operation.requestBody.content["application/json"];
    if (of === undefined || media === undefined) continue;
    const entries = served.flatMap(({ name, examples }) => Object.entries(of({ name, ...examples })));
    media.examples = { ...Object.fromEntries(entries), ...media.examples };
  }
};

/** The schema of `network` if an operation has one, in its body or its query. */
const networkTaken = ({ requestBody, parameters = [] }: ApiOperation) => {
  const ofQuery = parameters.find(
    (each) => !("$ref" in each) && each.in === "query" && each.name === "network",
  );
  if (ofQuery !== undefined && !("$ref" in ofQuery)) return inline(ofQuery.schema);
  return inline(inline(jsonOf(requestBody))?.properties?.["network"]);
};

/** Lists the networks of this service in each operation that takes a network. */
export const nameNetworks = (document: ApiDocument, networks: readonly Network[]): void => {
  for (const { operation } of operationsIn(document)) {
    const schema = networkTaken(operation);
    if (schema === undefined) continue;
    schema.enum = [...(operation.operationId === "getFees" ? networks : walletNetworks(networks))];
  }
};

/**
 * The example of a property of a kind of transfer, by `kind.property`, from its family. `Native` is left out, as it
 * belongs to every family.
 */
export const familyValues = ({ families }: FamilyRegistry): ReadonlyMap<string, unknown> =>
  new Map(
    families
      .flatMap(({ examples }) => Object.values(examples.transfers))
      .filter(({ kind }) => kind !== "Native")
      .flatMap((body) =>
        Object.entries(body).map(([name, value]) => [`${body.kind}.${name}`, value] as const),
      ),
  );

/**
 * The meaning of a name within a kind of transfer: the usual one, with an example of the kind's own network. In
 * histories a kind's name ends in `Transfer`.
 */
export const inFamilies =
  (wordOf: WordOf, values: ReadonlyMap<string, unknown>): WordOf =>
  (name, holders) => {
    const word = wordOf(name, holders);
    const kind = (holders[0] ?? "").replace(/Transfer$/, "");
    // a sender has the same form as a receiver
    const value = values.get(`${kind}.${name === "from" ? "to" : name}`);
    return word === undefined || value === undefined ? word : [word[0], value];
  };
