import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { organisationIdSchema } from "@conclave/custody";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigurationError } from "../config/environment.ts";
import { freshId } from "../fresh-id.ts";
import { loadIdentityProviders } from "./provider-list.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-providers-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ENTRY = {
  orgId: freshId(organisationIdSchema, "or"),
  issuer: "https://login.acme.example",
  clientId: "conclave",
  redirectUris: ["https://wallets.acme.example/signed-in"],
};
const other = { ...ENTRY, orgId: freshId(organisationIdSchema, "or") };

const load = (entries: unknown) => {
  const path = join(folder, "providers.json");
  writeFileSync(path, JSON.stringify(entries));
  return loadIdentityProviders(path);
};

describe("the list of identity providers", () => {
  it("is empty without a file", async () => {
    expect(await loadIdentityProviders(undefined)).toEqual([]);
  });

  it("has an organisation's client, with the secret from its own file", async () => {
    const clientSecretFile = join(folder, "secret");
    writeFileSync(clientSecretFile, "a secret\n");
    expect(
      await load([
        { ...ENTRY, clientSecretFile },
        { ...other, usernameClaim: "upn" },
      ]),
    ).toEqual([
      { ...ENTRY, clientSecret: "a secret", usernameClaim: "email", requiredClaims: {} },
      { ...other, clientSecret: undefined, usernameClaim: "upn", requiredClaims: {} },
    ]);
  });

  it.each<[string, unknown, string]>([
    ["an organisation twice", [ENTRY, ENTRY], "names an organisation twice"],
    [
      "one redirect address for two issuers, whose answers could not be told apart",
      [ENTRY, { ...other, issuer: "https://login.else.example" }],
      "gives two issuers the same redirect address",
    ],
    ["an issuer without TLS", [{ ...ENTRY, issuer: "http://login.acme.example" }], "begins with https://"],
    ["a page without TLS", [{ ...ENTRY, redirectUris: ["http://acme.example/"] }], "begins with https://"],
    [
      "a page that a browser writes in another way",
      [{ ...ENTRY, redirectUris: ["https://acme.example"] }],
      "is written as a browser writes it",
    ],
    ["a page with a query", [{ ...ENTRY, redirectUris: ["https://acme.example/?a=b"] }], "without a query"],
    [
      "Google's issuer, and no domain whose accounts it takes",
      [{ ...ENTRY, issuer: "https://accounts.google.com" }],
      "lacks requiredClaims.hd",
    ],
    ["no page", [{ ...ENTRY, redirectUris: [] }], "redirectUris"],
    ["a secret in the list itself", [{ ...ENTRY, clientSecret: "a secret" }], "clientSecret"],
    ["a secret's file that is not there", [{ ...ENTRY, clientSecretFile: "/nowhere" }], "cannot be read"],
  ])("is refused with %s", async (_, entries, words) => {
    const refused = load(entries);
    await expect(refused).rejects.toBeInstanceOf(ConfigurationError);
    await expect(refused).rejects.toThrow(words);
  });

  it("is refused with an empty secret", async () => {
    const clientSecretFile = join(folder, "secret");
    writeFileSync(clientSecretFile, "\n");
    await expect(load([{ ...ENTRY, clientSecretFile }])).rejects.toThrow("which is empty");
  });
});
