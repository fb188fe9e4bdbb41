import { describe, expect, it } from "vitest";
import { isPrivateAddress } from "./private-address.ts";

describe("an address", () => {
  // row 16: ::/96 and ::ffff:0:0:0/96 lead to the embedded IPv4 address
  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.31.255.255",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fd00::1",
    "fe80::1",
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1",
    "::127.0.0.1",
    "::7f00:1",
    "::a9fe:a9fe",
    "::ffff:0:127.0.0.1",
    "::ffff:0:a9fe:a9fe",
    "2002:7f00:1::",
    "localhost",
    "",
  ])("%s is private", (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each(["1.1.1.1", "172.32.0.1", "8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8"])(
    "%s is public",
    (address) => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  );
});
