import { BlockList, isIP } from "node:net";

/** Ranges that lead to a private network, to this host or nowhere (RFC 6890 and its registry). */
const IPV4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];
const IPV6: readonly (readonly [string, number])[] = [
  // IPv4-compatible (RFC 4291, deprecated), with :: and ::1: some systems send these to the embedded IPv4 address
  ["::", 96],
  // IPv4-translated (RFC 2765): translators send these to the embedded IPv4 address too
  ["::ffff:0:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
];

const blocked = new BlockList();
for (const [network, prefix] of IPV4) blocked.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of IPV6) blocked.addSubnet(network, prefix, "ipv6");

/**
 * Whether an address is private, so that it must not be contacted on behalf of a client. An IPv4 address in IPv6 notation is
 * judged as IPv4; a text that is no address counts as private.
 */
export const isPrivateAddress = (address: string): boolean => {
  const family = isIP(address);
  if (family === 0) return true;
  return blocked.check(address, family === 4 ? "ipv4" : "ipv6");
};
