import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { accessOf } from "./access.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-access-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const environment = () => {
  const keyFile = join(folder, "key.pem");
  writeFileSync(keyFile, "a key");
  return {
    CONCLAVE_API: "http://gateway",
    CONCLAVE_SERVICE_TOKEN: "token",
    CONCLAVE_SERVICE_CREDENTIAL: "credential",
    CONCLAVE_SERVICE_KEY_FILE: keyFile,
  };
};

it("takes the gateway and the identity that the environment names", () => {
  expect(accessOf(folder, environment(), "service")).toEqual({
    url: "http://gateway",
    token: "token",
    credentialId: "credential",
    privateKey: "a key",
  });
});

it("says which variable is missing, and which file", () => {
  expect(() => accessOf(folder, environment(), "developer")).toThrow(
    "CONCLAVE_API is set and CONCLAVE_TOKEN is not",
  );
  const gone = { ...environment(), CONCLAVE_SERVICE_KEY_FILE: join(folder, "gone.pem") };
  expect(() => accessOf(folder, gone, "service")).toThrow(`there is no key file ${folder}/gone.pem`);
});

it("says that no cluster was started where nothing is named", () => {
  expect(() => accessOf(folder, {}, "developer")).toThrow(`no cluster has been started in ${folder}`);
});
