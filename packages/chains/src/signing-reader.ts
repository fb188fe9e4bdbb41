import {
  EXCLUSION_BYTES_MAX,
  fail,
  networkFamilySchema,
  ok,
  type Result,
  SIGNABLES_MAX,
  type Signable,
  type SigningReader,
  type TransactionClaim,
} from "@conclave/custody";
import type { ChainFamily, NetworkEntry } from "./chain.ts";
import type { FamilyRegistry } from "./registry.ts";

const DIGEST_BYTES = 32;

/** Limits for every family's readings: a family that exceeds them has a bug, and nothing is signed. */
const withinLimits = <Reading extends { readonly signables: readonly Signable[] }>(
  reading: Reading,
  claim: TransactionClaim | undefined,
): Result<Reading> => {
  const { signables } = reading;
  const isCountable = signables.length > 0 && signables.length <= SIGNABLES_MAX;
  const isDigests = signables.every(
    ({ scheme, bytes }) => scheme !== "CGGMP24" || bytes.length === DIGEST_BYTES,
  );
  const isShort = claim === undefined || claim.exclusion.length <= EXCLUSION_BYTES_MAX;
  return isCountable && isDigests && isShort
    ? ok(reading)
    : fail("Internal", {}, "The chain family reads more from this than it may.");
};

/**
 * The signer's reader: it finds the family by the network in the signer's own networks file. Any other network is refused
 * (INV-3).
 */
export const signingReader = (registry: FamilyRegistry, networks: readonly NetworkEntry[]): SigningReader => {
  const served = new Map(
    networks.map((entry): [string, { readonly entry: NetworkEntry; readonly family: ChainFamily }] => [
      entry.network,
      { entry, family: registry.familyOf(entry.network) },
    ]),
  );
  return {
    read: (network, unsigned, act) => {
      const found = served.get(network);
      if (found === undefined) return fail("NetworkNotEnabled", { networks: [...served.keys()] });
      const read = found.family.read(found.entry, unsigned, act);
      return read.ok ? withinLimits(read.value, read.value) : read;
    },
    readContent: ({ family: name, content }) => {
      const known = networkFamilySchema.safeParse(name);
      const family = known.success ? registry.find(known.data) : undefined;
      if (family === undefined)
        return fail("SignatureKindNotSupported", { field: "family", kinds: ["Hash"] });
      const own = networks.filter((entry) => entry.family === family.name);
      const read = family.readContent(own, content);
      return read.ok ? withinLimits(read.value, read.value.transaction) : read;
    },
    judgeMessage: (message) => {
      const taker = registry.families.find((family) => family.takesForConsent(message));
      return taker === undefined
        ? ok(undefined)
        : fail(
            "TransactionUnreadable",
            { field: "message", family: taker.name },
            `The message is one that ${taker.name} takes for a transaction: ask for a signature of kind Transaction.`,
          );
    },
    excludes: (network, earlier, later) => served.get(network)?.family.excludes(earlier, later) ?? false,
    exclusionOfNonce: (nonce) => {
      for (const { exclusionOfNonce } of registry.families) {
        if (exclusionOfNonce !== undefined) return exclusionOfNonce(nonce);
      }
      throw new Error("no family of the registry has records of version 0.1");
    },
  };
};
