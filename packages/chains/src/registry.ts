import {
  type FamilyTable,
  familyOf,
  hasAddresses,
  type Network,
  type NetworkFamily,
  networkSchema,
} from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import { z } from "zod";
import { ALGORAND_FAMILY } from "./algorand/family.ts";
import { BITCOIN_FAMILY } from "./bitcoin/family.ts";
import type { ChainFamily, EnabledNetwork } from "./chain.ts";
import { EVM_FAMILY } from "./evm/family.ts";
import { replacesTransactions } from "./replaces-transactions.ts";
import { SOLANA_FAMILY } from "./solana/family.ts";
import { STELLAR_FAMILY } from "./stellar/family.ts";
import { TRON_FAMILY } from "./tron/family.ts";
import { XRPL_FAMILY } from "./xrpl/family.ts";

/** Most entries of a networks file. */
const NETWORKS_MAX = 256;

/** Chain families by name: the family of each network, and all that the family can do without a chain. A plain value. */
export interface FamilyRegistry extends FamilyTable {
  readonly families: readonly ChainFamily[];
  find(family: NetworkFamily): ChainFamily | undefined;
  /** @throws when the family is not built in; then no cluster serves its networks */
  familyOf(network: string): ChainFamily;
  /**
   * The address of a key on a network.
   * @param publicKey lower-case hex, as the signers made it
   * @returns undefined on a pseudo network, which has no addresses
   */
  addressOn(network: Network, publicKey: string): string | undefined;
  /** The networks that a process serves: `cluster/networks.json`, each entry in the form of its family. */
  readonly networksSchema: z.ZodType<readonly EnabledNetwork[]>;
}

export const makeRegistry = (families: readonly ChainFamily[]): FamilyRegistry => {
  const byName = new Map(families.map((family) => [family.name, family]));
  const must = (network: string): ChainFamily => {
    const family = byName.get(familyOf(networkSchema.parse(network)));
    if (family === undefined) throw new Error(`${network} is of a family that is not built`);
    return family;
  };
  return {
    families,
    find: (family) => byName.get(family),
    familyOf: must,
    addressOn: (network, publicKey) =>
      hasAddresses(network) ? must(network).addressOf(network, hexToBytes(publicKey)) : undefined,
    networksSchema: networksSchemaOf(families),
  };
};

type Issue = (path: readonly PropertyKey[], message: string) => void;

/** An entry in its family's form: only that form reports its defects. */
const entrySchemaOf = (families: readonly ChainFamily[]) =>
  z
    .looseObject({ family: z.string(), second: z.looseObject({}).optional() })
    .transform(({ second: other, ...entry }, context): EnabledNetwork => {
      const family = families.find(({ name }) => name === entry.family);
      const issue: Issue = (path, message) => context.addIssue({ code: "custom", path: [...path], message });
      if (family === undefined) {
        issue(["family"], `is none of ${families.map(({ name }) => name).join(", ")}`);
        return z.NEVER;
      }
      if ("feeBumps" in entry && !replacesTransactions(family)) {
        issue(
          ["feeBumps"],
          `${family.name} replaces no transaction, so no fee is raised there: take the field away`,
        );
        return z.NEVER;
      }
      const parsed = family.entrySchema.safeParse(entry);
      if (!parsed.success) {
        for (const { path, message } of parsed.error.issues) issue(path, message);
        return z.NEVER;
      }
      if (other === undefined) return parsed.data;
      const second = secondOf(family, parsed.data, { ...entry, ...other }, (path, message) =>
        issue(["second", ...path], message),
      );
      return second === undefined ? z.NEVER : { ...parsed.data, second };
    });

/**
 * Parses the second node of an entry: the same network and chain, at another URL. @returns undefined after an issue was
 * reported
 */
const secondOf = (
  family: ChainFamily,
  first: EnabledNetwork,
  entry: Readonly<Record<string, unknown>>,
  issue: Issue,
): EnabledNetwork | undefined => {
  if (entry["network"] !== first.network || entry["family"] !== first.family) {
    issue([], "is of another network: name only what this node has of its own, such as its URL");
    return undefined;
  }
  const parsed = family.entrySchema.safeParse(entry);
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) issue(path, message);
    return undefined;
  }
  if (family.chainOf(parsed.data) === family.chainOf(first)) return parsed.data;
  issue([], "is of another chain");
  return undefined;
};

const networksSchemaOf = (families: readonly ChainFamily[]): z.ZodType<readonly EnabledNetwork[]> =>
  z
    .array(
      entrySchemaOf(families).refine(
        ({ network, family }) => familyOf(network) === family,
        "is not of that family",
      ),
    )
    .max(NETWORKS_MAX)
    .refine(
      (networks) => new Set(networks.map(({ network }) => network)).size === networks.length,
      "names a network twice",
    )
    // wallets of one key on both networks would share an account, and policies on one would not see transactions on the other
    .refine((networks) => {
      const chains = families.flatMap((family) =>
        networks
          .filter((entry) => entry.family === family.name)
          .map((entry) => `${family.name}/${family.chainOf(entry)}`),
      );
      return new Set(chains).size === chains.length;
    }, "names a chain twice");

/** The families that are built in. */
export const FAMILIES: FamilyRegistry = makeRegistry([
  EVM_FAMILY,
  ALGORAND_FAMILY,
  BITCOIN_FAMILY,
  SOLANA_FAMILY,
  STELLAR_FAMILY,
  TRON_FAMILY,
  XRPL_FAMILY,
]);
