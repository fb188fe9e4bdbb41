import { BlockList, isIP } from "node:net";
import { z } from "zod";

/** The HTTP server's part of a request; absent in tests of the application alone. */
export interface CallerBindings {
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } };
}

/** The proxies in front of a gateway, whose X-Forwarded-For is trusted. */
export type Proxies = Pick<BlockList, "check">;

const MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const GROUPS = 8;
/** an IPv6 host has all addresses of its first 64 bits */
const GROUPS_OF_HOST = 4;
const BITS = { 4: 32, 6: 128 } as const;
const RANGE = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/;

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 4 ? "ipv4" : "ipv6");

/** Parses an address or a CIDR range; undefined for other text. */
const readRange = (text: string) => {
  const [, address = "", prefix] = RANGE.exec(text) ?? [];
  const version = isIP(address);
  if (version !== 4 && version !== 6) return undefined;
  const bits = prefix === undefined ? BITS[version] : Number(prefix);
  return bits <= BITS[version] ? { address, bits } : undefined;
};

/** for example 10.0.0.7,10.1.0.0/16,fd00::/8; none for "" */
export const proxiesSchema = z
  .string()
  .transform((text) => (text === "" ? [] : text.split(",").map((each) => readRange(each.trim()))))
  .refine((ranges) => ranges.every((range) => range !== undefined), {
    error: "is not an IP address or <address>/<bits>, or several with commas between",
  })
  .transform((ranges): Proxies => {
    const proxies = new BlockList();
    for (const range of ranges) {
      if (range !== undefined) proxies.addSubnet(range.address, range.bits, familyOf(range.address));
    }
    return proxies;
  });

/** An address without its zone, and as IPv4 if it is mapped into IPv6; undefined for a text that is no address. */
const plain = (text: string | undefined): string | undefined => {
  const address = text?.trim().replace(/%.*$/, "").replace(MAPPED, "");
  return address === undefined || isIP(address) === 0 ? undefined : address;
};

/** The first 64 bits of an IPv6 address; an IPv4 address unchanged. */
const hostOf = (address: string): string => {
  if (isIP(address) === 4) return address;
  const [left = [], right = []] = address
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: Math.max(0, GROUPS - left.length - right.length) }, () => "0");
  return [...left, ...zeros, ...right]
    .slice(0, GROUPS_OF_HOST)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
};

/**
 * The address by which callers without a token are told apart: that of the connection. Behind a configured proxy it is
 * the last address in X-Forwarded-For that is no such proxy, as earlier ones come from the caller itself.
 * @returns an IPv4 address, 64 bits of an IPv6 one, or "unknown"
 */
export const callerAddress = (
  bindings: CallerBindings | undefined,
  forwardedFor: string | undefined,
  proxies: Proxies,
): string => {
  const remote = plain(bindings?.incoming?.socket.remoteAddress);
  if (remote === undefined) return "unknown";
  const isProxy = (address: string): boolean => proxies.check(address, familyOf(address));
  let found = remote;
  for (const text of (forwardedFor ?? "").split(",").reverse()) {
    const before = plain(text);
    if (!isProxy(found) || before === undefined) break;
    found = before;
  }
  return hostOf(found);
};
