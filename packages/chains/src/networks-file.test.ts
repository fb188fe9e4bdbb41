import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FAMILIES } from "./registry.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** The example entries in the README, with placeholders replaced by a secret. */
const entries: readonly Readonly<Record<string, unknown>>[] = [
  ...readme.matchAll(/```json\n([\s\S]*?)```/g),
].map(([, text = ""]) => JSON.parse(text.replaceAll("…", "secret")));

describe("the networks file, as the README tells", () => {
  it("has an entry of each family", () => {
    const shown = entries.map(({ family }) => family);
    expect(shown.toSorted()).toEqual(FAMILIES.families.map(({ name }) => name).toSorted());
  });

  it.each(entries)("$network: its entry is taken, alone and beside the others", (entry) => {
    expect(FAMILIES.networksSchema.safeParse([entry]).error).toBeUndefined();
    expect(FAMILIES.networksSchema.safeParse(entries).error).toBeUndefined();
  });

  it.each(entries)(
    "$network: a field that nobody knows is refused, and so is the same chain again",
    (entry) => {
      expect(FAMILIES.networksSchema.safeParse([{ ...entry, more: "x" }]).success).toBe(false);
      expect(FAMILIES.networksSchema.safeParse([entry, entry]).success).toBe(false);
    },
  );

  it.each(entries)("$network: a user in its URL is refused, but for EVM", (entry) => {
    const signedIn = JSON.parse(JSON.stringify(entry).replaceAll("http://", "http://user:word@"));
    expect(FAMILIES.networksSchema.safeParse([signedIn]).success).toBe(entry["family"] === "Evm");
  });
});
