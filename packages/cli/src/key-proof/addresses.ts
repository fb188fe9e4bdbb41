import { FAMILIES } from "@conclave/chains";
import {
  familyOf,
  hasAddresses,
  judgeKeyOnNetwork,
  NETWORKS,
  type NetworkFamily,
  networkSchema,
  type StatedKey,
} from "@conclave/custody";

/** An address of a key, with the networks where it is valid. */
export interface KeyAddress {
  readonly family: NetworkFamily;
  readonly address: string;
  readonly networks: readonly string[];
}

/** Every address of a key on networks of the families that are built, each once. */
export const addressesOf = ({
  scheme,
  publicKey,
}: Pick<StatedKey, "scheme" | "publicKey">): readonly KeyAddress[] => {
  const found = new Map<string, KeyAddress>();
  for (const name of NETWORKS) {
    const network = networkSchema.parse(name);
    const family = familyOf(network);
    const isFit =
      hasAddresses(network) &&
      FAMILIES.find(family) !== undefined &&
      judgeKeyOnNetwork(FAMILIES, network, scheme).ok;
    const address = isFit ? FAMILIES.addressOn(network, publicKey) : undefined;
    if (address === undefined) continue;
    const place = `${family} ${address}`;
    const networks = [...(found.get(place)?.networks ?? []), name];
    found.set(place, { family, address, networks });
  }
  return [...found.values()];
};
