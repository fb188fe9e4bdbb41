import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isPrivateAddress } from "./private-address.ts";

/** The host of a URL as an address, without the brackets of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");

/**
 * Whether the host of a URL currently resolves to a private address. The sender checks every name again when it
 * connects, including names that do not resolve now.
 */
export const isPrivateTarget = async (address: string): Promise<boolean> => {
  const host = hostOf(new URL(address));
  if (isIP(host) !== 0) return isPrivateAddress(host);
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some((each) => isPrivateAddress(each.address));
};
