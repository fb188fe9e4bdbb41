import { describe, expect, it } from "vitest";
import { type Grant, missingOperation, narrow, widen } from "./permission.ts";

const listed = (...operations: readonly string[]): Grant => ({
  kind: "listed",
  operations: new Set(operations),
});
const EVERYTHING: Grant = { kind: "everything" };

describe("a grant", () => {
  it("covers the operations that it lists and names the first that it does not", () => {
    const needs = ["Wallets:Read", "Keys:Read"] as const;
    expect(missingOperation(listed("Wallets:Read", "Keys:Read"), needs)).toBeUndefined();
    expect(missingOperation(listed("Wallets:Read"), needs)).toBe("Keys:Read");
    expect(missingOperation(listed(), needs)).toBe("Wallets:Read");
  });

  it("covers a need by the name of either generation", () => {
    const needs = [{ anyOf: ["Wallets:TransferAsset", "Wallets:Transfers:Create"] }] as const;
    expect(missingOperation(listed("Wallets:Transfers:Create"), needs)).toBeUndefined();
    expect(missingOperation(listed("Wallets:TransferAsset"), needs)).toBeUndefined();
    expect(missingOperation(listed("Wallets:Read"), needs)).toBe("Wallets:TransferAsset");
  });

  it("of everything covers every need", () => {
    expect(missingOperation(EVERYTHING, ["Wallets:Create"])).toBeUndefined();
  });

  it("of a token is worth no more than its user's", () => {
    expect(narrow(EVERYTHING, listed("Wallets:Read"))).toEqual(listed("Wallets:Read"));
    expect(narrow(listed("Wallets:Read"), EVERYTHING)).toEqual(listed("Wallets:Read"));
    expect(narrow(listed("Wallets:Read", "Keys:Read"), listed("Keys:Read", "Wallets:Create"))).toEqual(
      listed("Keys:Read"),
    );
  });

  it("adds up over identities", () => {
    expect(widen(listed("Wallets:Read"), listed("Keys:Read"))).toEqual(listed("Wallets:Read", "Keys:Read"));
    expect(widen(listed(), EVERYTHING)).toEqual(EVERYTHING);
  });
});
