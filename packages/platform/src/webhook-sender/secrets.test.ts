import { Secret } from "@conclave/threshold";
import { describe, expect, it } from "vitest";
import { makeWebhookKey, webhookSecretsOf } from "./secrets.ts";

const KEY = new Secret("11".repeat(32));
const SECRET = new Secret("whs-secret");

describe("the secrets of webhooks", () => {
  it("are opened for their webhook alone, and under their key alone", () => {
    const sealed = webhookSecretsOf(KEY).seal("wh-1", SECRET);
    expect(webhookSecretsOf(KEY).open("wh-1", sealed)?.reveal()).toBe("whs-secret");
    expect(webhookSecretsOf(KEY).open("wh-2", sealed)).toBeUndefined();
    expect(webhookSecretsOf(makeWebhookKey()).open("wh-1", sealed)).toBeUndefined();
  });

  it("are sealed with fresh nonces, and with those of a world where one is handed in", () => {
    const seal = (entropy?: (length: number) => Uint8Array) =>
      webhookSecretsOf(KEY, entropy).seal("wh-1", SECRET);
    const sevens = (length: number) => new Uint8Array(length).fill(7);
    expect(seal(sevens)).toEqual(seal(sevens));
    expect(seal()).not.toEqual(seal());
  });
});
