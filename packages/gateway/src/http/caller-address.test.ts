import { describe, expect, it } from "vitest";
import { callerAddress, proxiesSchema } from "./caller-address.ts";

const NONE = proxiesSchema.parse("");
const PROXIES = proxiesSchema.parse("10.0.0.0/8, 192.0.2.7,fd00::/8");
const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });

describe("the address of a caller", () => {
  it.each([
    ["203.0.113.5", undefined, "203.0.113.5"],
    ["::ffff:203.0.113.5", undefined, "203.0.113.5"],
    ["203.0.113.5", "198.51.100.1", "203.0.113.5"],
    ["2001:db8:1:2:3:4:5:6", undefined, "2001:db8:1:2"],
    ["2001:db8:1:2::", undefined, "2001:db8:1:2"],
    ["2001:0DB8::9", undefined, "2001:db8:0:0"],
    ["::1", undefined, "0:0:0:0"],
    ["fe80::1%eth0", undefined, "fe80:0:0:0"],
    ["10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["10.0.0.1", "6.6.6.6, 198.51.100.1, 192.0.2.7", "198.51.100.1"],
    ["10.0.0.1", "10.0.0.2", "10.0.0.2"],
    ["10.0.0.1", "anything", "10.0.0.1"],
    ["10.0.0.1", "198.51.100.1, anything", "10.0.0.1"],
    ["10.0.0.1", "", "10.0.0.1"],
    ["fd00::7", "2001:db8:1:2::7", "2001:db8:1:2"],
  ])("of a connection from %s, with X-Forwarded-For %s, is %s", (remote, forwarded, expected) => {
    expect(callerAddress(from(remote), forwarded, PROXIES)).toBe(expected);
  });

  it("is the connection's where no proxy is named, whatever it forwards", () => {
    expect(callerAddress(from("10.0.0.1"), "198.51.100.1", NONE)).toBe("10.0.0.1");
  });

  it("is unknown without a connection", () => {
    expect(callerAddress(undefined, "198.51.100.1", PROXIES)).toBe("unknown");
    expect(callerAddress({ incoming: { socket: {} } }, "198.51.100.1", PROXIES)).toBe("unknown");
  });

  it.each(["localhost", "10.0.0.0/33", "10.0.0", "10.0.0.1/", "fd00::/129", "10.0.0.1;10.0.0.2", ","])(
    "takes %s for no proxy",
    (text) => {
      expect(proxiesSchema.safeParse(text).success).toBe(false);
    },
  );
});
