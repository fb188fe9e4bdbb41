import type { ApiWallet, Cluster } from "@conclave/testbed";
import { getAddress } from "ethers";

export const ETHER = 10n ** 18n;
let receivers = 0;

/** A wallet of the development user that holds ten ether. */
export const makeFundedWallet = async (
  cluster: Pick<Cluster, "api" | "chain" | "description">,
  name = "treasury",
): Promise<ApiWallet> => {
  const wallet = await cluster.api.createWallet(cluster.description.chain.network, name);
  await cluster.chain.setBalance(wallet.address, 10n * ETHER);
  return wallet;
};

/** An address that this test file has not used before, with its checksum. */
export const freshReceiver = (): `0x${string}` => {
  receivers += 1;
  // pad with zeros: with a repeated word as padding, the numbers 14 and 254 would give one address
  const digits = getAddress(`0xc0ffee${receivers.toString(16).padStart(34, "0")}`).slice(2);
  return `0x${digits}`;
};
