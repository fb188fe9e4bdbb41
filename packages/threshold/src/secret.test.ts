import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { Secret } from "./secret.ts";

describe("a secret (INV-10)", () => {
  it("prints as [secret] in text, JSON and the inspector, nested or not", () => {
    const holder = { share: new Secret(123456789n) };
    expect(`${holder.share}`).toBe("[secret]");
    expect(JSON.stringify(holder)).toBe('{"share":"[secret]"}');
    expect(inspect(holder, { showHidden: true, depth: 9 })).toBe("{ share: [secret] }");
  });

  it("has no enumerable or own property that holds the value", () => {
    expect(Reflect.ownKeys(new Secret("x"))).toEqual([]);
  });

  it("can be revealed again and again", () => {
    const secret = new Secret(7n);
    expect([secret.reveal(), secret.reveal()]).toEqual([7n, 7n]);
  });

  it("INV-2 gives its value to take once and throws on any later use", () => {
    const secret = new Secret(7n);
    expect(secret.take()).toBe(7n);
    expect(() => secret.take()).toThrow("after it was taken");
    expect(() => secret.reveal()).toThrow("after it was taken");
  });
});
